package guide_test

import (
	"html/template"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/guide"
)

func load(t *testing.T) (*manual.Manual, []*guide.Page) {
	t.Helper()
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := guide.Pages()
	if err != nil {
		t.Fatal(err)
	}
	return m, pages
}

// nowhere is the address of files that are not linked.
func nowhere(string) string { return "" }

// shown is how a text is shown in these tests.
func shown(text []byte) (template.HTML, error) { return template.HTML(text), nil }

func TestALineOfAGuideLeadsToItsEntry(t *testing.T) {
	m, pages := load(t)
	for _, p := range pages {
		if p.Name != "permissions" {
			continue
		}
		html, err := p.HTML(m, shown, nowhere)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			`<a href="#control-can_use_tool-Request">CLI → SDK: control_request/can_use_tool</a>`,
			`<a href="#control-can_use_tool-Response">SDK → CLI: control_response/success</a>`,
			`<a href="#message-system.init">CLI → SDK: system/init</a>`,
			`<a href="#message-user">SDK → CLI: user</a>`,
			`<a href="#control-can_use_tool-Request"><g class="from-cli">`,
		} {
			if !strings.Contains(string(html), want) {
				t.Errorf("no %s", want)
			}
		}
	}
}

// withoutLines are the pages that need no diagram: they are about programs and their flags.
var withoutLines = []string{"flags", "survive", "sdk-python", "sdk-typescript"}

// TestEveryPageHasADiagramThatIsTrue fails where the newest recording of a scenario has other lines
// than a page says, and where a link of a page leads nowhere.
func TestEveryPageHasADiagramThatIsTrue(t *testing.T) {
	m, pages := load(t)
	for _, p := range pages {
		t.Run(p.Name, func(t *testing.T) {
			text, err := p.Markdown(m,
				func(_ *manual.Topic, anchor string) string { return "#" + anchor },
				func(name string) string { return name })
			if err != nil {
				t.Fatal(err)
			}
			html, err := p.HTML(m, shown, nowhere)
			if err != nil {
				t.Fatal(err)
			}
			drawn, written := strings.Count(string(html), "<svg "), strings.Count(text, "```mermaid")
			if drawn != written {
				t.Errorf("%d diagrams in HTML, %d in Markdown", drawn, written)
			}
			if below := strings.Count(text, "<details>"); below != written {
				t.Errorf("%d of %d diagrams have their lines below", below, written)
			}
			for _, side := range []string{"SDK → CLI: ", "CLI → SDK: "} {
				if slices.Contains(withoutLines, p.Name) {
					continue
				}
				if !strings.Contains(text, side) || !strings.Contains(string(html), ">"+side) {
					t.Errorf("no line has the title %q", side)
				}
			}
			for _, left := range []string{"(ref:", "(scenario:", "(guide:", "(rule:", "```sequence", "```file", "```rules"} {
				if strings.Contains(text, left) || strings.Contains(string(html), left) {
					t.Errorf("%s is left", left)
				}
			}
			if p.Title == "" || !strings.HasSuffix(p.Summary(), ".") || strings.ContainsAny(p.Summary(), "[]") || strings.HasSuffix(p.Summary(), ").") {
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
