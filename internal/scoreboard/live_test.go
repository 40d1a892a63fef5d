//go:build live

package scoreboard

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/pack"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/scoreboard/install"
)

var update = flag.Bool("update", false, "write the recordings and the scoreboard")

// driver is a program that plays sessions with an SDK, and one that is told what to play.
type driver struct {
	*install.SDK
	name    string // in the names of recordings
	program []string
	judge   string // the driver of protogen conform sdk
	warm    string // a program that runs it without a start of its own, "" if there is none
}

var drivers = []driver{
	{install.Node, "typescript", []string{"node", "sessions.mjs"}, "driver.mjs", ""},
	{install.Python, "python", []string{"bin/python", "sessions.py"}, "driver.py", "warm.py"},
}

// plays are the sessions: what the model says in them, and the recordings that come of them.
var plays = []struct {
	name  string
	turns string
	files []string // one for each process
	kept  bool     // they have what no scenario shows, and so are in the corpus
}{
	{"tools", `{"turns": [
		{"content": [{"type": "tool_use", "name": "mcp__srv__echo", "input": {"text": "hi"}}]},
		{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
		{"content": [{"type": "tool_use", "name": "Bash", "input": {"command": "python3 -c 1"}}]},
		{"content": [{"type": "tool_use", "name": "Task", "input": {"description": "small job", "prompt": "the small job", "subagent_type": "helper", "run_in_background": false}}]},
		{"text": "Used."},
		{"text": "Again."}
	]}`, []string{"tools"}, true},
	{"interrupt", `{"turns": [
		{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
		{"text": "Back."}
	]}`, []string{"interrupt"}, true},
	{"store", `{"turns": [{"text": "Yes."}, {"match": {"told": "remember this", "text": "what was it"}, "text": "This."}]}`, []string{"store", "resume"}, false},
}

// recordings is the folder of the corpus.
var recordings = filepath.Join("..", "..", "conformance", "recordings")

func TestLiveSDKsDriveTheCLI(t *testing.T) {
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			dir := d.installed(t)
			for _, p := range plays {
				t.Run(p.name, func(t *testing.T) {
					script, err := fakeapi.ParseScript([]byte(p.turns))
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
					log := filepath.Join(t.TempDir(), "log")
					env := scratch.Env(api.URL(), map[string]string{"CLAUDE_CODE_ENTRYPOINT": "", teeCLI: path, teeLog: log})
					run(t, dir, env, append(d.program, p.name, self, scratch.Cwd)...)
					for i, name := range p.files {
						entries := noted(t, fmt.Sprintf("%s.%d", log, i+1))
						name = "sdk-" + d.name + "-" + name
						entries[0].Scenario, entries[0].Version = name, npm.Pinned()
						entries = scrubbed(entries, scratch.Root, p.turns)
						file := filepath.Join(t.TempDir(), name+".ndjson")
						if *update && p.kept {
							file = filepath.Join(recordings, "sessions", npm.Pinned(), name+".ndjson")
							if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
								t.Fatal(err)
							}
						}
						write(t, file, entries)
						check(t, []string{file})
					}
				})
			}
		})
	}
	if *update {
		if _, err := pack.Update(recordings); err != nil {
			t.Error(err)
		}
	}
}

// installed returns a folder with the program and what it needs.
func (d *driver) installed(t *testing.T) string {
	t.Helper()
	dir, err := d.Installed(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a command in dir. A command with a slash is in dir.
func run(t *testing.T, dir string, env []string, command ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	name := command[0]
	if filepath.Base(name) != name {
		name = filepath.Join(dir, name)
	}
	cmd := exec.CommandContext(ctx, name, command[1:]...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, bytes.TrimSpace(out[:min(len(out), 8000)]))
	}
}

var requestID = regexp.MustCompile(`"type": ?"control_request", ?"request_id": ?"([^"]+)"|"request_id": ?"([^"]+)", ?"type": ?"control_request"`)

// scrubbed makes the entries of a session like those of scenarios. The ids of the SDK's requests are
// random, and become numbers.
func scrubbed(entries []recording.Entry, root, mentions string) []recording.Entry {
	var ids []string
	for _, e := range entries {
		if m := requestID.FindStringSubmatch(e.Line); m != nil && e.Dir == recording.ToCLI {
			ids = append(ids, m[1]+m[2])
		}
	}
	for n, id := range ids {
		for i := range entries {
			entries[i].Line = strings.ReplaceAll(entries[i].Line, `"`+id+`"`, fmt.Sprintf(`"sdk-%d"`, n+1))
		}
	}
	scrub := recording.Scrubber{
		Names:    recording.NewNames(npm.Pinned(), root),
		Mentions: func(text string) bool { return strings.Contains(mentions, text) },
	}
	return scrub.Entries(entries)
}

func write(t *testing.T, file string, entries []recording.Entry) {
	t.Helper()
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
