package view

import (
	"html/template"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// A Manual returns what there is to read about a definition, such as
// control/can_use_tool.json#/$defs/Request, as HTML that can be trusted; "" if there is nothing.
type Manual func(name string) template.HTML

// code returns a text with what stands between backquotes as code.
func code(text string) template.HTML {
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

var entryTemplate = template.Must(template.New("entry").Parse(
	`<h3>{{.Title}}</h3><p>{{.Text}}</p>{{if .Members}}<table><tbody>` +
		`{{range .Members}}<tr><th scope="row"><code>{{.Name}}</code>{{if .Required}}<span class="must" title="required">*</span>{{end}}</th>` +
		`<td>{{.Text}}{{if .Since}} <span class="since">since {{.Since}}</span>{{end}}</td></tr>{{end}}</tbody></table>{{end}}` +
		`<p class="source"><code>schema/{{.Source}}</code></p>`))

type manualMember struct {
	Name     string
	Text     template.HTML
	Since    string
	Required bool
}

// Descriptions is the Manual that the descriptions in the schemas make.
func Descriptions(name string) template.HTML {
	d := schema.Default().Lookup(name)
	if d == nil {
		return ""
	}
	file := strings.TrimSuffix(d.File[strings.LastIndexByte(d.File, '/')+1:], ".json")
	page := struct {
		Title, Source string
		Text          template.HTML
		Members       []manualMember
	}{Title: file, Text: code(d.Description), Source: name}
	if i := strings.LastIndexByte(d.Pointer, '/'); i >= 0 {
		page.Title += " " + strings.ToLower(d.Pointer[i+1:])
	}
	for i := range d.Properties {
		p := &d.Properties[i]
		text := p.Description
		if text == "" && p.Ref != "" {
			if target := schema.Default().Lookup(p.Ref); target != nil {
				text = target.Description
			}
		}
		page.Members = append(page.Members, manualMember{p.Name, code(text), p.Since, p.Required})
	}
	var b strings.Builder
	if err := entryTemplate.Execute(&b, page); err != nil {
		return ""
	}
	return template.HTML(b.String())
}

// allNames returns every name that a row may have, for a session whose lines are not known yet.
func allNames() (list []string) {
	for _, name := range definitions() {
		list = append(list, name)
	}
	for _, d := range schema.Default().Definitions() {
		if d.IsRequest() || strings.HasSuffix(d.Name(), "/$defs/Response") {
			list = append(list, d.Name())
		}
	}
	return list
}
