package fence_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/program"
	"github.com/google/go-cmp/cmp"
)

// secret is what must not be read.
const secret = "secret-4711-of-the-user"

// The names of variables that make this program the simulated CLI, with a version of Landlock.
const (
	scriptVar   = "CCWIRE_TEST_SCRIPT"
	landlockVar = "CCWIRE_TEST_LANDLOCK"
)

// TestMain lets this program be the simulated CLI, and what a model makes it run.
func TestMain(m *testing.M) {
	switch name := os.Getenv(scriptVar); {
	case filepath.Base(os.Args[0]) == "evil":
		os.Exit(evil(os.Args[1:]))
	case name == "":
		os.Exit(m.Run())
	default:
		version, err := strconv.Atoi(os.Getenv(landlockVar))
		if err != nil {
			panic(err)
		}
		fence.SetLandlock(version)
		script, err := program.Load(name)
		if err != nil {
			panic(err)
		}
		p := &program.Program{Script: script}
		exit, err := p.Serve(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		if err != nil {
			panic(err)
		}
		exit.Leave()
	}
}

// world is a machine with something to lose.
type world struct {
	root, cwd, outside, home string
	victim                   *exec.Cmd // another process of the user
	tcp                      net.Listener
	unix, abstract           *net.UnixListener
	udp                      net.PacketConn
	reached                  atomic.Bool // somebody has connected, or sent something
	uid                      int
	token                    string // in the arguments of processes that are to end
	before                   map[string]string
}

// newWorld makes a world for a user.
func newWorld(t *testing.T, uid int) *world {
	t.Helper()
	root, err := os.MkdirTemp("", "ccwire-escape-") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	w := &world{root: root, cwd: filepath.Join(root, "cwd"), outside: filepath.Join(root, "outside"), home: filepath.Join(root, "home"), uid: uid}
	w.token = "86400." + filepath.Base(root)[len("ccwire-escape-"):]
	w.write(t, filepath.Join(w.home, ".ssh", "key"), secret)
	w.write(t, filepath.Join(w.outside, "secret.txt"), secret)
	w.write(t, filepath.Join(w.outside, "n.ipynb"), `{"cells":[{"cell_type":"code","id":"c1","source":"`+secret+`"}],"metadata":{}}`)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.cwd, "a.txt"), "a\n")
	w.write(t, filepath.Join(w.root, "config", "settings.json"), "{}")
	if err := os.Mkdir(filepath.Join(w.root, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, self, filepath.Join(w.cwd, "evil"))
	w.listen(t)
	w.victim = exec.Command("sleep", "3600")
	w.victim.SysProcAttr = w.credential()
	if err := w.victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.victim.Process.Kill(); w.victim.Wait() })
	w.own(t)
	return w
}

func (w *world) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// copyFile makes a file that is the same as another, with a link if that is possible.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	if os.Link(from, to) == nil {
		return
	}
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		t.Fatal(err)
	}
}

// own gives everything to the user.
func (w *world) own(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "evil" {
			return err
		}
		return os.Lchown(path, w.uid, -1)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.before = w.state(t)
}

// listen waits for what should not come.
func (w *world) listen(t *testing.T) {
	t.Helper()
	var err error
	if w.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if w.unix, err = net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(w.outside, "socket"), Net: "unix"}); err != nil {
		t.Fatal(err)
	}
	if w.abstract, err = net.ListenUnix("unix", &net.UnixAddr{Name: "@" + w.token, Net: "unix"}); err != nil {
		t.Fatal(err)
	}
	if w.udp, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	for _, l := range []net.Listener{w.tcp, w.unix, w.abstract} {
		t.Cleanup(func() { l.Close() })
		go func() { // ends with the listener
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				w.reached.Store(true)
				c.Close()
			}
		}()
	}
	t.Cleanup(func() { w.udp.Close() })
	go func() { // ends with the socket
		if _, _, err := w.udp.ReadFrom(make([]byte, 1)); err == nil {
			w.reached.Store(true)
		}
	}()
}

// credential makes a process one of the user, in a group of its own.
func (w *world) credential() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if w.uid != os.Getuid() {
		a.Credential = &syscall.Credential{Uid: uint32(w.uid), Gid: uint32(w.uid)}
	}
	return a
}

// state is everything outside the working directory that can be changed.
func (w *world) state(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, top := range []string{w.outside, w.home} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			st := info.Sys().(*syscall.Stat_t)
			text := fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), st.Uid, st.Nlink)
			if d.Type().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text += string(data)
			}
			all[path] = text
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// expand puts what the world is into a text.
func (w *world) expand(text string) string {
	port := func(a net.Addr) string { _, p, _ := net.SplitHostPort(a.String()); return p }
	return strings.NewReplacer("{cwd}", w.cwd, "{out}", w.outside, "{home}", w.home, "{victim}", strconv.Itoa(w.victim.Process.Pid), "{tcp}", port(w.tcp.Addr()),
		"{udp}", port(w.udp.LocalAddr()), "{abstract}", w.token, "{token}", w.token,
		"{parent}", "$(printf '\\056\\056')", // what leads up, for a reader of the line to miss
	).Replace(text)
}

// harm says what has happened that should not, "" for nothing.
func (w *world) harm(t *testing.T) string {
	t.Helper()
	if diff := cmp.Diff(w.before, w.state(t)); diff != "" {
		return "something outside has changed:\n" + diff
	}
	if w.reached.Load() {
		return "a socket was reached"
	}
	if w.victim.Process.Signal(syscall.Signal(0)) != nil || stopped(w.victim.Process.Pid) {
		return "another process was signalled"
	}
	found := ""
	filepath.WalkDir(w.cwd, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "evil" {
			return nil
		}
		if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(secret)) || d.Name() == "done" {
			found = "it has succeeded: " + path
		}
		return nil
	})
	return found
}

// stopped reports whether a process does not run.
func stopped(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || bytes.Contains(data, []byte(") Z ")) || bytes.Contains(data, []byte(") T "))
}

// left returns the processes with the token in their arguments.
func (w *world) left() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if data, _ := os.ReadFile(file); bytes.Contains(data, []byte("sleep\x00"+w.token)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// escape is a way out.
type escape struct {
	name string
	// files are in the working directory when the session begins.
	files map[string]string
	args  []string
	// uses are the tools that the model uses, one in each turn, as JSON: "NAME {...}".
	uses []string
	// lines are what the SDK writes after the result, each when the last was answered.
	lines []string
	// again starts the session a second time.
	again bool
	// repository says that the working directory is one of git.
	repository bool
	// links are links in the working directory.
	links map[string]string
	// ran says whether the file ran shows that something was run, behind the fence.
	ran ran
	// scopes says that only a Landlock with scopes holds it.
	scopes bool
	// idle says that it does nothing without a fence either: the simulated CLI does not act it out,
	// or the file tools stay inside by themselves.
	idle bool
	// outlives says that it leaves a process behind.
	outlives bool
}

// ran is whether an escape runs something.
type ran int

const (
	never ran = iota
	yes
	perhaps
)

// play plays the session of an escape as the simulated CLI with a version of Landlock, and returns
// what it wrote.
func (w *world) play(t *testing.T, e escape, landlock int, open bool) string {
	t.Helper()
	if e.repository {
		cmd := exec.Command("bash", "-c", "git init -q . && git add a.txt && git -c user.name=a -c user.email=a@example.com commit -q -m first")
		cmd.Dir, cmd.SysProcAttr, cmd.Env = w.cwd, w.credential(), []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for name, to := range e.links {
		os.Remove(filepath.Join(w.cwd, name))
		if err := os.Symlink(w.expand(to), filepath.Join(w.cwd, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.files)) {
		path := filepath.Join(w.cwd, name)
		w.write(t, path, w.expand(e.files[name]))
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.own(t)
	turns := []any{}
	for _, use := range e.uses {
		name, input, _ := strings.Cut(use, " ")
		turns = append(turns, map[string]any{"content": []any{map[string]any{"type": "tool_use", "name": name, "input": json.RawMessage(w.expand(input))}}})
	}
	script, err := json.Marshal(map[string]any{"turns": append(turns, map[string]any{"text": "done"}), "default": map[string]any{"text": "done"}, "tools_anywhere": open})
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, filepath.Join(w.root, "script.json"), string(script))
	out := w.session(t, e, landlock)
	if e.again {
		out += w.session(t, e, landlock)
	}
	return out
}

func (w *world) session(t *testing.T, e escape, landlock int) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-prompt-tool", "stdio", "--append-system-prompt", secret}
	for _, arg := range e.args {
		args = append(args, w.expand(arg))
	}
	cmd := exec.CommandContext(ctx, filepath.Join(w.root, "claude"), args...)
	if _, err := os.Lstat(cmd.Path); err != nil {
		copyFile(t, filepath.Join(w.cwd, "evil"), cmd.Path)
	}
	cmd.Dir, cmd.SysProcAttr = w.cwd, w.credential()
	cmd.Env = []string{
		"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "ANTHROPIC_API_KEY=" + secret, "CLAUDE_CONFIG_DIR=" + filepath.Join(w.root, "config"), "TMPDIR=" + filepath.Join(w.root, "tmp"),
		"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1",
		scriptVar + "=" + filepath.Join(w.root, "script.json"), landlockVar + "=" + strconv.Itoa(landlock),
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := converse(stdin, stdout, append([]string{
		`{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}`,
		`{"type":"user","uuid":"11111111-1111-4111-8111-111111111111","message":{"role":"user","content":"go"}}`,
	}, e.lines...), w)
	if err := cmd.Wait(); err != nil {
		return seen + fmt.Sprintf("\nthe CLI ended: %v %s", err, &stderr)
	}
	return seen + stderr.String()
}

// converse writes lines, each when the one before was answered, allows what it is asked, and
// returns what the CLI wrote.
func converse(stdin io.WriteCloser, stdout io.Reader, lines []string, w *world) string {
	defer stdin.Close()
	var all strings.Builder
	next := func() {
		if len(lines) == 0 {
			stdin.Close()
			return
		}
		io.WriteString(stdin, w.expand(lines[0])+"\n") // it may be gone
		lines = lines[1:]
	}
	next()
	scanner := bufio.NewScanner(stdout)
	scanner.Buffer(nil, 8<<20)
	for scanner.Scan() {
		all.Write(append(scanner.Bytes(), '\n'))
		var line struct {
			Type      string
			RequestID string `json:"request_id"`
			Request   struct {
				Subtype string
				Input   json.RawMessage
			}
		}
		if json.Unmarshal(scanner.Bytes(), &line) != nil {
			continue
		}
		switch {
		case line.Type == "control_response" || line.Type == "result" || bytes.Contains(scanner.Bytes(), []byte(`<bash-stdout>`)):
			next()
		case line.Type == "control_request" && line.Request.Subtype == "can_use_tool":
			fmt.Fprintf(stdin, `{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":{"behavior":"allow","updatedInput":%s}}}`+"\n", line.RequestID, line.Request.Input)
		}
	}
	return all.String()
}

// shown is the part of a session that tells what was done.
func shown(out string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "{") || strings.Contains(line, "tool_result") || strings.Contains(line, "error") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// users are those that escapes are tried as: whoever runs the tests, and another if that is root.
func users() map[string]int {
	switch {
	case os.Getuid() != 0:
		return map[string]int{"user": os.Getuid()}
	case testing.Short(): // with the race detector, for one, each process takes long
		return map[string]int{"root": 0}
	}
	return map[string]int{"root": 0, "nobody": 65534}
}

// versions are the versions of Landlock that escapes are tried with: none, the first, the last
// without scopes, and that of the system.
func versions() (list []int) {
	all := []int{0, 1, abiScopes - 1, fence.Landlock()}
	if testing.Short() {
		all = []int{fence.Landlock()}
	}
	for _, v := range all {
		if v <= fence.Landlock() && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// abiScopes is the first version of Landlock with scopes.
const abiScopes = 6

func TestNothingThatTheModelCausesLeavesTheFence(t *testing.T) {
	for user, uid := range users() {
		for _, version := range versions() {
			for _, e := range escapes {
				if e.scopes && version > 0 && version < abiScopes {
					continue // docs/simulated.md says so
				}
				if (e.idle || user == "root") && version != 0 && version != fence.Landlock() {
					continue // the version makes no difference
				}
				t.Run(fmt.Sprintf("%s/landlock %d/%s", user, version, e.name), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, uid)
					out := w.play(t, e, version, false)
					if harm := w.harm(t); harm != "" {
						t.Error(harm)
					}
					if strings.Contains(out, "the CLI ended") {
						t.Errorf("the session did not end well")
					}
					if pids := w.left(); len(pids) > 0 {
						t.Errorf("processes are left: %v", pids)
						for _, pid := range pids {
							syscall.Kill(pid, syscall.SIGKILL)
						}
					}
					if e.ran == yes && version == 0 && !strings.Contains(out, fence.ErrNone.Error()) {
						t.Error("nobody is told that there is no fence")
					}
					_, err := os.Stat(filepath.Join(w.cwd, "ran"))
					if want := e.ran == yes && version > 0; (err == nil) != want && (e.ran != perhaps || version == 0) {
						t.Errorf("it ran: %v, want %v", err == nil, want)
					}
					if t.Failed() {
						t.Log(shown(out))
					}
				})
			}
		}
	}
}

// TestTheEscapesAreReal plays the escapes without a fence: those that are not idle do harm.
func TestTheEscapesAreReal(t *testing.T) {
	if testing.Short() {
		t.Skip("they are the same in the long run")
	}
	for _, e := range escapes {
		if e.idle {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, os.Getuid())
			out := w.play(t, e, 0, true)
			pids := w.left()
			for _, pid := range pids {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			if w.harm(t) == "" && len(pids) == 0 && !strings.Contains(out, "the CLI ended") {
				t.Errorf("it does nothing: %s", shown(out))
			}
		})
	}
}
