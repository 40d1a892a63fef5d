// Package guide has the pages of the manual that are written by hand, in the folder pages. They are
// Markdown with some additions. A fenced block of the language "sequence SCENARIO" is a diagram of
// a recorded session, see package sequence; one of "file PATH" is a file of the folder programs,
// and one of "rules AREA" lists the rules that SDKs are judged by. A link to ref:NAME leads to what
// the manual has under that name, one to scenario:AREA/NAME to a scenario, one to rule:AREA/NAME to
// a scenario for SDKs, and one to guide:NAME to another page.
package guide

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/sequence"
)

//go:embed pages/*.md programs/python/*.py programs/typescript/*.ts
var files embed.FS

// names are the pages in their order.
var names = []string{
	"framing", "handshake", "turn", "permissions", "hooks", "mcp", "elicitation", "interrupts", "subagents",
	"resume", "checkpoints", "usage", "errors", "versions", "flags", "edges", "survive", "sdk-python", "sdk-typescript",
}

// A Page is a page of the guide.
type Page struct {
	Name  string // of its file without its end
	Title string
	text  string
}

// Pages returns all pages in their order.
func Pages() (pages []*Page, err error) {
	for _, name := range names {
		text, err := files.ReadFile("pages/" + name + ".md")
		if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		whole, err := filled(string(text))
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		pages = append(pages, &Page{Name: name, Title: strings.TrimPrefix(first, "# "), text: whole})
	}
	return pages, nil
}

// Anchor returns the name by which the HTML page links to it.
func (p *Page) Anchor() string { return "guide-" + p.Name }

// Summary returns the first sentence of the page, without references in parentheses.
func (p *Page) Summary() string {
	_, rest, _ := strings.Cut(p.text, "\n\n")
	paragraph, _, _ := strings.Cut(rest, "\n\n")
	plain := link.ReplaceAllString(aside.ReplaceAllString(strings.Join(strings.Fields(paragraph), " "), ""), "$1")
	return manual.FirstSentence(plain)
}

var (
	block = regexp.MustCompile("(?ms)^```sequence (\\S+)\n(.*?)^```$")
	aside = regexp.MustCompile(` \(\[[^\]]+\]\([^)\s]+\)\)`)
	link  = regexp.MustCompile(`\[([^\]]+)\]\(((?:ref|scenario|rule|guide):[^)\s]+)\)`)
)

// Markdown returns the page for a repository: diagrams are in the language of Mermaid. Href gives
// the address of a topic and its anchor, source that of a file of the repository. Other pages are
// in the same folder.
func (p *Page) Markdown(m *manual.Manual, href func(t *manual.Topic, anchor string) string, source func(path string) string) (string, error) {
	to := addresses{m, href, source, func(name string) string { return name + ".md" }}
	var failed error
	out := block.ReplaceAllStringFunc(p.text, func(text string) string {
		parts := block.FindStringSubmatch(text)
		d, err := sequence.Read(parts[1], parts[2])
		if err != nil {
			failed = err
			return text
		}
		return fmt.Sprintf("```mermaid\n%s```\n\nScenario [%s](%s), as %s played it.\n\n%s",
			d.Mermaid(), d.Scenario, source(scenarioFile(d.Scenario)), d.Version, folded(d.Lines(m), href))
	})
	out = link.ReplaceAllStringFunc(out, func(text string) string {
		parts := link.FindStringSubmatch(text)
		address, err := to.resolve(parts[2])
		if err != nil {
			failed = err
		}
		return fmt.Sprintf("[%s](%s)", parts[1], address)
	})
	if failed != nil {
		return "", fmt.Errorf("page %s: %w", p.Name, failed)
	}
	return out, nil
}

// folded returns lines in a part that can be opened.
func folded(lines []sequence.Line, href func(t *manual.Topic, anchor string) string) string {
	var b strings.Builder
	b.WriteString("<details>\n<summary>The lines as they are on the wire</summary>\n")
	for _, l := range lines {
		title := l.Title
		if l.Entry != nil {
			title = fmt.Sprintf("[%s](%s)", title, href(l.Entry.Topic, l.Entry.Anchor()))
		}
		if l.Cut {
			title += ", what is long is cut"
		}
		language := "json"
		if !l.JSON {
			language = "text"
		}
		fmt.Fprintf(&b, "\n%s\n\n```%s\n%s\n```\n", title, language, l.Text)
	}
	b.WriteString("\n</details>")
	return b.String()
}
