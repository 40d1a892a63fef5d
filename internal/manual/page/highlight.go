package page

import (
	"bytes"
	"encoding/json"
	"html/template"
	"regexp"
	"strings"
)

// token finds strings, with the colon of a name, and other scalars in JSON.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*`)

// highlight returns JSON, one member on each line, with elements around names, strings and others.
func highlight(text []byte) (template.HTML, error) {
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, text, "", "  "); err != nil {
		return "", err
	}
	source := pretty.String()
	var b strings.Builder
	end := 0
	for _, at := range token.FindAllStringSubmatchIndex(source, -1) {
		template.HTMLEscape(&b, []byte(source[end:at[0]]))
		class, stop := "n", at[1]
		switch {
		case at[2] >= 0:
			class, stop = "k", at[2]
		case source[at[0]] == '"':
			class = "s"
		}
		b.WriteString(`<span class="` + class + `">`)
		template.HTMLEscape(&b, []byte(source[at[0]:stop]))
		b.WriteString("</span>")
		end = stop
	}
	template.HTMLEscape(&b, []byte(source[end:]))
	return template.HTML(b.String()), nil
}
