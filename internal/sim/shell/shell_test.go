package shell_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/shell"
	"github.com/google/go-cmp/cmp"
)

func TestACommandThatLeavesItsFolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	other := t.TempDir()
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "sub"), 0o700),
		os.Symlink(other, filepath.Join(dir, "out")),
		os.Symlink(filepath.Join(other, "later"), filepath.Join(dir, "dangling")),
		os.Symlink("sub", filepath.Join(dir, "in")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ line, want string }{
		{"echo hi", ""},
		{"echo /etc/passwd", ""},
		{"cat a.txt > sub/b.txt", ""},
		{"cat " + filepath.Join(dir, "a.txt"), ""},
		{"cd sub && cat ../a.txt", ""},
		{"cat in/a.txt", ""},
		{"make 2>/dev/null", ""},
		{"/usr/bin/env true", ""},
		{"cd && ls ~/sub", ""},
		{"curl http://127.0.0.1/x", ""},
		{"sed s/a/b/ a.txt", ""},
		{"cat /etc/passwd", "/etc/passwd"},
		{"cat '/etc/passwd'", "/etc/passwd"},
		{`cat "/etc"/passwd`, "/etc/passwd"},
		{`cat \/etc/passwd`, "/etc/passwd"},
		{"/usr/bin/env cat /etc/passwd", "/etc/passwd"},
		{"echo hi > /tmp/x", "/tmp/x"},
		{"echo hi >> ../x", "../x"},
		{"cat < ../x", "../x"},
		{"cd ..", ".."},
		{"cd sub && cat ../../x", "../../x"},
		{"cd $X && cat ../x", "../x"},
		{"(cd ../..; ls)", "../.."},
		{"echo $(cat /etc/passwd)", "/etc/passwd"},
		{"echo `cat /etc/passwd`", "/etc/passwd"},
		{"X=/etc; cat $X/passwd", "/etc"},
		{"dd if=/etc/passwd", "if=/etc/passwd"},
		{"git -C/etc status", "-C/etc"},
		{"tar --file=../x.tar -c .", "--file=../x.tar"},
		{"for f in /etc/*; do cat $f; done", "/etc/*"},
		{"cat out/x", "out/x"},
		{"echo hi > dangling", "dangling"},
		{"cp -r . ../copy", "../copy"},
		{"ls ~root", "~root"},
		{"/usr/bin/../../etc/x", "/usr/bin/../../etc/x"},
		{"echo 'unclosed", "echo 'unclosed"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			if got := shell.Refuse(tt.line, dir, dir); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// newFence returns a fence around a folder, or an open one.
func newFence(t *testing.T, dir string, open bool) *fence.Fence {
	t.Helper()
	f := fence.New(fence.Options{Dir: dir, Env: os.Environ(), Open: open})
	t.Cleanup(func() { f.Close() })
	return f
}

func TestTheSystemKeepsACommandInItsFence(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	script := "#!/bin/bash\necho in > in.txt\necho out > " + other + "/out.txt\nls " + other + "\necho null > /dev/null && cat /etc/hostname > name.txt\n"
	if err := os.WriteFile(filepath.Join(dir, "a.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c := shell.Command{Line: "./a.sh", Dir: dir, Fence: newFence(t, dir, false)}
	o, err := c.Run(t.Context())
	if errors.Is(err, fence.ErrNone) { // as on a system without Landlock
		if _, err := os.Stat(filepath.Join(dir, "in.txt")); err == nil {
			t.Error("it ran")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(o.Stdout, "Permission denied"); n != 2 {
		t.Errorf("%d of 2 ways out were closed: %s", n, o.Stdout)
	}
	if _, err := os.Stat(filepath.Join(dir, "in.txt")); err != nil {
		t.Error(err)
	}
	if list, _ := os.ReadDir(other); len(list) > 0 {
		t.Errorf("%s was written outside", list[0].Name())
	}
	if err := os.WriteFile(filepath.Join(other, "mine"), nil, 0o600); err != nil {
		t.Errorf("the fence holds this process too: %v", err)
	}
}

func TestACommandEndsAsItSays(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    shell.Command
		want shell.Outcome
	}{
		{"output and code", shell.Command{Line: "echo out; echo err >&2; exit 3"}, shell.Outcome{Stdout: "out\nerr\n", Code: 3, Size: 8}},
		{"streams apart", shell.Command{Line: "echo out; echo err >&2", Separate: true}, shell.Outcome{Stdout: "out\n", Stderr: "err\n", Size: 8}},
		{"its input", shell.Command{Line: "cat", Stdin: []byte("in")}, shell.Outcome{Stdout: "in", Size: 2}},
		{"a limit on output", shell.Command{Line: "printf 123456", Limit: 4}, shell.Outcome{Stdout: "1234", Size: 6}},
		{"a limit on time", shell.Command{Line: "sleep 60 & sleep 60", Timeout: 50 * time.Millisecond}, shell.Outcome{Code: 137, Signalled: true, TimedOut: true}},
		{"a signal", shell.Command{Line: "kill -TERM $$"}, shell.Outcome{Code: 143, Signalled: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.c.Dir = t.TempDir()
			tt.c.Fence = newFence(t, tt.c.Dir, true)
			got, err := tt.c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestACommandEndsBeforeWhatItLeavesBehind(t *testing.T) {
	ended := make(chan func(), 1)
	c := shell.Command{Line: "echo first; sleep 60 & echo last", Dir: t.TempDir(), Fence: newFence(t, t.TempDir(), true), Left: func(end func()) { ended <- end }}
	o, err := c.Run(t.Context())
	if err != nil || o.Stdout != "first\nlast\n" || o.Code != 0 {
		t.Errorf("got %+v, %v", o, err)
	}
	(<-ended)()
}

func TestACommandEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := shell.Command{Line: "sleep 60", Dir: t.TempDir(), Fence: newFence(t, t.TempDir(), true)}
	o, err := c.Run(ctx)
	if err != nil || !o.Interrupted {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestACommandGetsNothingOfTheEnvironment(t *testing.T) {
	t.Setenv("CCWIRE_SECRET", "s")
	c := shell.Command{Line: "echo $CCWIRE_SECRET$HOME", Dir: t.TempDir()}
	c.Fence = newFence(t, c.Dir, true)
	o, err := c.Run(t.Context())
	if err != nil || o.Stdout != c.Dir+"\n" {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestALineIsReadAsBashDoes(t *testing.T) {
	for _, tt := range []struct {
		line string
		want shell.Line
	}{
		{"mkdir new", shell.Line{Parts: []shell.Part{{Text: "mkdir new", Words: []string{"mkdir", "new"}}}}},
		{"echo 'a b' > out.txt", shell.Line{Parts: []shell.Part{{Text: "echo 'a b'", Words: []string{"echo", "a b"}, Files: []shell.Redirection{{Path: "out.txt", Write: true}}}}}},
		{"a && b | c; d", shell.Line{Segments: []shell.Segment{{Text: "a && b", End: 2}, {Text: "c; d", Start: 2, End: 4}}, Parts: []shell.Part{{Text: "a", Words: []string{"a"}}, {Text: "b", Words: []string{"b"}}, {Text: "c", Words: []string{"c"}}, {Text: "d", Words: []string{"d"}}}}},
		{"F=1 a 2>&1", shell.Line{Parts: []shell.Part{{Text: "F=1 a", Words: []string{"a"}, Assigns: []string{"F=1"}}}}},
		{"echo $(x)", shell.Line{Nested: true, Parts: []shell.Part{{Text: "echo $(x)", Words: []string{"echo", "$"}}}}},
		{"for i in 1; do echo $i; done", shell.Line{Variable: true, Expands: true, Parts: []shell.Part{{Text: "echo $i", Words: []string{"echo", "$"}}}}},
		{"if a; then b; else c; fi", shell.Line{Parts: []shell.Part{{Text: "a", Words: []string{"a"}}, {Text: "b", Words: []string{"b"}}, {Text: "c", Words: []string{"c"}}}}},
		{`a "$HOME/x" $HOME`, shell.Line{Expands: true, Parts: []shell.Part{{Text: `a "$HOME/x" $HOME`, Words: []string{"a", "~/x", "~"}}}}},
		{"echo $((1+2))", shell.Line{Parts: []shell.Part{{Text: "echo $((1+2))", Words: []string{"echo", "$"}}}}},
		{"echo $((x+2))", shell.Line{Variable: true, Expands: true, Parts: []shell.Part{{Text: "echo $((x+2))", Words: []string{"echo", "$"}}}}},
		{`a "b $(c)"`, shell.Line{Parts: []shell.Part{{Text: "c", Words: []string{"c"}}, {Text: `a "b $(c)"`, Words: []string{"a", "b $"}, Inner: 1}}}},
		{"export A=1; b $A", shell.Line{Exports: true, Expands: true, Parts: []shell.Part{{Text: "export A=1", Words: []string{"export", "A"}}, {Text: "b 1", Words: []string{"b", "$"}}}}},
		{"a {b,c}", shell.Line{Braces: true, Parts: []shell.Part{{Text: "a {b,c}", Words: []string{"a", "{b,c}"}}}}},
		{`a \{b,c}`, shell.Line{Parts: []shell.Part{{Text: `a \{b,c}`, Words: []string{"a", "{b,c}"}}}}},
		{"time a | b", shell.Line{Segments: []shell.Segment{{Text: "time a", End: 1}, {Text: "b", Start: 1, End: 2}},
			Parts: []shell.Part{{Text: "time a", Words: []string{"time", "a"}}, {Text: "b", Words: []string{"b"}}}}},
		{"(a)", shell.Line{Compound: true, Subshell: true}},
		{"a &", shell.Line{Compound: true, Background: true, Parts: []shell.Part{{Text: "a", Words: []string{"a"}}}}},
		{"case a in a) b;; esac", shell.Line{Compound: true, Construct: "A case statement"}},
	} {
		t.Run(tt.line, func(t *testing.T) {
			got, err := shell.Parse(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
