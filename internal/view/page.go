package view

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

//go:embed assets/*.js
var scripts embed.FS

// script is the page's script: the files in the order in which they need each other.
var script = func() string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range []string{"page", "session", "talk", "detail", "controls", "verbs", "start"} {
		text, err := scripts.ReadFile("assets/" + name + ".js")
		if err != nil {
			panic(err) // it is built in
		}
		b.Write(text)
	}
	b.WriteString("})();")
	return b.String()
}()

//go:embed assets/page.css
var style string

//go:embed assets/page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// hash returns a source of a content security policy: the element with this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy is what the page may do: run its script, use its style, hear from its own server.
var policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
	"; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// filePolicy is policy for a page without a server.
var filePolicy = string(bytes.ReplaceAll([]byte(policy), []byte("connect-src 'self'"), []byte("connect-src 'none'")))

// How much one element of the page has, about: of rows, and of their texts, which are packed and
// are unpacked behind the rows' backs.
const (
	rowChunk  = 4 << 20
	textChunk = 1 << 20
)

// page is what the template is filled with. The scripts and styles are ours; everything else is
// escaped by the template.
type page struct {
	Title  string
	Policy string
	Script template.JS
	Style  template.CSS
	Live   bool
}

// A manualEntry is one of the manual, in an element that shows nothing by itself.
type manualEntry struct {
	Name string
	HTML template.HTML
}

var entriesTemplate = template.Must(template.New("entries").Parse(
	`{{range .}}<template data-name="{{.Name}}">{{.HTML}}</template>{{end}}`))

// A Page writes rows into one HTML file that needs nothing else.
type Page struct {
	w      io.Writer
	manual Manual
	names  map[string]bool
	rows   elements // without their texts
	texts  elements
	err    error
}

// elements is the JSON array of the next element.
type elements struct {
	buf   bytes.Buffer
	count int
}

func (e *elements) add(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if e.count++; e.count > 1 {
		e.buf.WriteByte(',')
	}
	e.buf.Write(text)
	return nil
}

func (e *elements) reset() {
	e.buf.Reset()
	e.count = 0
}

// NewPage writes the beginning of a page.
func NewPage(w io.Writer, title string, manual Manual) *Page {
	p := &Page{w: w, manual: manual, names: map[string]bool{}}
	p.err = pageTemplate.ExecuteTemplate(w, "head", page{title, filePolicy, template.JS(script), template.CSS(style), false})
	return p
}

// Add writes a row. JSON escapes what would end the element that it is in.
func (p *Page) Add(r Row) error {
	for _, name := range r.Names {
		p.names[name] = true
	}
	text := r.Raw
	r.Raw = ""
	if err := errors.Join(p.rows.add(r), p.texts.add(text)); err != nil {
		return err
	}
	if p.rows.buf.Len() > rowChunk {
		p.flushRows()
	}
	if p.texts.buf.Len() > textChunk {
		p.flushTexts()
	}
	return p.err
}

func (p *Page) flushRows() {
	if p.err == nil && p.rows.count > 0 {
		_, p.err = fmt.Fprintf(p.w, "<script type=\"application/json\" class=\"rows\">[%s]</script>\n", p.rows.buf.Bytes())
	}
	p.rows.reset()
}

func (p *Page) flushTexts() {
	if p.err == nil && p.texts.count > 0 {
		p.err = p.pack()
	}
	p.texts.reset()
}

// pack writes texts as base64 of gzip data.
func (p *Page) pack() error {
	if _, err := fmt.Fprintf(p.w, "<script type=\"text/plain\" class=\"texts\" data-count=\"%d\">", p.texts.count); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, p.w)
	z, err := gzip.NewWriterLevel(encoder, gzip.BestSpeed)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(z, "[%s]", p.texts.buf.Bytes())
	if err := errors.Join(err, z.Close(), encoder.Close()); err != nil {
		return err
	}
	_, err = io.WriteString(p.w, "</script>\n")
	return err
}

// Close writes the rest of the page: the manual's entries for what is in it, and the script.
func (p *Page) Close() error {
	p.flushRows()
	p.flushTexts()
	if p.err != nil {
		return p.err
	}
	var list []string
	for name := range p.names {
		list = append(list, name)
	}
	if err := writeManual(p.w, p.manual, list); err != nil {
		return err
	}
	return pageTemplate.ExecuteTemplate(p.w, "foot", page{Script: template.JS(script)})
}

// writeManual writes entries of the manual, each once.
func writeManual(w io.Writer, manual Manual, list []string) error {
	slices.Sort(list)
	var entries []manualEntry
	for _, name := range slices.Compact(list) {
		html, err := manual(name)
		if err != nil {
			return err
		}
		if html != "" {
			entries = append(entries, manualEntry{name, html})
		}
	}
	return entriesTemplate.Execute(w, entries)
}

// writeLive writes a page that asks its server for rows.
func writeLive(w io.Writer, title string, manual Manual) error {
	fill := page{title, policy, template.JS(script), template.CSS(style), true}
	if err := pageTemplate.ExecuteTemplate(w, "head", fill); err != nil {
		return err
	}
	if err := writeManual(w, manual, allNames()); err != nil {
		return err
	}
	return pageTemplate.ExecuteTemplate(w, "foot", fill)
}
