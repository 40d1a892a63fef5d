package linecheck_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

func texts(found []linecheck.Finding) (list []string) {
	for _, f := range found {
		f.Keyword = ""
		list = append(list, strings.TrimPrefix(f.Text(terminal.Style{}), ": "))
	}
	return list
}

func object(text string) codec.Line { return codec.Line{Kind: codec.ObjectLine, Bytes: []byte(text)} }

func TestTranscriptEntriesAreJudgedByTheirSchemas(t *testing.T) {
	for _, test := range []struct {
		name, entry  string
		strict, lint []string
	}{
		{"good", `{"type":"mode","mode":"normal","sessionId":"s"}`, nil, nil},
		{"unknown member", `{"type":"mode","mode":"normal","sessionId":"s","more":1}`,
			[]string{`error: unknown member at /more: "more"`}, []string{`lint: unknown member at /more: "more"`}},
		{"unknown type", `{"type":"brand-new"}`, []string{`error: unknown tag at /type: …`}, []string{`lint: unknown tag at /type: "brand-new"`}},
		{"unknown attachment", `{"type":"attachment","attachment":{"type":"news"},"uuid":"u","sessionId":"s","timestamp":"t"}`,
			[]string{`error: unknown tag at /attachment/type: …`}, []string{`lint: unknown tag at /attachment/type: "news"`}},
		{"missing member", `{"type":"mode","mode":"normal"}`,
			[]string{`error: invalid at /sessionId: missing required member "sessionId"`}, []string{`error: invalid at /sessionId: missing required member "sessionId"`}},
		{"twice", `{"type":"mode","type":"mode"}`,
			[]string{`error: malformed at byte 22: duplicate member: a member of this name is there already`}, []string{`error: malformed at byte 22: duplicate member: a member of this name is there already`}},
		{"a line of the stream", `{"type":"keep_alive"}`, []string{`error: unknown tag at /type: …`}, []string{`lint: unknown tag at /type: "keep_alive"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, mode := range []struct {
				lint bool
				want []string
			}{{false, test.strict}, {true, test.lint}} {
				got := texts(linecheck.NewTranscript(mode.lint).Check(schema.Either, object(test.entry)))
				for i := range got {
					if head, _, cut := strings.Cut(got[i], `: got "`); cut {
						got[i] = head + ": …"
					}
				}
				if diff := cmp.Diff(mode.want, got); diff != "" {
					t.Errorf("lint %t (-want +got):\n%s", mode.lint, diff)
				}
			}
		})
	}
}

func TestNothingIsToSayOfRecordedTranscripts(t *testing.T) {
	for _, version := range corpus.TranscriptVersions() {
		entries, err := corpus.TranscriptEntries(version)
		if err != nil {
			t.Fatal(err)
		}
		for i, entry := range entries {
			for _, lint := range []bool{false, true} {
				for _, text := range texts(linecheck.NewTranscript(lint).Check(schema.Either, object(entry))) {
					t.Errorf("%s:%d: %s", version, i+1, text)
				}
			}
		}
	}
}

// The frame around the entries is judged by itself; here it is of no interest.
func TestMirroredEntriesAreJudgedAsThoseOfAFile(t *testing.T) {
	const good, bad = `{"type":"mode","mode":"normal","sessionId":"s"}`, ` {"type":"mode","sessionId":5,"more":1}`
	line := `{"type":"transcript_mirror","filePath":"/x.jsonl","entries":[` + good + `,` + bad + `]}`
	for _, lint := range []bool{false, true} {
		places := map[string]int{}
		for _, f := range linecheck.New(lint).Check(schema.FromCLI, object(line)) {
			if strings.HasPrefix(f.Path, "/entries/") {
				places[f.Path] = f.Offset
			}
		}
		want := map[string]int{
			"/entries/1/mode":      bytes.IndexByte([]byte(line), ' ') + 1,
			"/entries/1/more":      strings.LastIndex(line, "1}"),
			"/entries/1/sessionId": strings.LastIndex(line, "5,"),
		}
		if diff := cmp.Diff(want, places); diff != "" {
			t.Errorf("lint %t (-want +got):\n%s", lint, diff)
		}
	}
	quoted := `{"type":"keep_alive","note":"transcript_mirror","entries":[5]}`
	for _, f := range linecheck.New(true).Check(schema.FromCLI, object(quoted)) {
		if strings.HasPrefix(f.Path, "/entries/") {
			t.Errorf("entries of another type are judged: %v", f)
		}
	}
}
