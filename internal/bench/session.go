package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ccwire/ccwire/internal/scoreboard/install"
	"github.com/ccwire/ccwire/transport"
)

// deltasEnv makes this program a CLI that says so many pieces of a text to each prompt.
const deltasEnv = "CCWIRE_BENCH_DELTAS"

// playCLI is the work of that CLI.
func playCLI(deltas int) error {
	if len(os.Args) > 1 && (os.Args[1] == "--version" || os.Args[1] == "-v") {
		_, err := fmt.Println("2.1.325 (Claude Code)")
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var line struct {
			Type      string `json:"type"`
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return err
		}
		var err error
		switch line.Type {
		case "control_request":
			_, err = fmt.Printf(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":{}}}`+"\n", line.RequestID)
		case "user":
			err = sayDeltas(os.Stdout, deltas)
		}
		if err != nil {
			return err
		}
	}
	return in.Err()
}

// sayDeltas writes a turn, faster than it is read: what is measured is the reading, not how often a
// reader wakes up for one line.
func sayDeltas(out io.Writer, deltas int) error {
	w := bufio.NewWriterSize(out, 64<<10)
	const id = `"session_id":"` + session + `"`
	say := func(format string, args ...any) error {
		_, err := fmt.Fprintf(w, format+"\n", args...)
		return err
	}
	err := say(`{"type":"system","subtype":"init","cwd":"/","tools":[],"mcp_servers":[],"model":"m","permissionMode":"default","slash_commands":[],"apiKeySource":"none","output_style":"default","uuid":"u",%s}`, id)
	for i := range deltas {
		err = errors.Join(err, say(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word"}},%s,"parent_tool_use_id":null,"uuid":"0ed8a3f4-6c1b-4f8e-9d51-%012x"}`, id, i))
		if err != nil {
			return err
		}
	}
	err = say(`{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"result":"","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},"permission_denials":[],"uuid":"u",%s}`, id)
	return errors.Join(err, w.Flush())
}

// readers are the ways to read a session, each the work of a process of its own. They return how
// much text came.
var readers = map[string]func(cli string) (int, error){
	"ccwire": func(cli string) (size int, err error) {
		s, err := transport.Open(context.Background(), &transport.Options{CLI: cli, Stream: true, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return 0, err
		}
		defer s.Close()
		for text, err := range s.Turn(context.Background(), "begin").Text() {
			if err != nil {
				return 0, err
			}
			size += len(text)
		}
		return size, nil
	},
	"scanner-and-unmarshal": func(cli string) (size int, err error) {
		cmd := exec.Command(cli)
		cmd.Stdin = strings.NewReader(`{"type":"user","message":{"role":"user","content":"begin"}}` + "\n")
		out, err := cmd.StdoutPipe()
		if err != nil {
			return 0, err
		}
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		in := bufio.NewScanner(out)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			v, err := mapThenConvert(in.Bytes())
			if err != nil {
				return 0, err
			}
			if event, ok := v.(*plainEvent); ok && event.Event.Delta != nil {
				size += len(*event.Event.Delta.Text)
			}
		}
		return size, errors.Join(in.Err(), cmd.Wait())
	},
}

// readSession is the work of a process that reads: it prints the size of the text and the CPU time
// that it has used, in nanoseconds.
func readSession(name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	size, err := readers[name](self)
	if err != nil {
		return err
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	fmt.Println(size, used.Utime.Nano()+used.Stime.Nano())
	return nil
}

// pythonReader does the same with the official Python SDK. Its argument is the CLI.
const pythonReader = `
import asyncio, resource, sys
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, StreamEvent

async def main():
    size = 0
    options = ClaudeAgentOptions(cli_path=sys.argv[1], include_partial_messages=True)
    async with ClaudeSDKClient(options) as client:
        await client.query("begin")
        async for message in client.receive_response():
            if isinstance(message, StreamEvent):
                size += len(message.event["delta"]["text"])
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(size, int((used.ru_utime + used.ru_stime) * 1e9))

asyncio.run(main())
`

// cpuTime runs a process that reads a session, and returns the CPU time that it has used without
// that of the CLI.
func cpuTime(deltas int, command ...string) (time.Duration, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Stderr = append(os.Environ(), deltasEnv+"="+strconv.Itoa(deltas)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	var size, nanoseconds int64
	if _, err := fmt.Sscan(string(out), &size, &nanoseconds); err != nil {
		return 0, err
	}
	if want := int64(deltas * len(" word")); size != want {
		return 0, fmt.Errorf("%s read %d bytes of text, want %d", command[0], size, want)
	}
	return time.Duration(nanoseconds), nil
}

// sessions compares the CPU time of a process that reads one long turn of a CLI, from its start to
// its end.
func sessions(g *goals, deltas int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	own, err := cpuTime(deltas, self, "-read", "ccwire")
	if err != nil {
		return err
	}
	fmt.Printf("\na session of %d deltas, CPU time\nccwire %v\n", deltas, own.Round(time.Millisecond))
	rivals := map[string][]string{"scanner-and-unmarshal": {self, "-read", "scanner-and-unmarshal"}}
	dir, err := install.Python.Installed(context.Background(), filepath.Join("..", "scoreboard"))
	if err != nil {
		fmt.Println("python-sdk is not measured:", err)
	} else {
		rivals["python-sdk"] = []string{filepath.Join(dir, "bin", "python"), "-c", pythonReader, self}
	}
	for _, name := range slices.Sorted(maps.Keys(rivals)) {
		took, err := cpuTime(deltas, rivals[name]...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("%s %v\n", name, took.Round(time.Millisecond))
		g.printf("RATIO million-deltas/%s %.2f", name, took.Seconds()/own.Seconds())
	}
	return nil
}
