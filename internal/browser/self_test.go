//go:build browser

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAProblemOfAPageIsFound opens pages that do what no page of ours may do.
func TestAProblemOfAPageIsFound(t *testing.T) {
	for name, test := range map[string]struct{ html, want string }{
		"error in the console": {`<script>console.error("broken")</script>`, "broken"},
		"exception":            {`<script>null.x</script>`, "TypeError"},
		"policy": {`<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><script>document.title = 1</script>`,
			"Content Security Policy"},
		"request": {`<img src="http://127.0.0.1:9/x.png">`, "request for http://127.0.0.1:9/x.png"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, write(t, "<!doctype html><title>x</title>"+test.html))
			if got := strings.Join(p.found(), "\n"); !strings.Contains(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

func TestAPageWithoutProblemsHasNone(t *testing.T) {
	p := open(t, write(t, `<!doctype html><title>x</title><style>p { width: 2000px }</style><p>wide</p>`), phone(), scheme("dark"))
	if !p.sideways() {
		t.Error("a page that is wider than the window is not seen as such")
	}
	if !eval[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`) {
		t.Error("the page is not dark")
	}
}

// write puts a page into a file of its own.
func write(t *testing.T, html string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(html), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
