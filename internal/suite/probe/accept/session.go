package accept

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

const (
	// longestLine bounds a line of the CLI; a longer one ends the session.
	longestLine = 16 << 20
	// writeTime bounds a write.
	writeTime = 60 * time.Second
	// silence is after what time a CLI is asked whether it is there.
	silence = time.Second
	// How often it is asked before something is taken for missing, in a session that works and in
	// one that begins.
	mostRounds, startRounds = 4, 60
	// mostLines is how many lines may come before what is waited for: a CLI can ask its model again
	// and again.
	mostLines = 1000
	// fenceTime is how long it may take to answer what every CLI answers.
	fenceTime = 60 * time.Second
)

// A session is a CLI that runs, with all that it wrote. It belongs to one goroutine, but for the
// reader of its output.
type session struct {
	peer  suite.Peer
	proxy *proxy
	ended chan struct{} // closed at the end of its output, by the reader
	news  chan struct{} // has an element after something was read
	paths *strings.Replacer

	mu    sync.Mutex // guards lines
	lines [][]byte

	next   int            // the first line that was not looked at
	asked  map[string]int // how often the CLI has asked, by kind
	serial int            // of the ids that this end has made
}

// open starts a CLI. Files are put into its working directory.
func open(ctx context.Context, target suite.Target, args []string, script fakeapi.Script) (*session, error) {
	front, err := newProxy()
	if err != nil {
		return nil, err
	}
	peer, err := target.Start(ctx, &scenario.Scenario{
		File: scenario.File{Name: "probe/accepts"},
		Args: args, API: script, Env: map[string]string{"ANTHROPIC_BASE_URL": front.url},
	})
	if err != nil {
		front.close()
		return nil, err
	}
	s := &session{peer: peer, proxy: front, ended: make(chan struct{}), news: make(chan struct{}, 1), asked: map[string]int{}}
	vars := peer.Vars()
	front.forward(fmt.Sprint(vars["api"]))
	var pairs []string
	for _, name := range []string{"cwd", "home", "config", "tmp"} {
		pairs = append(pairs, fmt.Sprint(vars[name]), "/scratch/"+name)
	}
	s.paths = strings.NewReplacer(pairs...)
	go s.read() // ends with the output, which ends with the CLI, which close ends
	return s, nil
}

func (s *session) close() {
	s.peer.Close()
	<-s.ended
	s.proxy.close()
}

func (s *session) read() {
	defer close(s.ended)
	lines := bufio.NewScanner(s.peer.Stdout())
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		s.mu.Lock()
		s.lines = append(s.lines, bytes.Clone(lines.Bytes()))
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
	}
}

// from returns the lines of the CLI from a number on.
func (s *session) from(n int) [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[n:len(s.lines):len(s.lines)]
}

// write sends text. A CLI that does not read it in time gets no more of it.
func (s *session) write(text string) {
	done := make(chan struct{})
	go func() { // ends when the CLI has read the text or has ended
		defer close(done)
		_, _ = s.peer.Stdin().Write([]byte(text)) // what is not written has no effect
	}()
	t := time.NewTimer(writeTime)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	case <-s.ended:
	}
}

// id makes an id for a request.
func (s *session) id() string {
	s.serial++
	return fmt.Sprintf("accepts_%d", s.serial)
}

// dead reports whether the CLI has ended.
func (s *session) dead() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// A head is what is looked at in every line of the CLI.
type head struct {
	Type      string
	Subtype   string
	RequestID string `json:"request_id"`
	Request   json.RawMessage
	Response  struct {
		Subtype   string
		RequestID json.RawMessage `json:"request_id"`
	}
}

// An asking is a request from the CLI.
type asking struct {
	ID      string
	Subtype string `json:"subtype"`
	Server  string `json:"server_name"`
	Input   struct {
		Event string `json:"hook_event_name"`
	} `json:"input"`
	Message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"params"`
	} `json:"message"`
	whole json.RawMessage
}

// kind names what is asked: can_use_tool, hook_callback/PreToolUse, mcp_message/tools/call.
func (a *asking) kind() string {
	switch a.Subtype {
	case "hook_callback":
		return a.Subtype + "/" + a.Input.Event
	case "mcp_message":
		return a.Subtype + "/" + a.Message.Method
	}
	return a.Subtype
}

// pump looks at the lines of the CLI until one is what is waited for, and answers its requests. It
// is false if the CLI ends before, or does not come to it. How long that may take depends on the
// CLI: after a silence it is asked something else, and only what does not come though it answers so
// many times in a row is taken for missing. The answer of a request may be given by answer; the
// others are answered as usual.
func (s *session) pump(ctx context.Context, most int, until func(*head) bool, answer func(*asking) (string, bool)) bool {
	timer := time.NewTimer(silence)
	defer timer.Stop()
	ping, rounds, last := "", 0, s.next+mostLines
	for {
		for _, line := range s.from(s.next) {
			s.next++
			var h head
			if json.Unmarshal(line, &h) != nil {
				continue
			}
			if ping != "" && isReply(ping)(&h) {
				ping = ""
				rounds++
				timer.Reset(silence)
				continue
			}
			if isPing(&h) {
				continue
			}
			if rounds = 0; ping == "" {
				timer.Reset(silence)
			}
			if h.Type == "control_request" {
				s.serve(&h, answer)
			}
			if until(&h) {
				return true
			}
		}
		if rounds == most || s.next > last {
			return false
		}
		select {
		case <-s.news:
		case <-timer.C:
			if ping != "" {
				return false // it answers nothing
			}
			s.serial++
			ping = fmt.Sprintf("%s%d", pingID, s.serial)
			s.write(requestLine(ping, `{"subtype":"mcp_status"}`))
			timer.Reset(fenceTime)
		case <-ctx.Done():
			return false
		case <-s.ended:
			if len(s.from(s.next)) == 0 {
				return false
			}
		}
	}
}

// pingID begins the ids of the requests with which pump makes sure that the CLI is there.
const pingID = "ping_"

func isPing(h *head) bool {
	return h.Type == "control_response" && strings.HasPrefix(string(h.Response.RequestID), `"`+pingID)
}

func (s *session) serve(h *head, answer func(*asking) (string, bool)) {
	a := &asking{ID: h.RequestID, whole: h.Request}
	if json.Unmarshal(h.Request, a) != nil {
		return
	}
	s.asked[a.kind()]++
	if answer != nil {
		if text, ok := answer(a); ok {
			s.write(text)
			return
		}
	}
	s.write(success(a.ID, usual(a)))
}

// success is the line of a successful answer.
func success(id string, body json.RawMessage) string {
	return fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":%s}}`+"\n", id, body)
}

// usual is what an SDK answers that allows everything and serves one MCP server.
func usual(a *asking) json.RawMessage {
	switch a.Subtype {
	case "can_use_tool":
		var ask struct{ Input json.RawMessage }
		if json.Unmarshal(a.whole, &ask) == nil {
			return fmt.Appendf(nil, `{"behavior":"allow","updatedInput":%s}`, ask.Input)
		}
	case "mcp_message":
		return fmt.Appendf(nil, `{"mcp_response":%s}`, usualMCP(a))
	case "elicitation":
		return json.RawMessage(`{"action":"decline"}`)
	}
	return json.RawMessage(`{}`)
}

func usualMCP(a *asking) json.RawMessage {
	result := ""
	switch a.Message.Method {
	case "initialize":
		result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"srv","version":"1.0.0"}}`, a.Message.Params.ProtocolVersion)
	case "tools/list":
		result = `{"tools":[{"name":"echo","description":"Returns its text.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}`
	case "tools/call":
		result = `{"content":[{"type":"text","text":"echo"}]}`
	}
	switch {
	case a.Message.ID == nil:
		return json.RawMessage(`{"jsonrpc":"2.0","result":{},"id":0}`)
	case result == "":
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`, a.Message.ID)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, a.Message.ID, result)
}
