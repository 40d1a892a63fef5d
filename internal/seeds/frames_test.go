package seeds

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

var update = flag.Bool("update", false, "rewrite frames.ndjson.gz")

// recordedLines returns the lines of all recordings, each once.
func recordedLines(t testing.TB) (lines [][]byte) {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range sessions {
		for _, l := range s.Lines {
			if !seen[string(l.Text)] {
				seen[string(l.Text)] = true
				lines = append(lines, l.Text)
			}
		}
	}
	return lines
}

// seedLines returns the frames of the seed documents.
func seedLines(t testing.TB) [][]byte {
	t.Helper()
	f, err := os.Open("../../schema/testdata/seed_vectors.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]byte
	for s := bufio.NewScanner(f); s.Scan(); {
		var vector struct{ Frame json.RawMessage }
		if err := json.Unmarshal(s.Bytes(), &vector); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, vector.Frame)
	}
	return lines
}

// chooseFrames returns the shortest recorded objects that together have every definition, every
// kind of deviation and every error that any of them has, and the seeds.
func chooseFrames(t testing.TB) []byte {
	t.Helper()
	lines := recordedLines(t)
	slices.SortStableFunc(lines, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) })
	seen := map[string]bool{}
	var chosen bytes.Buffer
	for _, line := range lines {
		names, err := schema.Default().Touched(schema.Either.Definition(), line)
		added := err != nil && json.Valid(line) && !seen[err.Error()]
		if err != nil {
			seen[err.Error()] = true
		}
		deviations, _ := schema.Default().Lint(schema.Either.Definition(), line)
		for _, d := range deviations {
			names = append(names, d.Kind.String())
		}
		for _, name := range names {
			added = added || !seen[name]
			seen[name] = true
		}
		if added && bytes.HasPrefix(line, []byte("{")) {
			chosen.Write(line)
			chosen.WriteByte('\n')
		}
	}
	for _, line := range seedLines(t) {
		chosen.Write(line)
		chosen.WriteByte('\n')
	}
	return chosen.Bytes()
}

func TestFramesAreThoseOfTheRecordingsAndSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all recordings; make test-all runs it")
	}
	want := chooseFrames(t)
	if *update {
		packed, err := gztext.Pack(want)
		if err := errors.Join(err, os.WriteFile("frames.ndjson.gz", packed, 0o666)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(gztext.Must(packedFrames), want) {
		t.Error("frames.ndjson.gz is not up to date; run go test with -update")
	}
}

func TestInputsHaveNamesOfTheirOwn(t *testing.T) {
	for _, inputs := range [][]Input{Streams(), Frames()} {
		names := map[string]bool{}
		for _, in := range inputs {
			if names[in.Name] || in.Name == "" || strings.ContainsAny(in.Name, `/\ :`) {
				t.Errorf("bad name %q", in.Name)
			}
			names[in.Name] = true
		}
		if len(names) < 50 {
			t.Errorf("only %d inputs", len(names))
		}
	}
}

func TestWrittenFilesHoldTheInputs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	n, err := Write(dir, Plain)
	if err != nil || n != len(Streams())+len(Frames())+6 {
		t.Fatalf("wrote %d files, %v", n, err)
	}
	for _, in := range Streams() {
		data, err := os.ReadFile(filepath.Join(dir, "framing", in.Name))
		if err != nil || !bytes.Equal(data, in.Data) {
			t.Errorf("%s: %v", in.Name, err)
		}
	}
	if _, err := Write(filepath.Join(dir, "framing", Streams()[0].Name), Plain); err == nil {
		t.Error("a file in the place of the folder is not an error")
	}
}

func TestGoFormatIsThatOfTestdataFuzz(t *testing.T) {
	got := string(Go.encode([]byte("a\"\xff\n")))
	if want := "go test fuzz v1\n[]byte(\"a\\\"\\xff\\n\")\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
