package sim

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/queue"
)

// maxLine is the longest line that is read.
const maxLine = 256 << 20

// read reads the SDK's lines until the input ends.
func (s *Session) read() {
	defer s.inputEnded()
	in := bufio.NewReaderSize(s.Stdin, 64<<10)
	var long []byte // the start of a line that is longer than the buffer
	for first := true; ; {
		part, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			if len(long) > maxLine {
				s.fail(1, "Error: stream-json input carried over 256M characters without a newline")
				return
			}
			continue
		}
		line := part
		if long != nil {
			line = append(long, part...)
			long = nil
		}
		if first && len(line) > 0 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
			first = false
		}
		blank := len(line) > 0 && s.release.Before("2.1.250") // to these it is a line that is not JSON
		if line = bytes.TrimSpace(line); (len(line) > 0 || blank) && !s.take(line) {
			return
		}
		if err != nil {
			return // io.EOF, or a pipe that is closed
		}
		if s.life.Over() {
			return
		}
	}
}

// stdinPatience is how long a prompt that is text may be without its first byte.
const stdinPatience = 3 * time.Second

// readText reads a prompt that is not lines of JSON: the arguments, and the input if it is there.
func (s *Session) readText() {
	text := strings.Join(s.flags.Prompt, " ")
	if data := s.readInput(); len(data) > 0 {
		text = strings.TrimSpace(text + "\n" + string(data))
	}
	if text == "" {
		s.fail(1, "Error: Input must be provided either through stdin or as a prompt argument when using --print")
		return
	}
	s.queue.Add(&queue.Prompt{Content: text})
	s.queue.End()
}

// readInput reads the input whole. An input that is open and silent counts as none.
func (s *Session) readInput() (data []byte) {
	first := make([]byte, 1)
	begun := make(chan int, 1)
	go func() { // ends with the first byte or the end of the input, or is left behind in the read
		n, _ := io.ReadFull(s.Stdin, first) // an input that cannot be read has nothing
		begun <- n
	}()
	late := time.NewTimer(stdinPatience)
	defer late.Stop()
	select {
	case n := <-begun:
		if n == 0 {
			return nil
		}
	case <-late.C:
		fmt.Fprintln(s.Stderr, "Warning: no stdin data received in 3s, proceeding without it.")
		return nil
	case <-s.life.Context().Done():
		return nil
	}
	rest, _ := io.ReadAll(io.LimitReader(s.Stdin, 10<<20)) // what came before an error counts
	return append(first, rest...)
}

// take takes one line. It reports false if the session ends by it.
func (s *Session) take(line []byte) bool {
	v, err := object.Parse(line)
	if err != nil || v == nil {
		s.fail(1, "Error parsing streaming input line (type=%s, %d chars): SyntaxError: JSON Parse error", guessType(line), len([]rune(string(line))))
		return false
	}
	o, ok := v.(object.Object)
	if !ok {
		return true
	}
	switch o.Text("type") {
	case "control_request":
		if !o.Has("request") || o.Get("request") == nil {
			s.fail(1, "Error: Missing request on control_request")
			return false
		}
		s.requests.Serve(o)
	case "control_response":
		s.takeResponse(o)
	case "control_cancel_request":
		s.requests.Cancel(o.Get("request_id"))
	case "user":
		return s.takeUser(o)
	default:
		if s.release.Before("2.1.90") && o.Text("type") != "keep_alive" {
			s.fail(1, "Error: Expected message type 'user' or 'control', got '%s'", o.Text("type"))
			return false
		}
		s.takeOther(o)
	}
	return true
}

// guessType returns the type of a line that is not JSON, for an error.
func guessType(line []byte) string {
	_, rest, found := bytes.Cut(line, []byte(`"type":"`))
	if !found {
		return "unknown"
	}
	name, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(name)
}

func (s *Session) takeResponse(o object.Object) {
	if s.calls.Respond(o) && s.flags.Has("replay-user-messages") {
		s.out.Line(o)
	}
}

// takeUser takes a message of the user. It reports false if the session ends by it.
func (s *Session) takeUser(o object.Object) bool {
	message := o.Object("message")
	if role := message.Get("role"); role != "user" {
		text := "undefined"
		if message.Has("role") {
			text = fmt.Sprint(role)
		}
		s.fail(1, "Error: Expected message role 'user', got '%s'", text)
		return false
	}
	content := message.Get("content")
	switch content.(type) {
	case string, []any, nil:
	default:
		return true
	}
	s.queue.Take(&queue.Prompt{Content: content, UUID: o.Text("uuid"), Line: o, Priority: o.Text("priority"),
		Verbatim: o.Bool("client_composed") && !s.release.Before("2.1.250")})
	if o.Text("priority") == "now" {
		s.stage.Yield()
	}
	return true
}

// inputEnded says that the SDK will write nothing more.
func (s *Session) inputEnded() {
	s.calls.Close()
	s.queue.End()
}
