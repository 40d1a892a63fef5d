package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// What a fakeCLI does with a request, beside an answer with the text of an error.
const (
	succeeds = ""      // answers with success
	hangs    = "hang"  // does not answer
	dies     = "die"   // ends without an answer
	ends     = "end"   // answers and ends
	blocks   = "block" // does nothing more
)

// fakeCLI is a CLI in this process.
type fakeCLI struct {
	path string // of its package
	tmp  string

	silent   bool              // does not answer unknown requests
	requests map[string]string // what it does with those that it knows
	types    map[string]string // the same with types; succeeds means that it says nothing
	note     string            // what the log has for an unknown type, with %s for it
	lastWord string            // what it says and ends with when it gets an unknown type
	events   []string          // that stay in its settings; nil means all
	modes    []string          // that it can set; nil means all
	flags    map[string]bool   // whether a value x is good
	starts   *int              // counts the sessions
}

// newFake returns a CLI that behaves as the schemas say, with a package that has the strings.
func newFake(t *testing.T, words ...string) *fakeCLI {
	t.Helper()
	f := &fakeCLI{
		path: filepath.Join(t.TempDir(), "claude"), tmp: t.TempDir(), note: "ignored: %s.", requests: map[string]string{}, types: map[string]string{},
		events: []string{}, modes: []string{}, flags: map[string]bool{"--verbose": true}, starts: new(int),
	}
	set, v := schema.Default(), f.Version()
	for name := range knownRequests(set, v) {
		f.requests[name] = succeeds
	}
	for name := range knownTypes(set, v) {
		f.types[name] = succeeds
	}
	for name := range knownEvents(set, v) {
		f.events = append(f.events, name)
	}
	for name := range knownModes(set, v) {
		f.modes = append(f.modes, name)
	}
	f.requests["end_session"] = ends
	var text strings.Builder
	for _, word := range words {
		fmt.Fprintf(&text, "x(%q);", word)
	}
	if err := os.WriteFile(f.path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fakeCLI) Name() string { return "fake" }
func (f *fakeCLI) Path() string { return f.path }
func (f *fakeCLI) Version() cli.Version {
	v, err := cli.ParseVersion(corpus.Newest())
	if err != nil {
		panic(err)
	}
	return v
}

func (f *fakeCLI) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	tmp, err := os.MkdirTemp(f.tmp, "")
	if err != nil {
		return nil, err
	}
	p := &fakePeer{fakeCLI: f, scenario: s, tmp: tmp, done: make(chan struct{})}
	p.in, p.stdin = io.Pipe()
	p.stdout, p.out = io.Pipe()
	if !s.Bare {
		*f.starts++
	}
	go p.run()
	return p, nil
}

// fakePeer is a session with a fakeCLI.
type fakePeer struct {
	*fakeCLI
	scenario *scenario.Scenario
	tmp      string
	in       *io.PipeReader
	stdin    *io.PipeWriter
	stdout   *io.PipeReader
	out      *io.PipeWriter
	done     chan struct{}
	close    sync.Once
	stderr   string
}

func (p *fakePeer) Vars() scenario.Vars   { return scenario.Vars{"tmp": p.tmp} }
func (p *fakePeer) Stdin() io.WriteCloser { return p.stdin }
func (p *fakePeer) Stdout() io.Reader     { return p.stdout }
func (p *fakePeer) Signal(string) error   { return nil }
func (p *fakePeer) Done() <-chan struct{} { return p.done }
func (p *fakePeer) Exit() suite.Exit      { return suite.Exit{Stderr: p.stderr} }
func (p *fakePeer) AskedTotal() int       { return 0 }
func (p *fakePeer) Asked(context.Context, int, func([]byte) bool) ([]byte, error) {
	return nil, io.EOF
}

func (p *fakePeer) Close() error {
	p.close.Do(func() {
		p.in.Close()
		p.stdout.Close()
		<-p.done
	})
	return nil
}

// run plays the CLI.
func (p *fakePeer) run() {
	defer close(p.done)
	defer p.out.Close()
	defer p.in.Close()
	if p.scenario.Bare {
		p.parse(p.scenario.Args)
		return
	}
	lines := bufio.NewScanner(p.in)
	for lines.Scan() {
		var m struct {
			Type      string
			RequestID string `json:"request_id"`
			Request   struct{ Subtype, Mode string }
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return
		}
		goOn := true
		if m.Type == "control_request" && m.RequestID != "" {
			goOn = p.request(m.RequestID, m.Request.Subtype, m.Request.Mode)
		} else {
			goOn = p.line(m.Type)
		}
		if !goOn {
			return
		}
	}
}

func (p *fakePeer) request(id, subtype, mode string) (goOn bool) {
	act, known := p.requests[subtype]
	body, fault := any(map[string]any{}), ""
	switch {
	case !known && p.silent, act == hangs:
		return true
	case act == dies:
		return false
	case act == blocks:
		_, _ = io.Copy(io.Discard, p.in)
		return false
	case !known:
		fault = "no request " + subtype
	case subtype == "set_permission_mode" && p.modes != nil && !slices.Contains(p.modes, mode):
		fault = "no such mode"
	case subtype == "get_settings":
		body = p.settings()
	case act != ends:
		fault = act
	}
	response := map[string]any{"subtype": "success", "request_id": id, "response": body}
	if fault != "" {
		response = map[string]any{"subtype": "error", "request_id": id, "error": fault}
	}
	_, err := io.WriteString(p.out, line(map[string]any{"type": "control_response", "response": response}))
	return err == nil && act != ends
}

func (p *fakePeer) settings() any {
	var s struct {
		Hooks map[string]any `json:"hooks"`
	}
	if json.Unmarshal(p.scenario.Files[".claude/settings.json"], &s) != nil {
		return nil
	}
	for name := range s.Hooks {
		if p.events != nil && !slices.Contains(p.events, name) {
			delete(s.Hooks, name)
		}
	}
	return map[string]any{"effective": s}
}

func (p *fakePeer) line(name string) (goOn bool) {
	act, known := p.types[name]
	switch {
	case known:
		return act != dies
	case p.lastWord != "":
		p.stderr = fmt.Sprintf(p.lastWord, name) + "\n"
		return false
	case p.note != "" && slices.Contains(p.scenario.Args, logArg):
		f, err := os.OpenFile(filepath.Join(p.tmp, debugLog), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return false
		}
		defer f.Close()
		fmt.Fprintf(f, "now [WARN] "+p.note+"\n", name)
	}
	return true
}

// parse says what is wrong with the arguments, each flag being followed by x.
func (p *fakePeer) parse(args []string) {
	unknown := ""
	for _, arg := range args {
		good, known := p.flags[arg]
		switch {
		case arg == "x":
		case !known && unknown == "":
			unknown = fmt.Sprintf("error: unknown option '%s'\n", arg)
		case known && !good:
			p.stderr = fmt.Sprintf("error: option '-q, %s <n>' argument 'x' is invalid\n", arg)
			return
		}
	}
	p.stderr = unknown
}
