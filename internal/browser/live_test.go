//go:build live && browser

package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/scoreboard/install"
)

// turns are what the model says: it asks for a tool that the SDK allows.
const turns = `{"turns": [
	{"content": [{"type": "tool_use", "name": "mcp__srv__echo", "input": {"text": "hi"}}]},
	{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
	{"content": [{"type": "tool_use", "name": "Bash", "input": {"command": "python3 -c 1"}}]},
	{"content": [{"type": "tool_use", "name": "Task", "input": {"description": "small job", "prompt": "the small job", "subagent_type": "helper", "run_in_background": false}}]},
	{"text": "Used."},
	{"text": "Again."}
]}`

func TestLiveASessionOfTheOfficialSDKPassesATapAndIsShown(t *testing.T) {
	cli, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	protogen := filepath.Join(dir, "protogen")
	command(t, "..", os.Environ(), "go", "build", "-o", protogen, "../cmd/protogen")
	command(t, dir, os.Environ(), protogen, "tap", "install", "--out", filepath.Join(dir, "recordings"), "tapped", "--", cli)

	script, err := fakeapi.ParseScript([]byte(turns))
	if err != nil {
		t.Fatal(err)
	}
	api, err := fakeapi.Start(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Remove()
	env := scratch.Env(api.URL(), map[string]string{"CLAUDE_CODE_ENTRYPOINT": ""})
	sdk, err := install.Node.Installed(t.Context(), "../scoreboard")
	if err != nil {
		t.Fatal(err)
	}
	command(t, sdk, env, "node", "sessions.mjs", "tools", filepath.Join(dir, "tapped", "claude"), scratch.Cwd)

	files, err := filepath.Glob(filepath.Join(dir, "recordings", "*.ndjson"))
	if err != nil || len(files) != 1 {
		t.Fatalf("there are %d recordings, want one: %v", len(files), err)
	}
	recorded, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if end := recorded[bytes.LastIndex(recorded, []byte(`{"dir":"summary"`)):]; !strings.Contains(string(end), `"findings":0}`) ||
		!strings.Contains(string(end), `"code":0`) {
		t.Errorf("the recording ends with\n%s", end)
	}
	page := filepath.Join(dir, "page.html")
	command(t, dir, os.Environ(), protogen, "view", "--out", page, files[0])
	p := open(t, page)
	p.wait(`/ rows(, \d+ folded)?$/.test(document.getElementById("state").textContent)`)
	p.into("/", "search", `"subtype":"can_use_tool"`)
	p.wait(pickedIs + ` === "control_request/can_use_tool"`)
	eval[any](p, `void document.querySelector(".picked").click()`)
	p.wait(`document.getElementById("partner")?.textContent.includes("answered by line")`)
	if got := eval[string](p, `document.getElementById("partner").textContent`); !strings.Contains(got, "control_response/can_use_tool, after ") {
		t.Errorf("the question says %q", got)
	}
	p.shot("live-session")
}

// command runs a program in a folder.
func command(t *testing.T, dir string, env []string, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out[:min(len(out), 4000)])
	}
}
