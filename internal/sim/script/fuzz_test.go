package script_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/place"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// FuzzScript holds the reader of scripts to: an error has its place; what was read can be written
// and read again; a model plays it, says in events what it says as a whole, and goes on from its
// state as if it had not stopped.
func FuzzScript(f *testing.F) {
	names, err := filepath.Glob("../../../conformance/scenarios/*/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if file.Name == "api.json" {
				f.Add(file.Data)
			}
		}
	}
	f.Add([]byte(`{"turns": [{"match": {"text": "o"}, "text": "{{text}} {{cwd}} \\{{home}}"}], "default": {"text": "x"},
		"tools": {"WebFetch": [{"input": {"url": "x"}, "times": 1, "text": "{{input.url}}"}, {"content": [{"type": "text", "text": "y"}]}]},
		"faults": ["blank"], "tools_anywhere": true, "cli_version": "2.1.290", "strict": "prompts", "virtual_time": true}`))
	f.Add([]byte(`{"turns": [{"text": "abc", "pace": {"before": "1s", "chunk": 1}, "cut": {"after": 3, "how": "stall"}}, {"error": {"status": 529}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := script.Parse("s.json", data)
		if err != nil {
			var placed *place.Error
			if !errors.As(err, &placed) || placed.Name != "s.json" || placed.Line > 1+bytes.Count(data, []byte("\n")) {
				t.Fatalf("an error without its place: %v", err)
			}
			return
		}
		sameAgain(t, s)
		s.VirtualTime = true
		m, again := modelOf(t, s), modelOf(t, s)
		for _, prompt := range []string{"one", "two", "", "one"} {
			play(t, m, prompt)
			state := m.State()
			if err := again.Restore(state); err != nil || !bytes.Equal(again.State(), state) {
				t.Fatalf("restored from %s it is %s, %v", state, again.State(), err)
			}
		}
		for tool := range s.Tools {
			if r, ok := m.Result(tool, json.RawMessage(`{"url":"x"}`)); ok && len(r.Content) > 0 && !json.Valid(r.Content) {
				t.Fatalf("the result of %s is %q", tool, r.Content)
			}
		}
		filled, err := s.In(`/a "b"\c`, "/home")
		if err != nil {
			t.Fatalf("the folders cannot be filled in: %v", err)
		}
		modelOf(t, filled)
	})
}

// sameAgain writes a script and reads it again.
func sameAgain(t *testing.T, s *script.Script) {
	t.Helper()
	first, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read, err := script.Parse("again.json", first)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, first)
	}
	if second, err := json.Marshal(read); err != nil || !bytes.Equal(first, second) {
		t.Fatalf("written again it is not the same: %v\n%s\n%s", err, first, second)
	}
}

func modelOf(t *testing.T, s *script.Script) *script.Model {
	t.Helper()
	m, err := script.NewModel(s)
	if err != nil {
		t.Fatalf("a script that was read cannot be played: %v", err)
	}
	return m
}

// play plays an answer up to where it would wait.
func play(t *testing.T, m *script.Model, prompt string) {
	t.Helper()
	answer := m.Ask(&fakeapi.Ask{Model: "m", Tools: 1, Messages: []fakeapi.AskMessage{{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: prompt}}}}})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answer.Pauses = cancel
	var types []string
	var text strings.Builder
	err := answer.Play(ctx, func(e *script.Event) error {
		types = append(types, e.Type)
		line := e.Append(nil)
		if !json.Valid(line) {
			t.Fatalf("an event is %s", line)
		}
		switch {
		case e.Type == script.BlockStart:
			text.Reset()
		case e.Type == script.BlockDelta && e.Delta == "text_delta":
			text.WriteString(e.Text)
		case e.Type == script.BlockStop && e.Block.Text("type") == "text" && e.Block.Text("text") != text.String():
			t.Fatalf("the events say %q, the block %s", text.String(), object.Append(nil, e.Block))
		}
		return nil
	})
	switch apiError := (*script.APIError)(nil); {
	case err == nil && (len(types) < 3 || types[0] != script.MessageStart || types[len(types)-1] != script.MessageStop):
		t.Fatalf("the events are %q", types)
	case err != nil && !errors.As(err, &apiError) && !errors.Is(err, script.ErrDropped) && !errors.Is(err, context.Canceled):
		t.Fatalf("the answer ends with %v", err)
	}
}
