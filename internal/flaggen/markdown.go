package flaggen

import (
	"fmt"
	"strings"
)

const head = `<!-- protogen generate writes this from transport/cli/flags.json. -->

# Flags of the CLI

` + "`cli.Flags`" + ` has a field for each flag of the CLI that a program may want to set. A field that
is not set passes nothing. "Since" is the first version of the CLI that takes the flag; 1.0.59
stands for older ones too. Flags with a star are not in the CLI's ` + "`--help`" + `.

| field | flag | since | meaning |
| --- | --- | --- | --- |
`

const middle = `
## Left out

The CLI takes these, and they have no field.

| flag | why |
| --- | --- |
`

// Markdown returns flags.md.
func (t *Table) Markdown() []byte {
	var b strings.Builder
	b.WriteString(head)
	for _, f := range t.Flags {
		meaning := f.Doc
		if len(f.Values) > 0 {
			meaning += " Values: `" + strings.Join(f.Values, "`, `") + "`."
		}
		fmt.Fprintf(&b, "| `%s` | `%s`%s | %s | %s |\n", f.Name, f.Flag, star(f.Hidden), f.Since, cell(meaning))
	}
	b.WriteString(middle)
	for _, f := range t.LeftOut {
		fmt.Fprintf(&b, "| `%s`%s | %s |\n", f.Flag, star(f.Hidden), cell(f.Reason))
	}
	return []byte(b.String())
}

// star marks a flag that is not in --help.
func star(hidden bool) string {
	if hidden {
		return " \\*"
	}
	return ""
}

// cell escapes what would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
