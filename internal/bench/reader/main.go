// Reader is a program with one long session, and nothing else in it: the CPU time that it uses is
// that of the session. It is also the CLI of that session.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/ccwire/ccwire/transport"
)

// deltasEnv says how many pieces of a text the CLI says to each prompt.
const deltasEnv = "CCWIRE_BENCH_DELTAS"

func main() {
	var err error
	if len(os.Args) == 3 && os.Args[1] == "read" {
		err = read(os.Args[2])
	} else {
		err = playCLI()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reader:", err)
		os.Exit(1)
	}
}

// read reads a session in a way and prints the size of the text and the CPU time that this process
// has used, in nanoseconds.
func read(way string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	read := map[string]func(cli string) (int, error){"ccwire": readTurn, "scanner-and-unmarshal": readLines}[way]
	size, err := read(self)
	if err != nil {
		return err
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	_, err = fmt.Println(size, used.Utime.Nano()+used.Stime.Nano())
	return err
}

// readTurn returns how much text a turn of a session has.
func readTurn(cli string) (size int, err error) {
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
}

// event is what a reader by hand picks out of a line.
type event struct {
	kind, session, uuid, text string
}

// readLines returns the same, read line by line into maps.
func readLines(cli string) (size int, err error) {
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
		var line map[string]any
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return 0, err
		}
		delta := object(object(line, "event"), "delta")
		e := &event{text(line, "type"), text(line, "session_id"), text(line, "uuid"), text(delta, "text")}
		size += len(e.text)
	}
	return size, errors.Join(in.Err(), cmd.Wait())
}

func object(m map[string]any, name string) map[string]any {
	o, _ := m[name].(map[string]any)
	return o
}

func text(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

// playCLI answers each control request, and each prompt with a turn.
func playCLI() error {
	if len(os.Args) > 1 && (os.Args[1] == "--version" || os.Args[1] == "-v") {
		_, err := fmt.Println("2.1.325 (Claude Code)")
		return err
	}
	deltas, err := strconv.Atoi(os.Getenv(deltasEnv))
	if err != nil {
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
	const id = `"session_id":"49fc1201-7718-4158-ae47-85cfe23a7436"`
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
