package crate

import "strings"

// width is where comments are wrapped.
const width = 100

// doc writes a comment of some texts, each a paragraph.
func (f *file) doc(indent string, texts ...string) {
	some := false
	for _, text := range texts {
		if text == "" {
			continue
		}
		if some {
			f.printf("%s///\n", indent)
		}
		some = true
		for _, line := range wrap(escape(text), width-len(indent)-len("/// ")) {
			f.printf("%s/// %s\n", indent, line)
		}
	}
}

// sentence makes one of the beginning of one.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// escape writes what Markdown would take for a link or for HTML as it is. Code stays.
func escape(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", `\<`, "[", `\[`, "]", `\]`, "*", `\*`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
