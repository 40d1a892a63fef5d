package peertest

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// The script cli is a process that speaks the protocol and does what the prompts say.
const (
	// VersionEnv is what --version prints, or hang. Default: 2.1.325.
	VersionEnv = "CCWIRE_TEST_CLI_VERSION"
	// InitEnv is how initialize is answered: with success if it is empty, else silent, refuse,
	// exit, flag, user-flag, exit-unread (at once), or mcp: success after an MCP handshake.
	InitEnv = "CCWIRE_TEST_CLI_INIT"
)

func init() { scripts["cli"] = runCLI }

func runCLI(args []string) {
	if args[0] == "--version" {
		version, ok := os.LookupEnv(VersionEnv)
		if !ok {
			version = "2.1.325 (Claude Code)"
		}
		if version == "hang" {
			hang()
		}
		fmt.Println(version)
		return
	}
	if args[0] == "--print" { // the one-way mode: say the arguments first
		say(KeepAliveLine)
		say("noise")
		say(MarkLine(strings.Join(args, " ")))
	}
	if os.Getenv(InitEnv) == "exit-unread" {
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(3)
	}
	c := &scripted{in: bufio.NewReaderSize(os.Stdin, 1<<20)}
	for {
		line := c.next()
		switch f := decodeInput(line).(type) {
		case *wire.ControlRequest:
			c.request(f)
		case *wire.ControlResponse:
			say(MarkLine(line)) // the test sees what was answered
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

// scripted is the state of the script cli.
type scripted struct {
	in    *bufio.Reader
	later []string // lines that were read and not looked at
	mute  bool     // requests are kept, not answered
	kept  []string // their ids
}

// next returns the next line. It exits at the end of the input.
func (c *scripted) next() string {
	if len(c.later) > 0 {
		line := c.later[0]
		c.later = c.later[1:]
		return line
	}
	line, err := c.in.ReadString('\n')
	if err != nil {
		os.Exit(0)
	}
	return strings.TrimSpace(line)
}

func decodeInput(line string) wire.Frame {
	f, err := wire.Decode([]byte(line))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(98)
	}
	return f
}

// handshake asks the MCP server "srv" what CLIs from 2.0.77 on ask before they answer initialize,
// and waits for each answer. Other lines are for later.
func (c *scripted) handshake() {
	var later []string
	for _, message := range []string{MCPInitialize, MCPInitialized, MCPListTools} {
		say(RequestLine("handshake", MCPRequest(message)))
		for answered := false; !answered; {
			line := c.next()
			if _, answered = decodeInput(line).(*wire.ControlResponse); !answered {
				later = append(later, line)
			}
		}
	}
	c.later = later
}

func (c *scripted) request(f *wire.ControlRequest) {
	if _, ok := f.Request.(*wire.InitializeRequest); ok {
		switch os.Getenv(InitEnv) {
		case "silent":
			fmt.Fprintln(os.Stderr, "still here")
			return
		case "refuse":
			say(ErrorLine(f.RequestID, "bad hooks"))
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
		case "mcp":
			c.handshake()
		}
		say(SuccessLine(f.RequestID, fmt.Sprintf(`{"pid":%d}`, os.Getpid())))
		return
	}
	if c.mute {
		c.kept = append(c.kept, f.RequestID)
		say(MarkLine("kept"))
		return
	}
	say(SuccessLine(f.RequestID, `{"mcpServers":[]}`))
}

// say writes a line in one write.
func say(line string) { os.Stdout.WriteString(line + "\n") }

// cliCommands is what a prompt can tell the scripted CLI to do.
var cliCommands = map[string]func(c *scripted, arg string){
	"echo":   func(_ *scripted, arg string) { say(ResultLine(arg)) },
	"mute":   func(c *scripted, _ string) { c.mute = true },
	"raw":    func(_ *scripted, arg string) { os.Stdout.WriteString(arg) },
	"stderr": func(_ *scripted, arg string) { os.Stderr.WriteString(arg) },
	"exit": func(_ *scripted, arg string) { // the time is the last message
		fmt.Fprintln(os.Stderr, "last words")
		say(MarkLine(fmt.Sprint(time.Now().UnixNano())))
		os.Exit(atoi(arg))
	},
	"die": func(*scripted, string) {
		say(MarkLine(fmt.Sprint(time.Now().UnixNano())))
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		hang()
	},
	"many": func(_ *scripted, arg string) { // messages, a result, and the end
		w := bufio.NewWriter(os.Stdout)
		for i := range atoi(arg) {
			w.WriteString(MarkLine(fmt.Sprint(i)) + "\n")
		}
		w.WriteString(ResultLine("many") + "\n")
		w.Flush()
		os.Exit(0)
	},
	"close-stdout": func(*scripted, string) { os.Stdout.Close() },
	"close-stdin": func(*scripted, string) {
		os.Stdin.Close()
		say(MarkLine("closed"))
		time.Sleep(500 * time.Millisecond)
		say(ResultLine("after"))
		hang()
	},
	"flood": func(_ *scripted, arg string) { // stderr
		line := strings.Repeat("x", 1023) + "\n"
		for range atoi(arg) {
			os.Stderr.WriteString(line)
		}
		say(ResultLine("flooded"))
	},
	"deaf": func(*scripted, string) { // asks, and reads nothing until the test has read the message
		say(RequestLine("ask", PermissionBody))
		say(MarkLine("deaf"))
		time.Sleep(300 * time.Millisecond)
	},
	"long": func(_ *scripted, arg string) { // a line of that many bytes
		const around = len(`{"type":"keep_alive","startup_mark":""}`)
		say(`{"type":"keep_alive","startup_mark":"` + strings.Repeat("x", atoi(arg)-around) + `"}`)
		say(ResultLine("long"))
	},
	"answer": func(c *scripted, _ string) { // what was kept, the last first, each twice
		for i := len(c.kept) - 1; i >= 0; i-- {
			for range 2 {
				say(SuccessLine(c.kept[i], fmt.Sprintf(`{"mcpServers":[],"n":%d}`, i)))
			}
		}
		say(ResultLine("answered"))
	},
	"split": func(_ *scripted, arg string) { // a line in pieces, in the middle of a character
		line := ResultLine(arg) + "\n"
		at := strings.Index(line, "€") + 1
		os.Stdout.WriteString(line[:at])
		time.Sleep(20 * time.Millisecond)
		os.Stdout.WriteString(line[at:])
	},
	"half-utf8": func(*scripted, string) { // a line that is cut inside a character for good
		say("{\"type\":\"keep_alive\",\"startup_mark\":\"5 \xe2\x82\"}")
		say(ResultLine("next"))
	},
	"ask": func(_ *scripted, body string) { say(RequestLine("ask", body)) },
}
