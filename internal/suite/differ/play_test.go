package differ_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/differ"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

func newTarget(t *testing.T) suite.Target {
	t.Helper()
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// planted is a CLI in whose lines a text is replaced.
type planted struct {
	suite.Target
	old, new string
}

func (p planted) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	return lines{p.Target, func(line string) string { return strings.ReplaceAll(line, p.old, p.new) }}.Start(ctx, s)
}

// lines is a CLI whose lines are changed.
type lines struct {
	suite.Target
	change func(string) string
}

func (l lines) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	peer, err := l.Target.Start(ctx, s)
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	// Ends with the output of the CLI.
	go func() {
		in := bufio.NewReader(peer.Stdout())
		for {
			line, err := in.ReadString('\n')
			if line = l.change(line); line != "\n" {
				_, _ = io.WriteString(w, line) // nobody reads it any more
			}
			if err != nil {
				w.CloseWithError(err)
				return
			}
		}
	}()
	return &plantedPeer{peer, r}, nil
}

type plantedPeer struct {
	suite.Peer
	stdout *io.PipeReader
}

func (p *plantedPeer) Stdout() io.Reader { return p.stdout }

func (p *plantedPeer) Close() error {
	p.stdout.Close()
	return p.Peer.Close()
}

const session = `A session of three prompts.

level: recommended
since: 2.1.300
args: --model sonnet --include-partial-messages
env: CLAUDE_CODE_ENTRYPOINT=sdk-ts

-- script --
auto allow
init {"appendSystemPrompt":"Be brief."}
user "one"
< {"type":"result"}
user "two"
< {"type":"result"}
user "three"
< {"type":"result"}
eof
exit any
-- api.json --
{"turns": [
	{"text": "First."},
	{"content": [{"type": "text", "text": "I write."}, {"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
	{"text": "Second."},
	{"text": "Third."}
]}
-- files/note.txt --
alpha
`

func parse(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("test/session", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAPlantedDifferenceIsFound(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		want           string // a part of the difference; "" means none
	}{
		{"none", "nothing like it", "", ""},
		{"a text", `"Second."`, `"2nd."`, "result/success /result"},
		{"a number", `"num_turns":2`, `"num_turns":3`, "result/success /num_turns"},
		{"a request", `"tool_name":"Write"`, `"tool_name":"Edit"`, "control_request/can_use_tool /request/tool_name"},
		{"a member", `"permissionMode":"default",`, ``, "system/init /permissionMode"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target := newTarget(t)
			pair := &differ.Pair{Real: target, Simulated: planted{target, tt.old, tt.new}}
			out, err := pair.Play(t.Context(), parse(t, session))
			if err != nil {
				t.Fatal(err)
			}
			if out.Broken != nil {
				t.Errorf("the script does not hold: %v", out.Broken)
			}
			if text := out.Text(true); out.Same() != (tt.want == "") || !strings.Contains(text, tt.want) {
				t.Errorf("got %s, want %q", text, tt.want)
			}
		})
	}
}

// swapped is a CLI that writes a message after the event that ends it, in some plays.
type swapped struct {
	suite.Target
	plays *atomic.Int32
	when  func(play int32) bool
}

func (s swapped) Start(ctx context.Context, session *scenario.Scenario) (suite.Peer, error) {
	const first, last = `"type":"assistant"`, `"type":"content_block_stop"`
	if !s.when(s.plays.Add(1)) {
		return s.Target.Start(ctx, session)
	}
	var held string
	return lines{s.Target, func(line string) string {
		switch {
		case strings.Contains(line, first):
			held = line
			return ""
		case strings.Contains(line, last):
			return line + held
		}
		return line
	}}.Start(ctx, session)
}

func TestAnOrderThatTheRealCLIDoesNotKeepIsARace(t *testing.T) {
	target := newTarget(t)
	always := func(int32) bool { return true }
	for _, tt := range []struct {
		name string
		when func(play int32) bool
		want bool
	}{
		{"never otherwise", func(int32) bool { return false }, false},
		{"otherwise in the fourth play", func(play int32) bool { return play == 4 }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pair := &differ.Pair{Real: swapped{target, new(atomic.Int32), tt.when}, Simulated: swapped{target, new(atomic.Int32), always}}
			out, err := pair.Play(t.Context(), parse(t, session))
			if err != nil {
				t.Fatal(err)
			}
			if out.Same() != tt.want {
				t.Errorf("got %s", out.Text(true))
			}
		})
	}
}

func TestASessionIsCutDownToItsDifference(t *testing.T) {
	target := newTarget(t)
	pair := &differ.Pair{Real: target, Simulated: planted{target, `"tool_name":"Write"`, `"tool_name":"Edit"`}}
	out, err := pair.Play(t.Context(), parse(t, session))
	if err != nil {
		t.Fatal(err)
	}
	small, err := differ.Minimise(t.Context(), out.Scenario, pair.Shows(t.Context(), out.Differences))
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"First", "Third", "I write", "note.txt", "--model", "ENTRYPOINT", "appendSystemPrompt"} {
		if strings.Contains(small.Text, gone) {
			t.Errorf("%s is still there:\n%s", gone, small.Text)
		}
	}
	if strings.Count(small.Text, "\nuser ") != 1 {
		t.Errorf("it has not one prompt:\n%s", small.Text)
	}
	if again, err := pair.Play(t.Context(), small); err != nil || again.Same() {
		t.Errorf("the small session shows no difference, %v:\n%s", err, small.Text)
	}
}

// TestGeneratedSessionsArePlayed plays sessions on the simulated CLI: no step waits for what does
// not come, and each session keeps the laws of all sessions.
func TestGeneratedSessionsArePlayed(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 12
	}
	var all []*scenario.Scenario
	for seed := range uint64(count) {
		s, err := differ.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	report, err := suite.Run(t.Context(), suite.Options{Scenarios: all, Targets: []suite.Target{newTarget(t)}, Parallel: 6})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Status != suite.Pass {
			t.Errorf("%s: %s", r.Scenario, r.Reason)
		}
	}
}
