package transport

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// The lines of one message of the model, as the CLI writes them.
func messageStart(id string) string {
	return streamLine("null", `{"type":"message_start","message":`+apiMessage(id, "")+`}`)
}

func blockStart() string {
	return streamLine("null", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
}

func deltaLine(parent, text string) string {
	return streamLine(parent, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+peertest.Quote(text)+`}}`)
}

func streamLine(parent, event string) string {
	return `{"type":"stream_event","event":` + event + `,"session_id":"s","parent_tool_use_id":` + parent + `,"uuid":"u"}`
}

func apiMessage(id string, blocks ...string) string {
	return `{"id":` + peertest.Quote(id) + `,"type":"message","role":"assistant","model":"m","content":[` + strings.Join(blocks, ",") +
		`],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`
}

func assistantLine(id, parent, more string, texts ...string) string {
	var blocks []string
	for _, text := range texts {
		blocks = append(blocks, `{"type":"text","text":`+peertest.Quote(text)+`}`)
	}
	return `{"type":"assistant","message":` + apiMessage(id, blocks...) + `,"parent_tool_use_id":` + parent + `,"session_id":"s","uuid":"u"` + more + `}`
}

func TestTextComesOnceAndFromTheMainAgentOnly(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"by blocks", []string{assistantLine("1", "null", "", "a", "b"), assistantLine("2", "null", "", "c")}, []string{"a\n\nb", "\n\nc"}},
		{"by deltas", []string{
			messageStart("1"), blockStart(), deltaLine("null", "Hel"), deltaLine("null", "lo."), assistantLine("1", "null", "", "Hello."),
			blockStart(), deltaLine("null", "And"), assistantLine("1", "null", "", "And"),
			messageStart("2"), blockStart(), deltaLine("null", "more"), assistantLine("2", "null", "", "more"),
		}, []string{"Hel", "lo.", "\n\nAnd", "\n\nmore"}},
		{"a message without deltas among others", []string{
			messageStart("1"), blockStart(), deltaLine("null", "a"), assistantLine("1", "null", "", "a"), assistantLine("2", "null", "", "b"),
		}, []string{"a", "\n\nb"}},
		{"subagents", []string{
			assistantLine("1", `"t"`, "", "sub"), messageStart("2"), blockStart(), deltaLine(`"t"`, "sub"), assistantLine("2", "null", "", "main"),
		}, []string{"main"}},
		{"an error in place of the model", []string{assistantLine("1", "null", `,"error":"authentication_failed"`, "API Error: 401")}, nil},
		{"nothing", []string{peertest.KeepAliveLine, assistantLine("1", "null", "", "")}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, nil)
				sayLater(f, append(test.lines, peertest.ResultLine("x"))...)
				var got []string
				for text, err := range s.Turn(t.Context(), "x").Text() {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, text)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// A loop that is taken up again goes on where it was left, whatever the one before it was.
func TestTextThatWasSaidIsNotRepeatedByTheNextLoop(t *testing.T) {
	lines := []string{
		messageStart("1"), blockStart(), deltaLine("null", "Hel"), deltaLine("null", "lo."), assistantLine("1", "null", "", "Hello."), peertest.ResultLine("Hello."),
	}
	for name, first := range map[string]func(*Turn){
		"text": func(turn *Turn) {
			for range turn.Text() {
				break
			}
		},
		"messages": func(turn *Turn) {
			for range turn.Messages() {
				if turn.said != "" {
					break
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, nil)
				sayLater(f, lines...)
				turn := s.Turn(t.Context(), "x")
				first(turn)
				var rest []string
				for text, err := range turn.Text() {
					if err != nil {
						t.Error(err)
					}
					rest = append(rest, text)
				}
				if diff := cmp.Diff([]string{"lo."}, rest); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestTextEndsWithTheErrorOfTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		sayLater(f, assistantLine("1", "null", "", "a"), resultLine(`"subtype":"error_max_turns","is_error":true`))
		var got []string
		var last error
		for text, err := range s.Turn(t.Context(), "x").Text() {
			got, last = append(got, text), err
		}
		if _, ok := last.(*TurnError); !ok || len(got) != 2 || got[0] != "a" || got[1] != "" {
			t.Errorf("%q, %v", got, last)
		}
	})
}

// What the CLI adds to a transcript is given to the callback before the result that it leads to,
// and is a message as well.
func TestOnTranscriptSeesWhatIsAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		s, f := running(t, &Options{OnTranscript: func(m *wire.TranscriptMirror) { seen = append(seen, m.FilePath+string(m.Entries[0])) }})
		f.Say(`{"type":"transcript_mirror","filePath":"/t.jsonl","entries":[{"type":"user"}]}`)
		synctest.Wait()
		if len(seen) != 1 || seen[0] != `/t.jsonl{"type":"user"}` {
			t.Errorf("the callback saw %q", seen)
		}
		if m, err := s.Receive(t.Context()); err != nil || m.Type() != "transcript_mirror" {
			t.Errorf("received %v, %v", m, err)
		}
	})
}
