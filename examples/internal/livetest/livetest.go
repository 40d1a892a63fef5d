// Package livetest runs the examples with the real CLI, offline: a fake Messages API plays the
// model.
package livetest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/transport"
)

// Start plays a script and returns the options for a session with it: the CLI that CLAUDE_CLI names
// or the pinned version, scratch folders, a key that is none. The working directory has a file
// hello.txt.
func Start(t testing.TB, script string) (*transport.Options, *fakeapi.Server) {
	t.Helper()
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := fakeapi.ParseScript([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	api, err := fakeapi.Start(t.Context(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	scratch, err := sandbox.NewScratch(map[string][]byte{"hello.txt": []byte("hello\n")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		api.Close()
		if err := scratch.Remove(); err != nil {
			t.Error(err)
		}
		if unused := api.Unused(); len(unused) > 0 {
			t.Errorf("the model's turns %v were not asked for", unused)
		}
	})
	return &transport.Options{
		CLI: path, Dir: scratch.Cwd, Env: scratch.Env(api.URL(), nil), CleanEnv: true,
		Logger:   slog.New(slog.NewTextHandler(t.Output(), nil)),
		Timeouts: transport.CallTimeouts{Initialize: time.Minute}, // a machine may be slow
	}, api
}

// ToolResults returns the results of tools that the model got, in their order.
func ToolResults(api *fakeapi.Server) (results []fakeapi.ToolResult) {
	for _, r := range api.Requests() {
		results = append(results, r.ToolResults...)
	}
	return results
}
