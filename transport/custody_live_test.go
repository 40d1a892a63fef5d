//go:build live && linux

package transport_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/transport"
)

// custodyTime is how long after the end of a session something of its CLI may still be there.
const custodyTime = 5 * time.Second

// Ways in which a session ends.
const (
	byClose          = "Close"
	byQueryContext   = "context of Query"
	byOpenContext    = "context of Open"
	byInterruptClose = "Interrupt then Close"
	byInterrupt      = "SIGINT"
	byTerminate      = "SIGTERM"
	byKill           = "SIGKILL"
	byPanic          = "panic"
)

// A custodyTask is what the CLI does when its session ends.
type custodyTask struct {
	name   string
	script func(dir string) []fakeapi.Turn
	begun  func(requests []fakeapi.Request, dir string) bool
}

// begunFile is made by what the CLI runs.
const begunFile = "begun"

func hasBegun(_ []fakeapi.Request, dir string) bool {
	_, err := os.Stat(filepath.Join(dir, begunFile))
	return err == nil
}

func bash(command string, background bool) func(string) []fakeapi.Turn {
	return func(dir string) []fakeapi.Turn {
		command := "touch " + filepath.Join(dir, begunFile) + "; " + command
		input := fmt.Sprintf(`{"command":%s,"description":"wait","run_in_background":%v}`, quoteJSON(command), background)
		stalls := fakeapi.Turn{Text: "It runs and I talk on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}
		return []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("Bash", input)}}, stalls}
	}
}

var custodyTasks = []custodyTask{
	{
		"text",
		func(string) []fakeapi.Turn {
			return []fakeapi.Turn{{Text: "It goes on and on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}}
		},
		func(requests []fakeapi.Request, _ string) bool {
			return slices.ContainsFunc(requests, func(r fakeapi.Request) bool { return r.Outcome == fakeapi.Stalled })
		},
	},
	{"foreground Bash", bash("sleep 1000", false), hasBegun},
	{"background Bash", bash("sleep 1000", true), hasBegun},
	{"stubborn Bash", bash("trap '' INT TERM HUP; sleep 1000 & while true; do sleep 1; done", false), hasBegun},
	{
		"MCP tool",
		func(string) []fakeapi.Turn {
			return []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("mcp__slow__wait", `{}`)}}, {Text: "Done."}}
		},
		hasBegun,
	},
	{
		"hook that hangs",
		func(dir string) []fakeapi.Turn {
			return []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("Read", `{"file_path":`+quoteJSON(filepath.Join(dir, "none"))+`}`)}}, {Text: "Done."}}
		},
		hasBegun,
	},
}

// programOptions are what the program of the test is told.
type programOptions struct {
	CLI, Dir string
	Env      []string
	Task     string
	End      string
}

func init() { peertest.AddScript("custody", runProgram) }

// runProgram is a program with a session whose turn never ends. It ends the session in its way when
// it reads a line.
func runProgram(args []string) {
	var o programOptions
	if err := json.Unmarshal([]byte(args[0]), &o); err != nil {
		panic(err)
	}
	options := o.options()
	told := make(chan struct{})
	go func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		close(told)
	}()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if o.End == byQueryContext {
		go func() {
			<-told
			cancel()
		}()
		transport.Query(ctx, "begin", options).Result()
		o.over()
	}
	s, err := transport.Open(ctx, options)
	if err != nil {
		panic(err)
	}
	if err := s.Prompt(context.Background(), "begin"); err != nil {
		panic(err)
	}
	<-told
	switch o.End {
	case byPanic:
		panic("as the test wants")
	case byOpenContext:
		cancel()
	case byInterruptClose:
		if _, err := s.Client.Interrupt(context.Background(), &wire.InterruptRequest{}); err != nil {
			panic(err)
		}
	}
	if err := s.Close(); err != nil {
		panic(err)
	}
	if exit := s.Exit(); exit != nil {
		fmt.Println(exit.Stop)
	}
	o.over()
}

// over tells the test that the session has ended, and lives on.
func (o *programOptions) over() {
	fmt.Println("over")
	io.Copy(io.Discard, os.Stdin)
	time.Sleep(time.Minute)
}

func (o *programOptions) options() *transport.Options {
	begin := func() {
		if err := os.WriteFile(filepath.Join(o.Dir, begunFile), nil, 0o600); err != nil {
			panic(err)
		}
	}
	options := &transport.Options{CLI: o.CLI, Dir: o.Dir, Env: o.Env, CleanEnv: true, Logger: slog.New(slog.DiscardHandler)}
	options.Flags.PermissionMode = string(wire.PermissionModeBypassPermissions)
	switch o.Task {
	case "MCP tool":
		options.MCPServers = map[string]transport.MCPServer{"slow": transport.MCPHandlerFunc(
			func(ctx context.Context, message codec.Raw) (codec.Raw, error) {
				method, _ := message.Find("/method").Text()
				var result string
				switch method {
				case "initialize":
					result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"slow","version":"1"}}`
				case "tools/list":
					result = `{"tools":[{"name":"wait","description":"waits","inputSchema":{"type":"object"}}]}`
				case "tools/call":
					begin()
					select {}
				default:
					return nil, nil
				}
				return codec.Raw(`{"jsonrpc":"2.0","id":` + message.Find("/id").String() + `,"result":` + result + `}`), nil
			})}
	case "hook that hangs":
		options.Hooks = map[string][]transport.Hook{"PreToolUse": {{Callbacks: []transport.HookFunc{
			func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				begin()
				select {}
			},
		}}}}
	}
	return options
}

var busy = flag.Bool("busy", false, "keep all cores busy during TestLiveNothingOutlivesASession")

// Nothing that the CLI has started is there soon after the end of its session, in whatever way the
// session or the program ended.
func TestLiveNothingOutlivesASession(t *testing.T) {
	if *busy {
		keepBusy(t)
	}
	ends := []string{byClose, byQueryContext, byOpenContext, byInterruptClose, byInterrupt, byTerminate, byKill, byPanic}
	for _, end := range ends {
		for _, task := range custodyTasks {
			t.Run(end+"/"+task.name, func(t *testing.T) {
				t.Parallel()
				playCustody(t, end, task)
			})
		}
	}
}

func playCustody(t *testing.T, end string, task custodyTask) {
	o, api := liveOptions(t, task.script)
	mark := fmt.Sprintf("CUSTODY_MARK=%s-%d", filepath.Base(filepath.Dir(o.Dir)), time.Now().UnixNano())
	told, err := json.Marshal(programOptions{CLI: o.CLI, Dir: o.Dir, Env: append(o.Env, mark, "IS_SANDBOX=1"), Task: task.name, End: end})
	if err != nil {
		t.Fatal(err)
	}
	child := peertest.NewChild(t, "custody", string(told))
	program := exec.Command(child.Path, child.Args...)
	program.Env = child.Env
	stdin, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	program.Stderr = &stderr
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		program.Process.Kill()
		program.Wait()
		for _, p := range marked(mark) {
			p.kill()
		}
		if t.Failed() {
			t.Logf("the program wrote: %s", stderr.String())
		}
	})
	for deadline := time.Now().Add(livePatience); !task.begun(api.Requests(), o.Dir); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the CLI did not begin")
		}
	}
	if len(marked(mark)) == 0 {
		t.Fatal("no process of the CLI is there to begin with")
	}
	began := time.Now()
	switch end {
	case byInterrupt:
		program.Process.Signal(syscall.SIGINT)
	case byTerminate:
		program.Process.Signal(syscall.SIGTERM)
	case byKill:
		program.Process.Kill()
	default:
		io.WriteString(stdin, "\n")
	}
	said := bufio.NewScanner(stdout)
	var words []string
	for said.Scan() && said.Text() != "over" { // up to the end of the program, or of the session
		words = append(words, said.Text())
	}
	ended := time.Now()
	left := marked(mark)
	for len(left) > 0 && time.Since(ended) < custodyTime {
		time.Sleep(10 * time.Millisecond)
		left = marked(mark)
	}
	t.Logf("the session ended after %v, its processes %v later; %q", ended.Sub(began).Round(time.Millisecond), time.Since(ended).Round(time.Millisecond), words)
	for _, p := range left {
		t.Errorf("process %d is left: %s", p.pid, p.command)
	}
}

// markedProcess is a process that has a mark in its environment.
type markedProcess struct {
	pid     int
	command string
}

func (p markedProcess) kill() { syscall.Kill(p.pid, syscall.SIGKILL) }

// marked returns the processes whose environment has an entry. One that has ended has none.
func marked(entry string) (found []markedProcess) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		environ, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil || !slices.Contains(strings.Split(string(environ), "\x00"), entry) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		p := markedProcess{command: strings.ReplaceAll(string(command), "\x00", " ")}
		fmt.Sscan(filepath.Base(folder), &p.pid)
		found = append(found, p)
	}
	return found
}
