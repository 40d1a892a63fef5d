// Package markdown prints the manual as the pages of docs/reference: one for each area, those of
// the guide, and a first page that lists them.
package markdown

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/guide"
)

// root is the way from the folder of the pages to that of the repository.
const root = "../../"

// Files returns the pages by their names in the folder.
func Files(m *manual.Manual) (map[string][]byte, error) {
	pages, err := guide.Pages()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"README.md": first(m, pages)}
	for _, p := range pages {
		text, err := p.Markdown(m,
			func(t *manual.Topic, anchor string) string { return "../" + file(t) + "#" + anchor },
			func(path string) string { return "../" + root + path })
		if err != nil {
			return nil, err
		}
		files["guide/"+p.Name+".md"] = []byte(text)
	}
	for _, a := range m.Areas {
		for _, part := range split(a) {
			w := &writer{manual: m}
			w.area(a, part)
			files[part.file] = w.Bytes()
		}
	}
	return files, nil
}

// A part is a page of an area.
type part struct {
	file, title string
	has         func(t *manual.Topic) bool
}

// split cuts an area into pages. Control requests are by the side that asks, since all would be
// more than a page can hold.
func split(a *manual.Area) []part {
	if a.Name != "control" {
		return []part{{a.Name + ".md", a.Title, func(*manual.Topic) bool { return true }}}
	}
	asks := func(t *manual.Topic) bool { return t.Direction() == "cli-to-sdk" }
	return []part{
		{"control-from-cli.md", a.Title + " from the CLI", func(t *manual.Topic) bool { return asks(t) }},
		{"control-from-sdk.md", a.Title + " from the SDK", func(t *manual.Topic) bool { return !asks(t) }},
	}
}

// file returns the page of a topic.
func file(t *manual.Topic) string {
	for _, p := range split(t.Area) {
		if p.has(t) {
			return p.file
		}
	}
	return ""
}

// scenario returns the address of a scenario.
func scenario(name string) string { return root + "conformance/scenarios/" + name + ".txtar" }

// first returns the page that lists the others.
func first(m *manual.Manual, pages []*guide.Page) []byte {
	w := &writer{manual: m}
	w.printf(`# The protocol

The manual of the Claude Code CLI's bidirectional stream-json protocol. It is made from the
[schemas](%sschema), their examples and recordings of real CLIs: run %s to bring it up to date.
%s prints an entry in the terminal, and %s writes all of it as one page
of HTML that can be searched.

## How it works

`, root, "`make reference`", "`protogen explain NAME`", "`protogen docs --out DIR`")
	for _, p := range pages {
		w.printf("- [%s](guide/%s.md). %s\n", p.Title, p.Name, p.Summary())
	}
	w.printf("\n## What there is\n\n| page | what is in it | entries |\n| --- | --- | --- |\n")
	for _, a := range m.Areas {
		for _, p := range split(a) {
			n := 0
			for _, t := range a.Topics {
				if p.has(t) {
					n += len(t.Entries)
				}
			}
			w.printf("| [%s](%s) | %s | %d |\n", p.title, p.file, a.Intro, n)
		}
	}
	w.printf("\nRecorded versions of the CLI: %s.\n", strings.Join(m.Versions, ", "))
	return w.Bytes()
}

// A writer writes a page.
type writer struct {
	bytes.Buffer
	manual *manual.Manual
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.Buffer, format, args...) }

func (w *writer) area(a *manual.Area, p part) {
	w.printf("# %s\n\n%s\n\n[All pages](README.md)\n\n| name | direction | met | what it is |\n| --- | --- | --- | --- |\n", p.title, a.Intro)
	for _, t := range a.Topics {
		if p.has(t) {
			w.printf("| [`%s`](#%s) | %s | %s | %s |\n", t.Name, t.Anchor(), manual.Arrow(t.Direction()), t.Grade(), cell(t.Summary()))
		}
	}
	for _, t := range a.Topics {
		if p.has(t) {
			w.topic(t)
		}
	}
}

func (w *writer) topic(t *manual.Topic) {
	w.printf("\n<a id=\"%s\"></a>\n\n## `%s`\n", t.Anchor(), t.Name)
	for _, e := range t.Entries {
		w.entry(e)
	}
}

func (w *writer) entry(e *manual.Entry) {
	d := e.Definition
	if e.Key != "" {
		w.printf("\n<a id=\"%s\"></a>\n\n### %s %s\n", e.Anchor(), "`"+e.Topic.Name+"`", e.Key)
	}
	w.printf("\n%s\n\n", prose(d.Description))
	w.printf("%s\n", facts(e))
	w.values(e)
	if len(e.Members) > 0 {
		w.printf("\n| member | type | | meaning |\n| --- | --- | --- | --- |\n")
		for i := range e.Members {
			w.member(&e.Members[i])
		}
	}
	w.arms(e)
	w.example(e)
	w.links(e)
}

// facts returns who writes it, since when, and how that is known.
func facts(e *manual.Entry) string {
	d := e.Definition
	list := []string{"**" + cmp.Or(manual.Arrow(d.Direction), "part of others") + "**"}
	if d.Since != "" {
		list = append(list, "since "+d.Since)
	}
	list = append(list, d.Evidence)
	if e.Grade < manual.Never {
		list = append(list, e.Grade.String())
	}
	if e.Go != "" {
		list = append(list, fmt.Sprintf("Go [`wire.%s`](%s%s)", e.Go, root, e.GoFile()))
	}
	list = append(list, fmt.Sprintf("[schema](%sschema/%s)", root, d.File))
	if d.Tool != nil {
		list = append(list, "tool `"+strings.Join(d.Tool, "`, before `")+"`")
	}
	return strings.Join(list, " · ")
}

func (w *writer) member(m *manual.Member) {
	meaning := cell(m.Meaning)
	if len(m.Values) > 0 {
		meaning = strings.TrimSpace(meaning + " " + list(m.Values, m.Open))
	}
	w.printf("| `%s` | %s | %s | %s |\n", m.Name, w.typeOf(m.Type), strings.Join(m.Marks(), ", "), meaning)
}

// values says what a string may be, or what is not an object.
func (w *writer) values(e *manual.Entry) {
	switch {
	case len(e.Values) > 0:
		w.printf("\n%s\n", list(e.Values, e.Definition.Partial))
	case e.Type != nil && e.Arms == nil:
		w.printf("\nType: %s.\n", w.typeOf(e.Type))
	}
}

// list returns the known values of a string.
func list(values []string, open bool) string {
	var b strings.Builder
	b.WriteString("One of ")
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s`", v)
	}
	if open {
		b.WriteString(" and others")
	}
	b.WriteString(".")
	return b.String()
}

func (w *writer) arms(e *manual.Entry) {
	if len(e.Arms) == 0 {
		return
	}
	w.printf("\nOne of:\n\n")
	for _, arm := range e.Arms {
		w.printf("- %s: %s\n", w.link(arm), prose(manual.FirstSentence(arm.Definition.Description)))
	}
}

func (w *writer) example(e *manual.Entry) {
	x := e.Exchange()
	if x == nil {
		w.json(e.Source(), e.Example())
		return
	}
	w.json(x.Source, x.Request)
	if x.Answer != nil {
		w.json("The "+x.Answers()+" answers:", x.Answer)
	}
}

// json shows a value, with a title.
func (w *writer) json(title string, text []byte) {
	var pretty bytes.Buffer
	if json.Indent(&pretty, text, "", "  ") != nil {
		return
	}
	w.printf("\n%s\n\n```json\n%s\n```\n", title, pretty.Bytes())
}

// links says which versions have it, what shows it, and what it belongs to.
func (w *writer) links(e *manual.Entry) {
	w.printf("\n")
	if v := e.Shown.Versions; len(v) > 0 {
		w.printf("- Recorded with %s\n", strings.Join(v, ", "))
	}
	if s := e.Shown.Scenarios; len(s) > 0 {
		names := make([]string, len(s))
		for i, name := range s {
			names[i] = fmt.Sprintf("[%s](%s)", name, scenario(name))
		}
		more := ""
		if e.Shown.Total > len(s) {
			more = fmt.Sprintf(" and %d more", e.Shown.Total-len(s))
		}
		w.printf("- Scenarios: %s%s\n", strings.Join(names, ", "), more)
	}
	if e.Pair != nil {
		w.printf("- %s: %s\n", e.Pair.Key, w.link(e.Pair))
	}
	w.entries("Uses", e.Uses, e.Arms)
	w.entries("Used by", e.UsedBy, nil)
}

// entries lists links, but for those to what is listed elsewhere.
func (w *writer) entries(title string, all, listed []*manual.Entry) {
	if len(all) == 0 || len(listed) > 0 {
		return
	}
	links := make([]string, len(all))
	for i, e := range all {
		links[i] = w.link(e)
	}
	w.printf("- %s %s\n", title, strings.Join(links, ", "))
}

func (w *writer) link(e *manual.Entry) string {
	return fmt.Sprintf("[%s](%s#%s)", e.Title(), file(e.Topic), e.Anchor())
}

func (w *writer) typeOf(t manual.Type) string {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.To != nil:
			b.WriteString(w.link(p.To))
		case strings.HasPrefix(p.Text, `"`):
			b.WriteString("`" + p.Text + "`")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

var plain = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, `<`, `\<`, `[`, `\[`)

// prose escapes what Markdown would take as its own outside of code.
func prose(text string) string {
	parts := strings.Split(text, "`")
	for i := range parts {
		if i%2 == 0 {
			parts[i] = plain.Replace(parts[i])
		}
	}
	return strings.Join(parts, "`")
}

// cell is prose for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(prose(text), "|", `\|`) }
