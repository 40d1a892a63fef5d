package script

import (
	"encoding/json"
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

	mu   sync.Mutex  // guards used
	used map[use]int // how often each result of a tool was used
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
	if scene.Answer == fakeapi.Exhausted {
		turn := m.script.Default
		if turn == nil {
			turn = &fakeapi.Turn{Text: echo(q)}
		}
		scene.Say(turn)
	}
	return &Answer{scene: scene}
}

// echo is the answer of a model that has nothing to say.
func echo(q *fakeapi.Ask) string {
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
	return "done"
}

// raw returns the members of a block in the order in which the API sends them: by name.
func raw(m map[string]json.RawMessage) []byte {
	data, _ := json.Marshal(m) // checked with its script
	return data
}
