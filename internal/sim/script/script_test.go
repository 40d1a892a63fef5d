package script_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/place"
	"github.com/ccwire/ccwire/internal/sim/script"
)

func TestABadScriptIsRefusedWithItsPlace(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"not JSON", "{\n\t\"turns\": oops\n}", "s.json:2:11: "},
		{"cut", "{\"turns\": [", "s.json:1:12: the text ends"},
		{"an unknown member", "{\n \"turn\": []\n}", `s.json:2:2: unknown member "turn"`},
		{"another type", "{\n \"turns\": 5\n}", "s.json:2:"},
		{"a turn that says nothing", "{\"turns\": [\n {\"text\": \"a\"},\n {}\n]}", "s.json:3:2: "},
		{"a default that says nothing", "{\n\"default\": {}}", "s.json:2:1: "},
		{"more after it", "{}\n{}", "s.json:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := script.Parse("s.json", []byte(tt.text))
			var placed *place.Error
			if !errors.As(err, &placed) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s…", err, tt.want)
			}
		})
	}
}

// ask asks a model of a script, and returns the text of the answer.
func ask(t *testing.T, m *script.Model, prompt string) string {
	t.Helper()
	answer := m.Ask(&fakeapi.Ask{Model: "m", Tools: 1, Messages: []fakeapi.AskMessage{{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: prompt}}}}})
	whole, err := answer.Whole(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	err = m.Ask(&fakeapi.Ask{Model: "m", Messages: []fakeapi.AskMessage{{Role: "user"}}}).Play(context.Background(), func(e *script.Event) error {
		text = e.Append(text)
		return nil
	})
	if err != nil || len(text) == 0 {
		t.Errorf("a helper gets no answer: %v", err)
	}
	block := whole.List("content")[0]
	return block.(interface{ Text(string) string }).Text("text")
}

func TestTurnsComeFirstThenTheDefault(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", `{}`, []string{"done", "done"}},
		{"an echo", `{"default": {"text": "{{text}}"}}`, []string{"one", "two"}},
		{"turns, then no more", `{"turns": [{"text": "First."}]}`, []string{"First.", "done"}},
		{"turns, then the default", `{"turns": [{"text": "First."}], "default": {"text": "Else."}}`, []string{"First.", "Else."}},
		{"a match", `{"turns": [{"match": {"text": "two"}, "text": "Second."}]}`, []string{"done", "Second."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := script.Parse("s.json", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			m, err := script.NewModel(s)
			if err != nil {
				t.Fatal(err)
			}
			for i, prompt := range []string{"one", "two"} {
				if got := ask(t, m, prompt); got != tt.want[i] {
					t.Errorf("%s: got %q, want %q", prompt, got, tt.want[i])
				}
			}
		})
	}
}

func TestAnAnswerEndsAsItsTurnSays(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"an error", `{"turns": [{"error": {"status": 500, "message": "broken"}}]}`, "500 api_error: broken"},
		{"a lost connection", `{"turns": [{"text": "half", "cut": {"how": "drop"}}]}`, "the connection was closed"},
		{"an error in the stream", `{"turns": [{"text": "half", "error": {"type": "overloaded_error", "message": "busy"}, "cut": {"how": "error"}}]}`, "0 overloaded_error: busy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := script.Parse("s.json", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			m, err := script.NewModel(s)
			if err != nil {
				t.Fatal(err)
			}
			q := &fakeapi.Ask{Model: "m", Tools: 1, Messages: []fakeapi.AskMessage{{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: "x"}}}}}
			err = m.Ask(q).Play(context.Background(), func(*script.Event) error { return nil })
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestATurnThatSaysNothingStaysSoInAFolder(t *testing.T) {
	s, err := script.Parse("s.json", []byte(`{"turns": [{"content": []}, {"text": "{{cwd}}"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.In("/work", "/home"); err != nil {
		t.Fatal(err)
	}
	if _, err := script.NewModel(s); err != nil {
		t.Error(err)
	}
}
