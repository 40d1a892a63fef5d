package diff_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/diff"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
)

var update = flag.Bool("update", false, "write what the tests get into the golden files")

func compare(t testing.TB, a, b []byte) *diff.Report {
	t.Helper()
	r, err := diff.Compare(diff.Input{Name: "a", Src: bytes.NewReader(a)}, diff.Input{Name: "b", Src: bytes.NewReader(b)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func textOf(t testing.TB, r *diff.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Text(&b, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDifferencesAreNamed compares the files a and b of each archive, as short lines: what the file
// is a recording of is written as "> LINE" for what the SDK wrote, "< LINE" for the CLI.
func TestDifferencesAreNamed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file := map[string][]byte{}
			for _, f := range archive.Files {
				file[f.Name] = f.Data
			}
			got := textOf(t, compare(t, entries(t, file["a"]), entries(t, file["b"])))
			if *update {
				for i := range archive.Files {
					if archive.Files[i].Name == "want" {
						archive.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(file["want"]), got); diff != "" && !*update {
				t.Error(diff)
			}
		})
	}
}

// entries makes a recording of short lines. Others stay as they are.
func entries(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for line := range strings.Lines(string(text)) {
		dir, ok := map[byte]recording.Dir{'>': recording.ToCLI, '<': recording.ToSDK}[line[0]]
		if !ok {
			b.WriteString(line)
		} else if err := e.Encode(recording.Entry{Dir: dir, Line: strings.TrimSpace(line[1:])}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// sampled are recorded sessions as files.
func sampled(t *testing.T, step int) map[string][]byte {
	t.Helper()
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		step *= 10
	}
	files := map[string][]byte{}
	for i := 0; i < len(all); i += step {
		var b bytes.Buffer
		if err := recording.Write(&b, all[i].Entries); err != nil {
			t.Fatal(err)
		}
		files[all[i].Path] = b.Bytes()
	}
	return files
}

var (
	uuid = regexp.MustCompile(`00000000-0000-4000-8000-0000(\d{8})`)
	ms   = regexp.MustCompile(`(_ms\\":)\d+`)
)

func TestARecordingDoesNotDifferFromItselfWithOtherIDsAndTimes(t *testing.T) {
	changed := 0
	for path, text := range sampled(t, 97) {
		other := uuid.ReplaceAll(text, []byte("9b1c$1-0000-4abc-8000-0000deadbeef"))
		other = bytes.ReplaceAll(other, []byte("toolu_"), []byte("toolu_01Xy"))
		other = ms.ReplaceAll(other, []byte("${1}98765"))
		other = regexp.MustCompile(`9b1c(\d{4})(\d{4})-0000`).ReplaceAll(other, []byte("9b1c$1-$2"))
		if !bytes.Equal(text, other) {
			changed++
		}
		if r := compare(t, text, other); len(r.Differences) > 0 {
			t.Errorf("%s:\n%s", path, textOf(t, r))
		}
	}
	if changed == 0 {
		t.Error("nothing was changed")
	}
}

// TestALineThatIsTakenOutIsTheOneThatIsMissing takes a line out of recordings, and puts it in.
func TestALineThatIsTakenOutIsTheOneThatIsMissing(t *testing.T) {
	tried := 0
	for path, text := range sampled(t, 331) {
		lines := bytes.SplitAfter(text, []byte("\n"))
		for i, line := range lines {
			if !bytes.Contains(line, []byte(`{\"type\":\"result\"`)) {
				continue
			}
			tried++
			without := bytes.Join(append(append([][]byte{}, lines[:i]...), lines[i+1:]...), nil)
			gone, back := compare(t, text, without), compare(t, without, text)
			if gone.Counts[diff.Removed] != 1 || back.Counts[diff.Added] != 1 {
				t.Errorf("%s: line %d:\n%s%s", path, i+1, textOf(t, gone), textOf(t, back))
			}
		}
	}
	if tried == 0 {
		t.Error("no recording has a result")
	}
}

// long returns a session with as many lines, of which each is another if vary is set.
func long(lines int, vary string) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, `{"dir":"cli->sdk","line":"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%d%s\"}}"}`+"\n", i%700, vary)
	}
	return b.Bytes()
}

func TestFiftyThousandLinesThatAllDifferAreCompared(t *testing.T) {
	n := 50_000
	if testing.Short() {
		n = 5_000
	}
	r := compare(t, long(n, ""), long(n-10, "y"))
	if r.Counts[diff.Changed] != n-10 || r.Counts[diff.Removed] != 10 {
		t.Errorf("%d lines: %s", n, r.Sum())
	}
}

func TestAPageHoldsAHostileRecordingAsText(t *testing.T) {
	evil := `</style><script>window.owned=1</script><img src=x onerror=x>`
	a := []byte(`{"dir":"cli->sdk","line":"{\"type\":\"user\",\"x\":\"1\"}"}` + "\n")
	b, err := json.Marshal(map[string]string{"dir": "cli->sdk", "line": `{"type":"user","x":"` + evil + `","` + evil + `":"\u001b[2J"}`})
	if err != nil {
		t.Fatal(err)
	}
	r := compare(t, a, append(b, '\n'))
	var page bytes.Buffer
	if err := r.Page(&page); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); strings.Contains(text, "<script") || strings.Contains(text, "<img") || !strings.Contains(text, "script-src") && !strings.Contains(text, "default-src &#39;none&#39;") {
		t.Errorf("the page is\n%s", text)
	}
	if text := textOf(t, r); strings.Contains(text, "\x1b") || !strings.Contains(text, `[2J`) {
		t.Errorf("a terminal gets %q", text)
	}
}
