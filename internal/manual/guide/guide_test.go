package guide_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/guide"
)

// TestEveryPageHasADiagramThatIsTrue fails where the newest recording of a scenario has other lines
// than a page says, and where a link of a page leads nowhere.
func TestEveryPageHasADiagramThatIsTrue(t *testing.T) {
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := guide.Pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		t.Run(p.Name, func(t *testing.T) {
			text, err := p.Markdown(m,
				func(_ *manual.Topic, anchor string) string { return "#" + anchor },
				func(name string) string { return name })
			if err != nil {
				t.Fatal(err)
			}
			html, err := p.HTML(m)
			if err != nil {
				t.Fatal(err)
			}
			drawn, written := strings.Count(string(html), "<svg "), strings.Count(text, "```mermaid")
			if drawn == 0 || drawn != written {
				t.Errorf("%d diagrams in HTML, %d in Markdown", drawn, written)
			}
			for _, left := range []string{"ref:", "scenario:", "```sequence"} {
				if strings.Contains(text, left) || strings.Contains(string(html), left) {
					t.Errorf("%s is left", left)
				}
			}
			if p.Title == "" || !strings.HasSuffix(p.Summary(), ".") || strings.ContainsAny(p.Summary(), "[]") {
				t.Errorf("title %q, summary %q", p.Title, p.Summary())
			}
		})
	}
	files, err := os.ReadDir("pages")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(pages) {
		t.Errorf("%d files, and %d pages are listed", len(files), len(pages))
	}
}
