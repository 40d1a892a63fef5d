package script

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// Model answers requests as a script says. Its methods are safe for use by several goroutines.
type Model struct {
	*fakeapi.Stage
	// Asked, if it is set before the first request, is called with each of them.
	Asked func(*fakeapi.Ask)

	script *Script

	// Changed, if set, is called after each answer and each result of a tool: the state is another.
	Changed func()
	// Strict says that what no turn is left for is an error of the API.
	Strict bool

	mu        sync.Mutex  // guards the fields below
	used      map[use]int // how often each result of a tool was used
	unmatched []string    // what the user said that no turn was left for
}

// NewModel returns the model of a script that was parsed.
func NewModel(s *Script) (*Model, error) {
	stage, err := fakeapi.NewStage(s.Script)
	if err != nil {
		return nil, err
	}
	return &Model{Stage: stage, script: s, used: map[use]int{}}, nil
}

// Script returns the model's script.
func (m *Model) Script() *Script { return m.script }

// Ask returns the answer to a request, to be played.
func (m *Model) Ask(q *fakeapi.Ask) *Answer {
	if m.Asked != nil {
		m.Asked(q)
	}
	scene := m.Stage.Ask(q)
	if m.script.Default == nil && (scene.Answer == fakeapi.Exhausted || scene.Answer == fakeapi.ByDefault && scene.From == fakeapi.Subagent) {
		m.miss(q, scene)
	}
	if m.Changed != nil {
		m.Changed()
	}
	return &Answer{scene: scene, clock: m.Clock()}
}

// miss notes what no turn is left for, and answers it if that is an error.
func (m *Model) miss(q *fakeapi.Ask, scene *fakeapi.Scene) {
	said := lastText(q)
	m.mu.Lock()
	if !slices.Contains(m.unmatched, said) { // a retry is not another prompt
		m.unmatched = append(m.unmatched, said)
	}
	m.mu.Unlock()
	if m.Strict {
		scene.Say(&fakeapi.Turn{
			Error:  &fakeapi.Error{Status: http.StatusUnprocessableEntity, Type: "invalid_request_error", Message: "strict: " + missed(said)},
			Header: map[string]string{"x-should-retry": "false"},
		})
	}
}

// lastText is what the user said last.
func lastText(q *fakeapi.Ask) string {
	for _, m := range slices.Backward(q.Messages) {
		if m.Role != "user" {
			continue
		}
		var parts []string
		for _, b := range m.Content {
			if b.Type == "text" && b.Text != "" && !strings.HasPrefix(b.Text, "<system-reminder>") {
				parts = append(parts, b.Text)
			}
		}
		if len(parts) > 0 {
			return strings.Join(parts, "\n")
		}
	}
	return ""
}

// raw returns the members of a block in the order in which the API sends them: by name.
func raw(m map[string]json.RawMessage) []byte {
	data, _ := json.Marshal(m) // checked with its script
	return data
}
