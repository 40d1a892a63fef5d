package pack

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/gztext"
)

// folder returns a folder of recordings with these files, by slash-separated path.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, dir, name, text)
	}
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// corpus has two versions and a session that no scenario plays.
func corpus() map[string]string {
	return map[string]string{
		"1.0.1/turn/text.ndjson":         "{\"a\":1}\n{\"b\":\"-- no name --\"}\n",
		"1.0.1/turn/tool.ndjson":         "{}\n",
		"1.0.1/end/eof.ndjson":           "{}\n",
		"1.0.2/turn/text.ndjson":         "{\"a\":2}\n",
		"sessions/1.0.2/sdk-tool.ndjson": "{\"a\":3}\n",
	}
}

// The packs of it.
const (
	packEnd      = "packed/1.0.1/end.txtar.gz"
	packTurn     = "packed/1.0.1/turn.txtar.gz"
	packNewTurn  = "packed/1.0.2/turn.txtar.gz"
	packSessions = "packed/sessions/1.0.2.txtar.gz"
)

func TestPacksHoldTheFilesOfTheirFolders(t *testing.T) {
	dir := folder(t, corpus())
	changed, err := Update(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{packEnd, packTurn, packNewTurn, packSessions}, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	for name, tt := range map[string]struct{ folders, want []string }{
		"an area":   {[]string{"1.0.1/turn"}, []string{"turn/text.ndjson", "turn/tool.ndjson"}},
		"a version": {[]string{"1.0.1/end", "1.0.1/turn"}, []string{"end/eof.ndjson", "turn/text.ndjson", "turn/tool.ndjson"}},
	} {
		t.Run(name, func(t *testing.T) {
			fsys, err := Read(os.DirFS(dir), tt.folders...)
			if err != nil {
				t.Fatal(err)
			}
			if err := fstest.TestFS(fsys, tt.want...); err != nil {
				t.Error(err)
			}
			for _, name := range tt.want {
				text, err := fs.ReadFile(fsys, name)
				if want := corpus()["1.0.1/"+name]; err != nil || string(text) != want {
					t.Errorf("%s: got %q, %v, want %q", name, text, err, want)
				}
			}
			if names, err := fs.Glob(fsys, "*/*"); err != nil || !cmp.Equal(names, tt.want) {
				t.Errorf("it has %q, %v", names, err)
			}
		})
	}
}

func TestTheSameFilesGiveTheSameBytes(t *testing.T) {
	a, b := folder(t, corpus()), folder(t, corpus())
	for _, dir := range []string{a, b} {
		if _, err := Update(dir); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(get(t, a, packTurn), get(t, b, packTurn)); diff != "" {
		t.Error(diff)
	}
}

func TestStalePacksAreNamedAndPutRight(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(t *testing.T, dir string)
		want   []string
	}{
		"nothing": {func(*testing.T, string) {}, nil},
		"another text": {func(t *testing.T, dir string) {
			put(t, dir, "1.0.1/turn/text.ndjson", "{\"a\":4}\n")
		}, []string{packTurn}},
		"a new file": {func(t *testing.T, dir string) {
			put(t, dir, "1.0.2/turn/more.ndjson", "{}\n")
		}, []string{packNewTurn}},
		"a file less": {func(t *testing.T, dir string) {
			remove(t, dir, "1.0.1/turn/tool.ndjson")
		}, []string{packTurn}},
		"a new area": {func(t *testing.T, dir string) {
			put(t, dir, "1.0.1/hook/stop.ndjson", "{}\n")
		}, []string{"packed/1.0.1/hook.txtar.gz"}},
		"an area less": {func(t *testing.T, dir string) {
			remove(t, dir, "1.0.1/end")
		}, []string{packEnd}},
		"a new version": {func(t *testing.T, dir string) {
			put(t, dir, "1.0.3/turn/text.ndjson", "{}\n")
		}, []string{"packed/1.0.3/turn.txtar.gz"}},
		"a version less": {func(t *testing.T, dir string) {
			remove(t, dir, "1.0.2")
		}, []string{packNewTurn}},
		"no packs": {func(t *testing.T, dir string) {
			remove(t, dir, Folder)
		}, []string{packEnd, packTurn, packNewTurn, packSessions}},
		"a pack that cannot be read": {func(t *testing.T, dir string) {
			put(t, dir, packSessions, "<<<<<<< ours\n")
		}, []string{packSessions}},
		"an empty pack": {func(t *testing.T, dir string) {
			put(t, dir, packSessions, "")
		}, []string{packSessions}},
		"a pack that was cut": {func(t *testing.T, dir string) {
			put(t, dir, packTurn, string(get(t, dir, packTurn)[:40]))
		}, []string{packTurn}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, corpus())
			if _, err := Update(dir); err != nil {
				t.Fatal(err)
			}
			tt.change(t, dir)
			if stale, err := Stale(dir); err != nil || !cmp.Equal(tt.want, stale) {
				t.Errorf("stale are %q, %v, want %q", stale, err, tt.want)
			}
			if changed, err := Update(dir); err != nil || !cmp.Equal(tt.want, changed) {
				t.Errorf("changed are %q, %v, want %q", changed, err, tt.want)
			}
			if stale, err := Stale(dir); err != nil || len(stale) > 0 {
				t.Errorf("then stale are %q, %v", stale, err)
			}
		})
	}
}

func remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

func TestAPackOfAnotherCompressorIsLeftAlone(t *testing.T) {
	dir := folder(t, corpus())
	if _, err := Update(dir); err != nil {
		t.Fatal(err)
	}
	text, err := gztext.Read(get(t, dir, packTurn))
	if err != nil {
		t.Fatal(err)
	}
	other := recompress(t, text)
	put(t, dir, packTurn, string(other))
	if changed, err := Update(dir); err != nil || len(changed) > 0 {
		t.Errorf("changed are %q, %v", changed, err)
	}
	if diff := cmp.Diff(other, get(t, dir, packTurn)); diff != "" {
		t.Errorf("it was written:\n%s", diff)
	}
}

func TestAFileThatIsNotWholeLinesIsRefusedByName(t *testing.T) {
	for name, text := range map[string]string{
		"no end of a line":      "{}",
		"the mark of a file":    "-- a --\n{}\n",
		"the mark between them": "{}\n-- 1.0.1/turn/b.ndjson --\n{}\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, corpus())
			put(t, dir, "1.0.1/turn/broken.ndjson", text)
			_, err := Update(dir)
			if err == nil || !strings.Contains(err.Error(), "packed/1.0.1/turn.txtar.gz: turn/broken.ndjson cannot be packed") {
				t.Errorf("got %v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, Folder)); !os.IsNotExist(err) {
				t.Errorf("something was written: %v", err)
			}
		})
	}
}

// recompress packs a text as little as can be.
func recompress(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
