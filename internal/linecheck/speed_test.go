package linecheck_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// repeat makes a stream of at least size bytes.
func repeat(text []byte, size int) []byte { return bytes.Repeat(text, size/len(text)+1) }

// valid returns valid streams of at least size bytes, made of the sessions of the newest CLI: the
// lines that it wrote, and the entries of their recordings.
func valid(t testing.TB, size int) (lines, entries []byte) {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	checker := linecheck.New(true)
	var plain, recorded bytes.Buffer
	for _, s := range sessions {
		if s.Version != corpus.Newest() {
			continue
		}
		for _, e := range s.Entries {
			line := []byte(e.Line)
			if e.Dir != recording.ToSDK || bytes.IndexByte(line, '\n') >= 0 || !bytes.HasPrefix(line, []byte("{")) ||
				len(checker.Check(schema.FromCLI, codec.Line{Kind: codec.ObjectLine, Bytes: line})) > 0 {
				continue
			}
			plain.Write(append(line, '\n'))
			if err := recording.Write(&recorded, []recording.Entry{e}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return repeat(plain.Bytes(), size), repeat(recorded.Bytes(), size)
}

// exchanges returns a recording of at least size bytes that has nothing but valid requests and the
// answers to them.
func exchanges(t testing.TB, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, list := range replies(t) {
		for _, r := range list {
			pair := recorded(t, r.entries[r.asked], r.entries[r.index])
			if found, _ := findings(t, true, pair, 1); len(found) == 0 {
				out.WriteString(pair)
			}
		}
	}
	return repeat(out.Bytes(), size)
}

// callbacks returns recordings of at least size bytes, one after the other: of the sessions of the
// newest CLI, the calls of hooks, the questions for permission and the messages to MCP servers that
// were answered, and the answers.
func callbacks(t testing.TB, size int) []byte {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{"hook_callback": true, "can_use_tool": true, "mcp_message": true}
	var out bytes.Buffer
	for _, s := range sessions {
		if s.Version != corpus.Newest() {
			continue
		}
		entries := []recording.Entry{s.Entries[0]}
		for _, l := range s.Lines {
			if kinds[l.Asks] && l.Outcome == recording.Success || kinds[l.Answers] {
				entries = append(entries, recording.Entry{Dir: l.Dir, Line: string(l.Text)})
			}
		}
		text := recorded(t, entries...)
		if found, _ := findings(t, true, text, 1); len(entries) > 1 && len(found) == 0 {
			out.WriteString(text)
		}
	}
	return repeat(out.Bytes(), size)
}

// judge runs over a stream of valid lines.
func judge(t testing.TB, checker *linecheck.Checker, stream []byte) {
	r := linecheck.Run{
		Checker:    checker,
		Options:    linestream.Options{Direction: schema.FromCLI},
		Stdin:      bytes.NewReader(stream),
		Emit:       func(f linecheck.Finding) error { t.Errorf("a finding: %+v", f); return nil },
		Unreadable: func(err error) { t.Error(err) },
	}
	if _, err := r.Files([]string{"-"}); err != nil {
		t.Error(err)
	}
}

func BenchmarkRun(b *testing.B) {
	lines, entries := valid(b, 16<<20)
	for _, bm := range []struct {
		name   string
		lint   bool
		stream []byte
	}{
		{"lines", false, lines}, {"lint", true, lines}, {"recording", false, entries}, {"exchanges", false, exchanges(b, 16<<20)},
		{"callbacks", false, callbacks(b, 16<<20)}, {"callbacks, lint", true, callbacks(b, 16<<20)}, {"json.Valid", false, nil},
	} {
		b.Run(bm.name, func(b *testing.B) {
			if bm.stream == nil {
				b.SetBytes(int64(len(lines)))
				for b.Loop() {
					for line := range bytes.Lines(lines) {
						json.Valid(line)
					}
				}
				return
			}
			checker := linecheck.New(bm.lint)
			b.SetBytes(int64(len(bm.stream)))
			for b.Loop() {
				judge(b, checker, bm.stream)
			}
		})
	}
}
