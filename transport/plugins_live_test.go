//go:build live

package transport_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// Plugins that initialize names are loaded as those of a flag are.
func TestLivePluginsOfInitializeAreLoaded(t *testing.T) {
	folder := t.TempDir()
	manifest := filepath.Join(folder, ".claude-plugin", "plugin.json")
	if err := os.MkdirAll(filepath.Dir(manifest), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, []byte(`{"name":"delivered","version":"1.0.0","description":"d","author":{"name":"a"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	l := openLive(t, func(o *transport.Options) {
		o.Initialize = &wire.InitializeRequest{Plugins: []wire.PluginConfig{{Type: wire.PluginConfigTypeLocal, Path: folder}}}
	}, says("Hello."))
	l.say("begin")
	for {
		f, err := l.Receive(l.ctx)
		if err != nil {
			t.Fatal(err)
		}
		init, ok := f.(*wire.SystemInit)
		if !ok {
			continue
		}
		if !slices.ContainsFunc(init.Plugins, func(p wire.PluginInfo) bool { return p.Name == "delivered" }) {
			t.Errorf("plugins = %+v", init.Plugins)
		}
		return
	}
}
