package framing

import (
	"fmt"
	"strings"
)

// String returns the kind and the detail.
func (p Problem) String() string { return string(p.Kind) + ": " + p.Detail }

// text tells people what went wrong with a function, in several lines.
func (f *failure) text(rule string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nrule: %s", f.Problem, rule)
	f.stream.describe(&b)
	f.outcome.describe(&b)
	return b.String()
}

// text tells people the cause of failures of a function, in several lines.
func (f *Finding) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nrule: %s", f.Problem, f.rule())
	if f.cause.text != "" {
		fmt.Fprintf(&b, "\nbehaviour: %s", f.cause.text)
	}
	f.Stream.describe(&b)
	f.outcome.describe(&b)
	return b.String()
}

// rule says what the parser must do.
func (f *Finding) rule() string {
	return f.cause.rule
}

// describe adds a line with the stream, and one with the reads if they matter.
func (s Stream) describe(b *strings.Builder) {
	fmt.Fprintf(b, "\nstream (%s): %s", count(len(s.Data), "byte"), Quote(s.Data))
	if len(s.Cuts) > 0 {
		fmt.Fprintf(b, "\nread in %d pieces, cut at %s", len(s.Chunks()), cutList(s.Cuts))
	}
	if s.AtEnd {
		b.WriteString("\nthe last bytes come together with io.EOF")
	}
}

// describe adds what a function did.
func (o *outcome) describe(b *strings.Builder) {
	fmt.Fprintf(b, "\nyielded %s", count(len(o.objects), "object"))
	if len(o.objects) > 0 {
		fmt.Fprintf(b, ": %s", Quote(o.output))
	}
	if o.err != nil {
		fmt.Fprintf(b, "\nreturned the error %s", Quote([]byte(o.err.Error())))
	}
	if len(o.stderr) > 0 {
		fmt.Fprintf(b, "\n%s", o.stderr[:min(len(o.stderr), stderrKept)])
	}
}
