package linecheck

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/internal/terminal"
)

// A Printer prints the findings of a run, and at the end its summary.
type Printer interface {
	Finding(Finding) error
	Summary(Summary) error
}

// NewTextPrinter returns a Printer for people: findings go to out, the summary to aside.
func NewTextPrinter(out, aside io.Writer, style terminal.Style) Printer {
	return &textPrinter{out, aside, style}
}

type textPrinter struct {
	out, aside io.Writer
	style      terminal.Style
}

func (p *textPrinter) Finding(f Finding) error {
	_, err := fmt.Fprintln(p.out, f.Text(p.style))
	return err
}

func (p *textPrinter) Summary(s Summary) error {
	_, err := fmt.Fprintln(p.aside, s.Text())
	return err
}

// NewJSONPrinter returns a Printer for programs: one object on each line, the last one with the
// member summary.
func NewJSONPrinter(out io.Writer) Printer {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return jsonPrinter{e}
}

type jsonPrinter struct{ encoder *json.Encoder }

func (p jsonPrinter) Finding(f Finding) error { return p.encoder.Encode(f) }

func (p jsonPrinter) Summary(s Summary) error {
	return p.encoder.Encode(map[string]Summary{"summary": s})
}
