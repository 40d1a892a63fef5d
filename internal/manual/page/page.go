// Package page prints the manual as one HTML file that needs nothing else: it can be opened from a
// folder, without a network. Its content security policy allows its own script and style, by their
// hashes, and nothing that is fetched.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/guide"
)

var (
	//go:embed assets/page.html
	layout string
	//go:embed assets/page.css
	style string
	//go:embed assets/search.js
	search string
	//go:embed assets/page.js
	behaviour string
)

// A contents is what the template shows.
type contents struct {
	Manual                *manual.Manual
	Guides                []chapter
	Style                 template.CSS
	Script                template.JS
	StyleHash, ScriptHash template.HTMLAttr
}

// A chapter is a page of the guide.
type chapter struct {
	*guide.Page
	Body template.HTML
}

// Write writes the page. Base is the address below which the files of the repository are; if it is
// "" the page names them without a link.
func Write(w io.Writer, m *manual.Manual, base string) error {
	source := func(path string) string {
		if base == "" {
			return ""
		}
		return strings.TrimSuffix(base, "/") + "/" + path
	}
	pages, err := guide.Pages()
	if err != nil {
		return err
	}
	script := search + behaviour
	c := contents{
		Manual: m, Style: template.CSS(style), Script: template.JS(script),
		StyleHash: hash(style), ScriptHash: hash(script),
	}
	for _, p := range pages {
		body, err := p.HTML(m, highlight, source)
		if err != nil {
			return err
		}
		c.Guides = append(c.Guides, chapter{p, body})
	}
	funcs := functions(m)
	funcs["source"] = source
	funcs["file"] = func(address, name string) file { return file{address, name} }
	t, err := template.New("page").Funcs(funcs).Parse(layout)
	if err != nil {
		return err
	}
	return t.Execute(w, c)
}

// A file is one of the repository, with its address or "".
type file struct{ Address, Name string }

// hash names a text in a content security policy.
func hash(text string) template.HTMLAttr {
	sum := sha256.Sum256([]byte(text))
	return template.HTMLAttr("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
}

func functions(m *manual.Manual) template.FuncMap {
	return template.FuncMap{
		"prose":     prose,
		"json":      highlight,
		"caption":   caption,
		"grade":     gradeOf,
		"direction": directionOf,
		"first":     manual.FirstSentence,
		"versions":  func() []string { return m.Versions },
		"more":      func(e *manual.Entry) int { return e.Shown.Total - len(e.Shown.Scenarios) },
		"values": func(e *manual.Entry) manual.Member {
			return manual.Member{Values: e.Values, Open: e.Definition.Partial}
		},
	}
}

// prose returns a text with its code in elements of that kind.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// gradeOf says how often an entry is met, "" where its evidence or its area says it.
func gradeOf(e *manual.Entry) string {
	if e.Grade >= manual.Never {
		return ""
	}
	return e.Grade.String()
}

// caption returns what stands before an example.
func caption(text string) template.HTML {
	return "<span>" + prose(strings.TrimSuffix(text, ":")) + "</span>"
}

// A direction is who writes something.
type direction struct{ Class, Text string }

func directionOf(name string) *direction {
	classes := map[string]string{"cli-to-sdk": "cli", "sdk-to-cli": "sdk", "both": "both"}
	if classes[name] == "" {
		return nil
	}
	return &direction{classes[name], manual.Arrow(name)}
}
