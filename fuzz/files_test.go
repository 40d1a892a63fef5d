package fuzz_test

import (
	"bytes"
	"io"
	"path"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/canonical"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
)

// FuzzLines holds the reader of files to: the lines put together are the file, and every part of
// plain NDJSON is what the reference splitter says. The checker of lines must be able to say
// something about each.
func FuzzLines(f *testing.F) {
	addAll(f, streams())
	addAll(f, recorded(f))
	for _, line := range lines() {
		f.Add(append(line, '\n'))
	}
	check := linecheck.New(true)
	f.Fuzz(func(t *testing.T, data []byte) {
		want := split(data, codec.ReaderOptions{MaxLine: maxFileLine})
		var all []byte
		r := linestream.NewReader(bytes.NewReader(data), linestream.Options{MaxLine: maxFileLine, Oversize: writerTo(&all)})
		for n := 1; ; n++ {
			l, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil || l.Number != n {
				t.Fatalf("line %d: %+v, %v", n, l, err)
			}
			all = append(all, l.Raw...)
			if !r.Recording() && (n > len(want) || len(l.Parts) != 1 || l.Parts[0].Kind != want[n-1].Kind || !bytes.Equal(l.Parts[0].Bytes, want[n-1].Bytes)) {
				t.Fatalf("line %d has other parts: %+v", n, l.Parts)
			}
			for _, p := range l.Parts[:min(len(l.Parts), max(0, 5-n))] { // the first few: it is slow
				for _, found := range check.Check(p.Direction, p.Line) {
					if text := found.Text(terminal.Style{}); bytes.ContainsAny([]byte(text), "\n\r\x1b\x00") {
						t.Fatalf("a finding that is not one line of text: %q", text)
					}
				}
			}
		}
		if !bytes.Equal(all, data) {
			t.Fatalf("the lines put together are %q", all)
		}
	})
}

// maxFileLine is small, so that plays reach it.
const maxFileLine = 4096

// writerTo is a writer that appends.
func writerTo(to *[]byte) io.Writer { return writerFunc(func(p []byte) { *to = append(*to, p...) }) }

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

// FuzzFormat holds the formatter to: what it wrote, it writes again.
func FuzzFormat(f *testing.F) {
	addAll(f, streams())
	addAll(f, recorded(f))
	for _, line := range lines() {
		f.Add(append(line, '\n'))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		format := func(data []byte) []byte {
			var out bytes.Buffer
			if err := canonical.Format(&out, bytes.NewReader(data), maxFileLine, func(int, error) {}); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		once := format(data)
		if twice := format(once); !bytes.Equal(once, twice) {
			t.Fatalf("formatted %q\nand again %q", once, twice)
		}
	})
}

// recorded returns recorded sessions, or their beginnings: the transcripts, and a scenario of each
// area and version.
func recorded(f *testing.F) (seeds [][]byte) {
	f.Helper()
	sessions, err := corpus.All()
	if err != nil {
		f.Fatal(err)
	}
	areas := map[string]bool{}
	for _, s := range sessions {
		area := path.Dir(s.Path)
		if s.Scenario != "" && areas[area] {
			continue
		}
		areas[area] = true
		var text bytes.Buffer
		if err := recording.Write(&text, s.Entries); err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, text.Bytes()[:min(text.Len(), maxSeed/2)])
	}
	return seeds
}

// FuzzRecording holds the reader of recordings to: what it read, it writes and reads again; an
// entry holds the bytes that were written.
func FuzzRecording(f *testing.F) {
	f.Add([]byte(`{"dir":"header","version":"2.1.0"}`+"\n"+`{"dir":"sdk->cli","line":"{}"}`+"\n"+`{"dir":"exit","code":0}`+"\n"), []byte("{}\n"))
	f.Add([]byte(`{"dir":"header"} {"dir":"cli->sdk","line":"","line_b64":"/w=="} {"dir":"exit","signal":"killed"}`), []byte("\xff"))
	f.Add([]byte(`{"dir":"header"}{"dir":"x","line_b64":"?"}{"dir":"exit"}`), bytes.Repeat([]byte("x"), 70_000))
	f.Fuzz(func(t *testing.T, file, written []byte) {
		e := recording.Written(recording.ToCLI, written)
		if got, err := e.Bytes(); err != nil || e.Truncated == 0 && !bytes.Equal(got, written) {
			t.Fatalf("wrote %q, the entry has %q, %v", written, got, err)
		}
		entries, err := recording.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := recording.Write(&first, entries); err != nil {
			t.Fatal(err)
		}
		again, err := recording.Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first.Bytes())
		}
		if err := recording.Write(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again it is not the same: %v\n%s\n%s", err, first.Bytes(), second.Bytes())
		}
		for i := range entries {
			entries[i].Bytes()
		}
	})
}
