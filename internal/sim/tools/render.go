package tools

import "github.com/ccwire/ccwire/internal/object"

// Render makes what the model is told of the result that SDKs see, for tools whose result a hook
// can change. It reports false for others, and for a result that does not have the tool's form.
func Render(name string, use object.Object) (any, bool) {
	switch name {
	case "Bash":
		_, interrupted := use.Get("interrupted").(bool)
		if !texts(use, "stdout", "stderr") || !interrupted {
			return nil, false
		}
		return renderBash(use), true
	case "Read":
		file := use.Object("file")
		first, hasFirst := file.Number("startLine")
		total, hasTotal := file.Number("totalLines")
		n, hasLines := file.Number("numLines")
		if use.Text("type") != "text" || !texts(file, "filePath", "content") || !hasFirst || !hasTotal || !hasLines {
			return nil, false
		}
		return renderText(file.Text("content"), int(n), int(first), int(total)), true
	}
	return nil, false
}

// texts reports whether all members are there, and texts.
func texts(o object.Object, names ...string) bool {
	for _, name := range names {
		if _, ok := o.Get(name).(string); !ok {
			return false
		}
	}
	return true
}
