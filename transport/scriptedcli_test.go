package transport

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// The scripted CLI is a process that speaks the protocol and does what the prompts say.
const (
	cliVersionEnv = "CCWIRE_TEST_CLI_VERSION" // what --version prints, or hang; default 2.1.325
	cliInitEnv    = "CCWIRE_TEST_CLI_INIT"    // how initialize is answered: "", silent, refuse, exit, flag
)

func init() { childScripts["cli"] = scriptedCLI }

func scriptedCLI(args []string) {
	if args[0] == "--version" {
		version, ok := os.LookupEnv(cliVersionEnv)
		if !ok {
			version = "2.1.325 (Claude Code)"
		}
		if version == "hang" {
			hang()
		}
		fmt.Println(version)
		return
	}
	if args[0] == "--print" { // the one-way mode: say the arguments and end
		say(keepAliveLine)
		say("noise")
		say(markLine(strings.Join(args, " ")))
		rest, _ := io.ReadAll(os.Stdin)
		say(resultLine(fmt.Sprintf("%d bytes of input", len(rest))))
		if os.Getenv(cliInitEnv) == "exit" {
			fmt.Fprintln(os.Stderr, "no key")
			os.Exit(3)
		}
		return
	}
	c := &scripted{in: bufio.NewReaderSize(os.Stdin, 1<<20)}
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return
		}
		f, err := wire.Decode([]byte(strings.TrimSpace(line)))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(98)
		}
		switch f := f.(type) {
		case *wire.ControlRequest:
			c.request(f)
		case *wire.ControlResponse:
			say(markLine(strings.TrimSpace(line))) // the test sees what was answered
		case *wire.User:
			words := strings.SplitN(*f.Message.Content.Text, " ", 2)
			command, ok := cliCommands[words[0]]
			if !ok {
				fmt.Fprintf(os.Stderr, "no command %q\n", words[0])
				os.Exit(99)
			}
			command(c, strings.Join(words[1:], ""))
		}
	}
}

type scripted struct {
	in   *bufio.Reader
	mute bool     // requests are kept, not answered
	kept []string // their ids
}

func (c *scripted) request(f *wire.ControlRequest) {
	if _, ok := f.Request.(*wire.InitializeRequest); ok {
		switch os.Getenv(cliInitEnv) {
		case "silent":
			fmt.Fprintln(os.Stderr, "still here")
			return
		case "refuse":
			say(errorLine(f.RequestID, "bad hooks"))
			return
		case "exit":
			fmt.Fprintln(os.Stderr, "no key")
			os.Exit(3)
		case "flag":
			fmt.Fprintln(os.Stderr, "error: unknown option '--input-format'")
			os.Exit(1)
		case "user-flag":
			fmt.Fprintln(os.Stderr, "error: unknown option '--mine'")
			os.Exit(1)
		}
		say(successLine(f.RequestID, fmt.Sprintf(`{"pid":%d}`, os.Getpid())))
		return
	}
	if c.mute {
		c.kept = append(c.kept, f.RequestID)
		say(markLine("kept"))
		return
	}
	say(successLine(f.RequestID, `{"mcpServers":[]}`))
}

// say writes a line in one write.
func say(line string) { os.Stdout.WriteString(line + "\n") }

// markLine is a message that carries a text.
func markLine(text string) string { return `{"type":"keep_alive","startup_mark":` + quote(text) + `}` }

func resultLine(text string) string {
	return `{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"result":` + quote(text) +
		`,"session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},"modelUsage":{},"permission_denials":[],"uuid":"u"}`
}

// cliCommands is what a prompt can tell the scripted CLI to do.
var cliCommands = map[string]func(c *scripted, arg string){
	"echo":   func(_ *scripted, arg string) { say(resultLine(arg)) },
	"mute":   func(c *scripted, _ string) { c.mute = true },
	"raw":    func(_ *scripted, arg string) { os.Stdout.WriteString(arg) },
	"stderr": func(_ *scripted, arg string) { os.Stderr.WriteString(arg) },
	"exit": func(_ *scripted, arg string) { // the time is the last message
		fmt.Fprintln(os.Stderr, "last words")
		say(markLine(fmt.Sprint(time.Now().UnixNano())))
		os.Exit(atoi(arg))
	},
	"die": func(*scripted, string) {
		say(markLine(fmt.Sprint(time.Now().UnixNano())))
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		hang()
	},
	"many": func(_ *scripted, arg string) { // messages, a result, and the end
		w := bufio.NewWriter(os.Stdout)
		for i := range atoi(arg) {
			w.WriteString(markLine(fmt.Sprint(i)) + "\n")
		}
		w.WriteString(resultLine("many") + "\n")
		w.Flush()
		os.Exit(0)
	},
	"close-stdout": func(*scripted, string) { os.Stdout.Close() },
	"close-stdin": func(*scripted, string) {
		os.Stdin.Close()
		say(markLine("closed"))
		time.Sleep(500 * time.Millisecond)
		say(resultLine("after"))
		hang()
	},
	"flood": func(_ *scripted, arg string) { // stderr
		line := strings.Repeat("x", 1023) + "\n"
		for range atoi(arg) {
			os.Stderr.WriteString(line)
		}
		say(resultLine("flooded"))
	},
	"deaf": func(*scripted, string) { // asks, and reads nothing until the test has read the message
		say(requestLine("ask", permissionBody))
		say(markLine("deaf"))
		time.Sleep(300 * time.Millisecond)
	},
	"long": func(_ *scripted, arg string) { // a line of that many bytes
		const around = len(`{"type":"keep_alive","startup_mark":""}`)
		say(`{"type":"keep_alive","startup_mark":"` + strings.Repeat("x", atoi(arg)-around) + `"}`)
		say(resultLine("long"))
	},
	"answer": func(c *scripted, _ string) { // what was kept, the last first, each twice
		for i := len(c.kept) - 1; i >= 0; i-- {
			for range 2 {
				say(successLine(c.kept[i], fmt.Sprintf(`{"mcpServers":[],"n":%d}`, i)))
			}
		}
		say(resultLine("answered"))
	},
	"split": func(_ *scripted, arg string) { // a line in pieces, in the middle of a character
		line := resultLine(arg) + "\n"
		at := strings.Index(line, "€") + 1
		os.Stdout.WriteString(line[:at])
		time.Sleep(20 * time.Millisecond)
		os.Stdout.WriteString(line[at:])
	},
	"ask": func(_ *scripted, body string) { say(requestLine("ask", body)) },
}

// scriptedOptions returns options that run the scripted CLI.
func scriptedOptions(t testing.TB, env ...string) *Options {
	o := childOptions(t, "cli")
	return &Options{CLI: o.Path, Env: append(o.Env, env...), Logger: quiet}
}

// openScripted opens a session with the scripted CLI and checks that nothing is left of it.
func openScripted(t testing.TB, opts *Options) *Session {
	t.Helper()
	checkLeaks(t)
	s, err := Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killed, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.Shutdown(killed)
	})
	return s
}

// prompt sends a command to the scripted CLI.
func prompt(t testing.TB, s *Session, format string, args ...any) {
	t.Helper()
	if err := s.Prompt(t.Context(), fmt.Sprintf(format, args...)); err != nil {
		t.Fatal(err)
	}
}

// nextMark reads the next message, which must carry a text.
func nextMark(t testing.TB, s *Session) string {
	t.Helper()
	f, err := s.Receive(patient(t))
	if err != nil {
		t.Fatal(err)
	}
	m, ok := f.(*wire.KeepAlive)
	if !ok || m.StartupMark == nil {
		t.Fatalf("message is a %T", f)
	}
	return *m.StartupMark
}

// nextResult reads up to the next result.
func nextResult(t testing.TB, s *Session) string {
	t.Helper()
	for {
		f, err := s.Receive(patient(t))
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := f.(*wire.ResultSuccess); ok {
			return r.Result
		}
	}
}

// patient returns a context for what must happen soon.
func patient(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), testPatience)
	t.Cleanup(cancel)
	return ctx
}

var killedSignal = syscall.SIGKILL.String()
