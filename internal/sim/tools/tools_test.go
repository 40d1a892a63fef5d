package tools_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"golang.org/x/tools/txtar"
)

func newSet(t *testing.T, o tools.Options) *tools.Set {
	t.Helper()
	if o.Fence == nil {
		o.Fence = fence.New(fence.Options{Dir: o.Dir, Env: os.Environ(), Open: o.Outside})
	}
	t.Cleanup(func() { o.Fence.Close() })
	s, err := tools.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// acting returns the fence of a folder, open if the system has none: for tests of what commands do,
// not of where they are held.
func acting(t *testing.T, dir string) *fence.Fence {
	t.Helper()
	f := fence.New(fence.Options{Dir: dir, Env: os.Environ()})
	if _, _, err := f.Output(t.Context(), fence.Command{Name: "true", Dir: dir}); errors.Is(err, fence.ErrNone) {
		f.Close()
		f = fence.New(fence.Options{Dir: dir, Env: os.Environ(), Open: true})
	}
	return f
}

// workDir returns a working directory whose path has no links in it.
func workDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func parse(t *testing.T, text string) any {
	t.Helper()
	v, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

var durations = regexp.MustCompile(`"durationMs":\d+`)

func TestToolsActAsThoseOfTheCLI(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := workDir(t)
			set := newSet(t, tools.Options{Dir: dir, Fence: acting(t, dir)})
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, "files/"); ok {
					write(t, filepath.Join(dir, name), string(f.Data))
					continue
				}
				play(t, set, dir, string(f.Data))
			}
		})
	}
}

// play plays the calls of an archive, each with the lines that say how it ends.
func play(t *testing.T, set *tools.Set, dir, calls string) {
	var result tools.Result
	var last string
	for line := range strings.Lines(calls) {
		line = strings.TrimSuffix(strings.ReplaceAll(line, "CWD", dir), "\n")
		word, rest, _ := strings.Cut(line, " ")
		want := object.Text(parse(t, rest))
		var got string
		switch word {
		case "=", "!":
			if result.Failed != (word == "!") {
				t.Errorf("%s: failed is %v", last, result.Failed)
			}
			got = object.Text(result.Content)
		case "refused":
			want = object.Text("<tool_use_error>" + parse(t, rest).(string) + "</tool_use_error>")
			got = object.Text(result.Content)
		case ":":
			got = durations.ReplaceAllString(object.Text(result.Use), `"durationMs":0`)
		default:
			last = line
			in := parse(t, rest).(object.Object)
			if r := set.Check(word, in); r != nil {
				result = r.Result()
			} else {
				result = set.Run(t.Context(), word, in)
			}
			continue
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", last, got, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAFileThatMustBeAskedForIsReadBeforeItIsEdited(t *testing.T) {
	dir := workDir(t)
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	set := newSet(t, tools.Options{Dir: dir, Readable: func(string) bool { return false }})
	edit := object.Of("file_path", "a.txt", "old_string", "one", "new_string", "1")
	if r := set.Check("Edit", edit); r == nil || r.Text != "File has not been read yet. Read it first before writing to it." {
		t.Errorf("got %+v", r)
	}
	set.Run(t.Context(), "Read", object.Of("file_path", "a.txt"))
	if r := set.Check("Edit", edit); r != nil {
		t.Errorf("got %+v", r)
	}
}

func TestInputsAreShownAndObservedAsTheCLIDoes(t *testing.T) {
	for _, tt := range []struct{ name, in, shown, observed string }{
		{"Write", `{"content":"hi","file_path":"a.txt"}`, `{"content":"hi","file_path":"a.txt"}`, `{"file_path":"/w/a.txt","content":"hi"}`},
		{"Read", `{"file_path":"../x"}`, `{"file_path":"../x"}`, `{"file_path":"/x"}`},
		{"Edit", `{"file_path":"a","old_string":"o","new_string":"n"}`, `{"replace_all":false,"file_path":"a","old_string":"o","new_string":"n"}`,
			`{"file_path":"/w/a","old_string":"o","new_string":"n","replace_all":false}`},
		{"ExitPlanMode", `{"plan":"x"}`, `{"plan":"x"}`, `{}`},
		{"ToolSearch", `{"query":"x"}`, `{"query":"x"}`, `{"query":"x","max_results":5}`},
		{"AskUserQuestion", `{"questions":[{"question":"q","multiSelect":true,"options":[]}]}`, `{"questions":[{"question":"q","multiSelect":true,"options":[]}]}`,
			`{"questions":[{"question":"q","options":[],"multiSelect":true}]}`},
	} {
		in := parse(t, tt.in).(object.Object)
		if got := object.Text(tools.Shown(tt.name, in)); got != tt.shown {
			t.Errorf("%s is shown as %s", tt.name, got)
		}
		if got := object.Text(tools.Observed(tt.name, in, "/w")); got != tt.observed {
			t.Errorf("%s is observed as %s", tt.name, got)
		}
	}
}

func TestRelativePathsBeginWhereTheLastCommandHasMovedTo(t *testing.T) {
	dir := workDir(t)
	s := newSet(t, tools.Options{Dir: dir, Fence: acting(t, dir)})
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.Run(t.Context(), "Bash", object.Of("command", "cd sub"))
	s.Run(t.Context(), "Write", object.Of("file_path", "a.txt", "content", "hi"))
	if _, err := os.Stat(filepath.Join(dir, "sub", "a.txt")); err != nil {
		t.Error(err)
	}
	if s.Move(filepath.Dir(dir)) {
		t.Error("the tools were moved out of the working directory")
	}
	if !s.Move(dir) || s.Now() != dir {
		t.Errorf("the tools were not moved back: they are in %s", s.Now())
	}
}
