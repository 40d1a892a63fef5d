package tools_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/google/go-cmp/cmp"
)

const secret = "marker-4711"

// place is a working directory with ways out of it, and what is outside.
type place struct{ dir, outside string }

func newPlace(t *testing.T) place {
	t.Helper()
	root := workDir(t)
	p := place{filepath.Join(root, "cwd"), filepath.Join(root, "outside")}
	write(t, filepath.Join(p.dir, "sub", "in.txt"), "in\n")
	write(t, filepath.Join(p.outside, "secret.txt"), secret+"\n")
	write(t, filepath.Join(p.outside, "n.ipynb"), `{"cells":[{"cell_type":"code","id":"c1","source":"`+secret+`"}],"metadata":{}}`)
	for name, target := range map[string]string{
		"file": filepath.Join(p.outside, "secret.txt"), "folder": p.outside, "relative": "../outside", "dangling": filepath.Join(p.outside, "new.txt"),
		"chain": "folder", "sub/up": "../../outside", "n.ipynb": filepath.Join(p.outside, "n.ipynb"), "inside": "sub",
	} {
		if err := os.Symlink(target, filepath.Join(p.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// files returns what is outside.
func (p place) files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.outside, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// try uses a tool as the CLI does.
func try(t *testing.T, set *tools.Set, name string, in object.Object) tools.Result {
	t.Helper()
	if r := set.Check(name, in); r != nil {
		return r.Result()
	}
	return set.Run(t.Context(), name, in)
}

func TestFileToolsStayInTheWorkingDirectory(t *testing.T) {
	p := newPlace(t)
	before := p.files(t)
	set := newSet(t, tools.Options{Dir: p.dir})
	var uses []object.Object
	for _, path := range []string{
		filepath.Join(p.outside, "secret.txt"), "../outside/secret.txt", "sub/../../outside/secret.txt", "file", "folder/secret.txt", "relative/secret.txt",
		"chain/secret.txt", "sub/up/secret.txt", "inside/up/secret.txt", p.dir + "/../outside/secret.txt", "/etc/passwd", "dangling", "folder/new.txt", "folder/deep/new.txt",
	} {
		uses = append(uses,
			object.Of("tool", "Read", "file_path", path),
			object.Of("tool", "Write", "file_path", path, "content", "x"),
			object.Of("tool", "Edit", "file_path", path, "old_string", secret, "new_string", "x"),
			object.Of("tool", "Edit", "file_path", path, "old_string", "", "new_string", "x"),
			object.Of("tool", "Grep", "pattern", "marker", "path", path, "output_mode", "content"),
			object.Of("tool", "Glob", "pattern", "*", "path", filepath.Dir(path)))
	}
	for _, path := range []string{filepath.Join(p.outside, "n.ipynb"), "../outside/n.ipynb", "n.ipynb", "folder/n.ipynb"} {
		uses = append(uses,
			object.Of("tool", "Read", "file_path", path),
			object.Of("tool", "NotebookEdit", "notebook_path", path, "cell_id", "c1", "new_source", "x"))
	}
	uses = append(uses,
		object.Of("tool", "Grep", "pattern", "marker", "output_mode", "content"),
		object.Of("tool", "Grep", "pattern", "marker", "path", "folder"),
		object.Of("tool", "Glob", "pattern", "**/secret*"),
		object.Of("tool", "Glob", "pattern", "../outside/*"))
	for _, u := range uses {
		in := u.Without("tool")
		r := try(t, set, u.Text("tool"), in)
		if text := object.Text(r.Content) + object.Text(r.Use); strings.Contains(text, secret) && !strings.Contains(object.Text(in), secret) {
			t.Errorf("%s has read it: %s", object.Text(u), text)
		}
		if name := u.Text("tool"); !r.Failed && name != "Grep" && name != "Glob" {
			t.Errorf("%s does not fail: %s", object.Text(u), object.Text(r.Content))
		}
	}
	if diff := cmp.Diff(before, p.files(t)); diff != "" {
		t.Errorf("something outside has changed:\n%s", diff)
	}
}

func TestFileToolsFollowLinksThatStayInside(t *testing.T) {
	p := newPlace(t)
	set := newSet(t, tools.Options{Dir: p.dir})
	if r := try(t, set, "Read", object.Of("file_path", "inside/in.txt")); r.Failed {
		t.Error(r.Content)
	}
	if r := try(t, set, "Write", object.Of("file_path", "inside/new.txt", "content", "x")); r.Failed {
		t.Error(r.Content)
	}
}

func TestCommandsStayInTheWorkingDirectory(t *testing.T) {
	p := newPlace(t)
	before := p.files(t)
	// What a program does that the command starts is known only to the system.
	write(t, filepath.Join(p.dir, "leave.sh"), "cat "+p.outside+"/secret.txt; echo x > "+p.outside+"/by-script.txt; rm -f "+p.outside+"/secret.txt\n")
	lines := []string{
		"cat " + p.outside + "/secret.txt", "cat ../outside/secret.txt", "cat '../outside/secret.txt'", `cat "$PWD/../outside/secret.txt"`, "cat file", "cat folder/secret.txt",
		"cat < ../outside/secret.txt", "echo x > ../outside/new.txt", "echo x >> folder/secret.txt", "echo x > dangling", "tee ../outside/t.txt <<< x",
		"cd ../outside && cat secret.txt", "cd ..; cat outside/secret.txt", "cd folder && echo x > new.txt", "cd sub && cd ../.. && ls outside", "(cd ../outside; rm secret.txt)",
		"cp ../outside/secret.txt .", "mv sub ../outside/", "rm -rf ../outside", "ln -s ../outside/secret.txt l", "X=../outside; cat $X/secret.txt",
		"echo $(cat ../outside/secret.txt)", "bash -c 'cat ../outside/secret.txt'", "find .. -name 'secret*'", "pushd ../outside", "tar cf ../outside/t.tar sub",
		"git -C ../outside init", "dd if=../outside/secret.txt", "touch /tmp/ccwire-sim-left", "cat ~root/.profile",
	}
	const up = `U=$(printf '\056\056'); `
	lines = append(lines, "bash leave.sh", up+"cat $U/outside/secret.txt", up+"echo x > $U/outside/new.txt", up+"cd $U/outside; cat secret.txt; rm secret.txt",
		up+"ln -s $U/outside/secret.txt link; cat link", up+"mv $U/outside/secret.txt .", up+"ln $U/outside/secret.txt hard; cat hard")
	for _, line := range lines {
		set := newSet(t, tools.Options{Dir: p.dir})
		r := try(t, set, "Bash", object.Of("command", line))
		if strings.Contains(object.Text(r.Content), secret) {
			t.Errorf("%s has read it: %s", line, object.Text(r.Content))
		}
		if diff := cmp.Diff(before, p.files(t)); diff != "" {
			t.Fatalf("%s has changed something outside:\n%s", line, diff)
		}
		if now := set.Now(); now != p.dir && !strings.HasPrefix(now, p.dir+string(filepath.Separator)) {
			t.Errorf("after %s commands run in %s", line, now)
		}
	}
}

func TestACommandCannotMakeAWayOutForFileTools(t *testing.T) {
	p := newPlace(t)
	before := p.files(t)
	set := newSet(t, tools.Options{Dir: p.dir})
	for _, line := range []string{`U=$(printf '\056\056'); ln -s $U/outside made`, `U=$(printf '\056\056'); rm -r sub; ln -s $U/outside sub`} {
		try(t, set, "Bash", object.Of("command", line))
	}
	for _, path := range []string{"made/secret.txt", "sub/secret.txt"} {
		if r := try(t, set, "Read", object.Of("file_path", path)); strings.Contains(object.Text(r.Content), secret) {
			t.Errorf("%s was read", path)
		}
		try(t, set, "Write", object.Of("file_path", path, "content", "x"))
	}
	if diff := cmp.Diff(before, p.files(t)); diff != "" {
		t.Error(diff)
	}
}

func TestToolsLeaveTheWorkingDirectoryWhenTheyMay(t *testing.T) {
	p := newPlace(t)
	set := newSet(t, tools.Options{Dir: p.dir, Outside: true})
	if r := try(t, set, "Read", object.Of("file_path", "../outside/secret.txt")); r.Failed {
		t.Error(r.Content)
	}
	if r := try(t, set, "Write", object.Of("file_path", p.outside+"/new/x.txt", "content", "x")); r.Failed {
		t.Error(r.Content)
	}
	r := try(t, set, "Bash", object.Of("command", "cd ../outside && cat secret.txt"))
	if use, _ := r.Use.(object.Object); r.Failed || use.Text("stdout") != secret || use.Text("stderr") != "\nShell cwd was reset to "+p.dir {
		t.Errorf("got %s", object.Text(r.Use))
	}
}
