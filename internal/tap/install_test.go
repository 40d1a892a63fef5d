package tap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAWrapperQuotesWhatAShellWouldTakeApart(t *testing.T) {
	w := Wrapper{Protogen: "/opt/it's here/protogen", Args: []string{"tap", "--out", "$HOME/`a b`/"}, CLI: "/x/claude"}
	const want = "#!/bin/sh\nexec '/opt/it'\\''s here/protogen' 'tap' '--out' '$HOME/`a b`/' '--' '/x/claude' \"$@\"\n"
	if diff := cmp.Diff(want, w.Script(false)); diff != "" {
		t.Error(diff)
	}
	w = Wrapper{Protogen: `C:\100% mine\protogen.exe`, Args: []string{"tap"}, CLI: `C:\claude.exe`}
	if diff := cmp.Diff(`@"C:\100%% mine\protogen.exe" "tap" "--" "C:\claude.exe" %*`+"\r\n", w.Script(true)); diff != "" {
		t.Error(diff)
	}
}

func TestACopyHasItsConfigurationBesideIt(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "protogen")
	if err := os.WriteFile(program, []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	w := Wrapper{Protogen: program, Args: []string{"tap", "--out", "o"}, CLI: "/x/claude"}
	name, err := w.InstallCopy(filepath.Join(dir, "new"), false)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "a program" {
		t.Errorf("the copy is %q, %v", got, err)
	}
	got, err := Configured(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Fields("tap --out o -- /x/claude"), got); diff != "" {
		t.Error(diff)
	}
	if got, err := Configured(program); got != nil || err != nil {
		t.Errorf("protogen itself: %q, %v", got, err)
	}
}
