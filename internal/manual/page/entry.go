package page

import (
	_ "embed"
	"html/template"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/manual"
)

//go:embed assets/entry.html
var entryLayout string

// entries prints single entries. It is parsed when the first one is asked for.
var entries = sync.OnceValues(func() (*template.Template, error) {
	m, err := manual.Load()
	if err != nil {
		return nil, err
	}
	funcs := functions(m)
	funcs["answer"] = answerTo
	funcs["few"] = func(arms []*manual.Entry) bool { return len(arms) <= 6 }
	return template.New("entry").Funcs(funcs).Parse(entryLayout)
})

// Entry returns the manual's entry for a definition, such as
// control/can_use_tool.json#/$defs/Request, as a piece of HTML for other pages: without links, and
// with the answer that a request wants. It is "" if there is none.
func Entry(definition string) (template.HTML, error) {
	t, err := entries()
	if err != nil {
		return "", err
	}
	m, err := manual.Load()
	if err != nil {
		return "", err
	}
	e := m.Entry(definition)
	if e == nil {
		return "", nil
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, "entry", e); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

// An answer is what a request wants.
type answer struct {
	Text string
	Body *manual.Entry // nil if the answer says nothing
}

// answerTo returns the answer that an entry wants, nil if it is not a request.
func answerTo(e *manual.Entry) *answer {
	area := e.Topic.Area.Name
	switch {
	case area == "hook" && e.Key == "Input" && e.Pair != nil:
		return &answer{"The body of the answer may have this as its `hookSpecificOutput`.", e.Pair}
	case e.Key != "Request" || area != "control" && area != "host":
		return nil
	}
	who := "The other side"
	switch e.Definition.Direction {
	case "cli-to-sdk":
		who = "The SDK"
	case "sdk-to-cli":
		who = "The CLI"
	}
	text := who + " answers with a `control_response` that repeats the `request_id`"
	if e.Pair == nil {
		return &answer{Text: text + "."}
	}
	return &answer{text + ". If it succeeds, its `response` is this.", e.Pair}
}
