package diff

import (
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/ccwire/ccwire/internal/terminal"
)

//go:embed page.css
var style string

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"show":  terminal.Printable,
	"lines": func(n int) string { return terminal.Count(n, "line") + sameWords(n) },
}).Parse(pageText))

// Policy is what the page may do: use its style.
var Policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
}()

// Page writes a report as an HTML file that needs nothing else.
func (r *Report) Page(w io.Writer) error {
	return pageTemplate.Execute(w, struct {
		Policy string
		Style  template.CSS
		Report *Report
	}{Policy, template.CSS(style), r})
}
