package fakeapi

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// mustScript parses a script that a test holds as text.
func mustScript(t testing.TB, text string) Script {
	t.Helper()
	s, err := ParseScript([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lab is a server and a client of its own.
type lab struct {
	testing.TB
	*Server
	client *http.Client
}

// newLab plays the script on a socket of loopback.
func newLab(t testing.TB, script string) *lab {
	t.Helper()
	srv, err := Start(t.Context(), mustScript(t, script))
	if err != nil {
		t.Fatal(err)
	}
	return &lab{TB: t, Server: srv, client: newClient(t, srv, nil)}
}

// newPipeLab plays the script on pipes in memory, for tests that run in a bubble with a clock of
// its own.
func newPipeLab(t testing.TB, script string) *lab {
	t.Helper()
	l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	srv := serve(t.Context(), l, mustScript(t, script), 1<<16)
	return &lab{TB: t, Server: srv, client: newClient(t, srv, l.dial)}
}

func newClient(t testing.TB, srv *Server, dial func(context.Context, string, string) (net.Conn, error)) *http.Client {
	tr := &http.Transport{DialContext: dial}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return &http.Client{Transport: tr}
}

// send posts a body and returns the response, whose body the test's end closes.
func (l *lab) send(ctx context.Context, path, body string, header ...string) *http.Response {
	l.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.URL()+path, strings.NewReader(body))
	if err != nil {
		l.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := l.client.Do(r)
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { resp.Body.Close() })
	return resp
}

// ask posts a body to /v1/messages and returns the text of the answer, streamed or not.
func (l *lab) ask(body string, header ...string) string {
	l.Helper()
	resp := l.send(l.Context(), "/v1/messages", body, header...)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		var text strings.Builder
		for _, e := range readEvents(l, resp.Body) {
			var d struct{ Delta struct{ Text string } }
			if err := json.Unmarshal([]byte(e.data), &d); err != nil {
				l.Fatal(err)
			}
			text.WriteString(d.Delta.Text)
		}
		return text.String()
	}
	var m struct{ Content []struct{ Text string } }
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil {
		l.Fatal(err)
	}
	var text strings.Builder
	for _, b := range m.Content {
		text.WriteString(b.Text)
	}
	return text.String()
}

type testEvent struct{ name, data string }

// readEvents reads server-sent events to the end of the stream.
func readEvents(t testing.TB, r io.Reader) []testEvent {
	t.Helper()
	var list []testEvent
	in := bufio.NewReader(r)
	for {
		e, err := readEvent(in)
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
}

// readEvent reads one event: two lines and a blank one.
func readEvent(in *bufio.Reader) (testEvent, error) {
	var lines [3]string
	for i := range lines {
		var err error
		if lines[i], err = in.ReadString('\n'); err != nil {
			return testEvent{}, err
		}
	}
	name, ok := strings.CutPrefix(lines[0], "event: ")
	data, ok2 := strings.CutPrefix(lines[1], "data: ")
	if !ok || !ok2 || lines[2] != "\n" {
		return testEvent{}, io.ErrNoProgress
	}
	return testEvent{strings.TrimSpace(name), strings.TrimSpace(data)}, nil
}

// names lists the names of events.
func names(list []testEvent) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.name)
	}
	return out
}

// outcomeIs is a condition for Wait: the first request has the outcome.
func outcomeIs(o Outcome) func([]Request) bool {
	return func(list []Request) bool { return len(list) > 0 && list[0].Outcome == o }
}

// mainBody is a request of the main conversation with a user's text.
func mainBody(text string, stream bool) string {
	b, _ := json.Marshal(map[string]any{
		"model": "claude-test", "max_tokens": 100, "stream": stream,
		"tools":    []any{map[string]any{"name": "Write", "input_schema": map[string]any{}}},
		"messages": []any{map[string]any{"role": "user", "content": text}},
	})
	return string(b)
}

// pipeListener accepts the connections that its dial makes.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func (l *pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}
