package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/gztext"
)

// long returns many lines that no compressor makes much of, with one of their own at the end.
func long(own string) string {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "{\"%d\":\"%x\"}\n", i, i*i*7919)
	}
	return b.String() + "{\"own\":\"" + own + "\"}\n"
}

// Three versions of a scenario and of transcript entries that differ in a line.
func alike() map[string]string {
	return map[string]string{
		"1.0.9/turn/text.ndjson":  long("nine"),
		"1.0.10/turn/text.ndjson": long("ten"),
		"1.0.11/turn/text.ndjson": long("eleven"),
		"1.0.9.jsonl":             long("entry of nine"),
		"1.0.10.jsonl":            long("entry of ten"),
	}
}

func TestAPackTakesTheLinesThatAnOlderOneHas(t *testing.T) {
	dir := folder(t, alike())
	if _, err := Update(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"1.0.10/turn": "lines of 1.0.9/turn\n=1,401\n{\"own\":\"ten\"}\n",
		"1.0.11/turn": "lines of 1.0.9/turn\n=1,401\n{\"own\":\"eleven\"}\n",
		"1.0.10":      "lines of 1.0.9\n-- 1.0.10.jsonl --\n=2,401\n{\"own\":\"entry of ten\"}\n",
	} {
		text, err := gztext.Read(get(t, dir, Name(name)))
		if diff := cmp.Diff(want, string(text)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for file, want := range alike() {
		at, name := strings.TrimSuffix(file, ".jsonl"), file
		if at == file {
			at, name = strings.TrimSuffix(file, "/text.ndjson"), "turn/text.ndjson"
		}
		fsys, err := Read(os.DirFS(dir), at)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := fs.ReadFile(fsys, name); err != nil || string(text) != want {
			t.Errorf("%s is another text, %v", file, err)
		}
	}
}

func TestAPackWithLittleInCommonStandsForItself(t *testing.T) {
	files := alike()
	files["1.0.10/turn/text.ndjson"] = strings.ReplaceAll(long("ten"), "\":\"", "\":\"other ")
	files["1.0.11/turn/text.ndjson"] = files["1.0.10/turn/text.ndjson"]
	dir := folder(t, files)
	if _, err := Update(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"1.0.10/turn": "-- turn/text.ndjson --", "1.0.11/turn": "lines of 1.0.10/turn"} {
		text, err := gztext.Read(get(t, dir, Name(name)))
		if err != nil {
			t.Fatal(err)
		}
		if first, _, _ := bytes.Cut(text, []byte("\n")); string(first) != want {
			t.Errorf("%s begins with %q, want %q", name, first, want)
		}
	}
}

func TestPacksThatTakeLinesFromAChangedOneAreStale(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(dir string)
		want   []string
	}{
		"another text": {func(dir string) {
			put(t, dir, "1.0.9/turn/text.ndjson", "{}\n"+long("nine"))
		}, []string{"packed/1.0.10/turn.txtar.gz", "packed/1.0.11/turn.txtar.gz", "packed/1.0.9/turn.txtar.gz"}},
		"a version less": {func(dir string) {
			remove(t, dir, "1.0.9/turn")
		}, []string{"packed/1.0.10/turn.txtar.gz", "packed/1.0.11/turn.txtar.gz", "packed/1.0.9/turn.txtar.gz"}},
		"another text of one that takes": {func(dir string) {
			put(t, dir, "1.0.10/turn/text.ndjson", long("other"))
		}, []string{"packed/1.0.10/turn.txtar.gz"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, alike())
			if _, err := Update(dir); err != nil {
				t.Fatal(err)
			}
			tt.change(dir)
			if changed, err := Update(dir); err != nil || !cmp.Equal(tt.want, changed) {
				t.Errorf("changed are %q, %v, want %q", changed, err, tt.want)
			}
			if stale, err := Stale(dir); err != nil || len(stale) > 0 {
				t.Errorf("then stale are %q, %v", stale, err)
			}
		})
	}
}

func TestLinesThatTheOtherPackLacksAreAnError(t *testing.T) {
	for _, line := range []string{"=0,1", "=2,1", "=1,4", "=", "=1", "={}"} {
		if text, err := restore([]byte(line+"\n"), []byte("{}\n{}\n{}\n")); err == nil {
			t.Errorf("%s: got %q", line, text)
		}
	}
}
