package markdown_test

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/markdown"
)

var update = flag.Bool("update", false, "write docs/reference")

const folder = "../../../docs/reference"

func pages(t *testing.T) map[string][]byte {
	t.Helper()
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	files, err := markdown.Files(m)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestThePagesAreUpToDate(t *testing.T) {
	want := pages(t)
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			file := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := map[string]bool{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		got[name] = true
		text, err := os.ReadFile(filepath.Join(folder, name))
		if diff := cmp.Diff(string(want[name]), string(text)); diff != "" {
			t.Errorf("docs/reference/%s is stale; run make reference\n%.2000s", name, diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if !got[name] {
			t.Errorf("docs/reference/%s is missing; run make reference", name)
		}
	}
}

var (
	anchors = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	links   = regexp.MustCompile(`\]\(([^)\s#]*)#([^)\s]+)\)`)
)

// TestEveryAnchorThatAPageLinksToIsThere leaves links to whole files to the test of all documents.
func TestEveryAnchorThatAPageLinksToIsThere(t *testing.T) {
	files, has, seen := pages(t), map[string]bool{}, 0
	for name, text := range files {
		for _, m := range anchors.FindAllSubmatch(text, -1) {
			anchor := name + "#" + string(m[1])
			if has[anchor] {
				t.Errorf("%s is there twice", anchor)
			}
			has[anchor] = true
		}
	}
	for name, text := range files {
		for _, m := range links.FindAllSubmatch(text, -1) {
			to := name
			if file := string(m[1]); file != "" {
				to = path.Join(path.Dir(name), file)
			}
			seen++
			if !has[to+"#"+string(m[2])] {
				t.Errorf("%s: %s leads nowhere", name, m[0])
			}
		}
	}
	if seen < 5000 {
		t.Errorf("only %d links", seen)
	}
}

func TestEveryEntryIsOnAPage(t *testing.T) {
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, text := range pages(t) {
		for _, m := range anchors.FindAllSubmatch(text, -1) {
			has[string(m[1])] = true
		}
	}
	for _, d := range m.Set().Definitions() {
		if !has[m.Entry(d.Name()).Anchor()] {
			t.Errorf("%s is on no page", d.Name())
		}
	}
}

func TestNoPageIsTooLongToBeShown(t *testing.T) {
	for name, text := range pages(t) {
		if len(text) > 400_000 { // GitHub shows the source of what is longer than about 500 KB
			t.Errorf("%s has %d bytes", name, len(text))
		}
	}
}
