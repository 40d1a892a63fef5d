package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestScratchFoldersAreSeparateAndGoAway(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a, err := NewScratch(map[string][]byte{"sub/a.txt": []byte("hi")})
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewScratch(nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Root == b.Root || len(a.Root) != len(b.Root) {
		t.Errorf("%s and %s", a.Root, b.Root)
	}
	if data, err := os.ReadFile(filepath.Join(a.Cwd, "sub", "a.txt")); err != nil || string(data) != "hi" {
		t.Errorf("got %q, %v", data, err)
	}
	for _, s := range []*Scratch{a, b} {
		if err := s.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.Root); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", s.Root, err)
		}
	}
}

func TestEnvHasNothingOfTheCallers(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "a real key")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "a real token")
	t.Setenv("CLAUDE_CODE_USE_BEDROCK", "1")
	t.Setenv("HTTPS_PROXY", "http://proxy.example")
	s := &Scratch{Home: "/s/home", Config: "/s/config", Tmp: "/s/tmp"}
	env := s.Env("http://127.0.0.1:1", map[string]string{"EXTRA": "1", "TZ": "Asia/Tokyo", "DISABLE_TELEMETRY": ""})
	for _, want := range []string{"ANTHROPIC_API_KEY=sk-ant-dummy", "ANTHROPIC_BASE_URL=http://127.0.0.1:1", "HOME=/s/home", "EXTRA=1", "TZ=Asia/Tokyo"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, e := range env {
		if strings.Contains(e, "real") || strings.Contains(e, "proxy") || strings.Contains(e, "BEDROCK") || strings.HasPrefix(e, "DISABLE_TELEMETRY") || e == "TZ=UTC" {
			t.Errorf("the environment has %s", e)
		}
	}
}
