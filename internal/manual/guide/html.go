package guide

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/sequence"
)

// HTML returns the page for the HTML page: diagrams are drawn, with the lines below them, and links
// lead to anchors. JSON returns a text as it is shown. Source gives the address of a file of the
// repository; where it is "" there is no link.
func (p *Page) HTML(m *manual.Manual, json func([]byte) (template.HTML, error), source func(path string) string) (template.HTML, error) {
	anchor := func(_ *manual.Topic, anchor string) string { return "#" + anchor }
	page := func(name string) string { return "#guide-" + name }
	d := &drawer{json: json, to: addresses{m, anchor, source, page}}
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(d, 100))),
	)
	var b bytes.Buffer
	if err := md.Convert([]byte(p.text), &b); err != nil {
		return "", fmt.Errorf("page %s: %w", p.Name, err)
	}
	return template.HTML(b.String()), nil
}

// A drawer renders what this package adds to Markdown.
type drawer struct {
	json func([]byte) (template.HTML, error)
	to   addresses
	end  string // of the link that is open
}

func (d *drawer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, d.block)
	r.Register(ast.KindLink, d.link)
	r.Register(ast.KindHeading, heading)
}

// heading leaves the title to the template and renders the others.
func heading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	h := node.(*ast.Heading)
	if h.Level == 1 {
		return ast.WalkSkipChildren, nil
	}
	if entering {
		fmt.Fprintf(w, "<h%d>", h.Level)
	} else {
		fmt.Fprintf(w, "</h%d>\n", h.Level)
	}
	return ast.WalkContinue, nil
}

func (d *drawer) block(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	var text strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		text.Write(line.Value(source))
	}
	var info string
	if n.Info != nil {
		info = string(n.Info.Segment.Value(source))
	}
	scenario, ok := strings.CutPrefix(info, "sequence ")
	if !ok {
		_, name, _ := strings.Cut(info, " ")
		fmt.Fprintf(w, `<figure class="example"><figcaption><span>%s</span></figcaption><pre tabindex="0"><code>%s</code></pre></figure>`+"\n",
			html.EscapeString(name), html.EscapeString(text.String()))
		return ast.WalkContinue, nil
	}
	diagram, err := sequence.Read(scenario, text.String())
	if err != nil {
		return ast.WalkStop, err
	}
	fmt.Fprintf(w, `<figure class="diagram"><div class="scroll">%s</div><figcaption>Scenario %s, as %s played it</figcaption></figure>`,
		diagram.SVG(d.to.manual), code(scenario, d.to.source(scenarioFile(scenario))), html.EscapeString(diagram.Version))
	w.WriteString(`<details class="lines"><summary>The lines as they are on the wire</summary>`)
	for _, l := range diagram.Lines(d.to.manual) {
		title := html.EscapeString(l.Title)
		if l.Entry != nil {
			title = fmt.Sprintf(`<a href="#%s">%s</a>`, html.EscapeString(l.Entry.Anchor()), title)
		}
		if l.Cut {
			title += ", what is long is cut"
		}
		code := template.HTML(html.EscapeString(string(l.Text)))
		if l.JSON {
			if code, err = d.json(l.Text); err != nil {
				return ast.WalkStop, err
			}
		}
		fmt.Fprintf(w, `<figure class="example"><figcaption><span>%s</span></figcaption><pre tabindex="0"><code>%s</code></pre></figure>`, title, code)
	}
	w.WriteString("</details>\n")
	return ast.WalkContinue, nil
}

func (d *drawer) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		w.WriteString(d.end)
		return ast.WalkContinue, nil
	}
	to := string(node.(*ast.Link).Destination)
	address, err := d.to.resolve(to)
	if err != nil {
		return ast.WalkStop, err
	}
	start := fmt.Sprintf(`<a href="%s">`, html.EscapeString(address))
	d.end = "</a>"
	if address == "" {
		start, d.end = "", ""
	}
	if strings.HasPrefix(to, "scenario:") {
		start, d.end = start+"<code>", "</code>"+d.end
	}
	w.WriteString(start)
	return ast.WalkContinue, nil
}

// code returns a name, which leads to an address if there is one.
func code(name, address string) string {
	text := "<code>" + html.EscapeString(name) + "</code>"
	if address == "" {
		return text
	}
	return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(address), text)
}
