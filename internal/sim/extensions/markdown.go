package extensions

import (
	"io/fs"
	"os"
	"strings"
)

// markdown returns the files in a folder, and below it, that people write texts in.
func markdown(root string) (names []string) {
	_ = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == ".": // there is no such folder
			return fs.SkipAll
		case err == nil && !d.IsDir() && strings.HasSuffix(path, ".md"):
			names = append(names, path)
		}
		return nil
	}) // what cannot be read is as if it was not there
	return names
}

// frontMatter splits a file into the members at its top and its text. Lists are joined by commas.
func frontMatter(text string) (map[string]string, string) {
	head := map[string]string{}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return head, text
	}
	top, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return head, text
	}
	last := ""
	for line := range strings.Lines(top) {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && last != "" {
			head[last] = strings.TrimPrefix(head[last]+","+unquoted(item), ",")
			continue
		}
		if name, value, ok := strings.Cut(line, ":"); ok {
			last = strings.TrimSpace(name)
			head[last] = unquoted(value)
		}
	}
	return head, body
}

func unquoted(value string) string { return strings.Trim(strings.TrimSpace(value), `"'`) }

// list returns the elements of a list that is separated by commas, those inside brackets aside.
func list(value string) (elements []string) {
	value = strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
	depth, start := 0, 0
	for i, c := range value + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			if element := unquoted(value[start:i]); element != "" {
				elements = append(elements, element)
			}
			start = i + 1
		}
	}
	return elements
}
