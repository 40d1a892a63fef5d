package sweep

import (
	"fmt"
	"io"
	"strings"

	"github.com/ccwire/ccwire/internal/terminal"
)

// few is how many toggles of one finding are named.
const few = 4

// Text writes the report for a terminal.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s under %s", r.Version, terminal.Count(r.Tried, "toggle"))
	if len(r.With) > 0 {
		fmt.Fprintf(&b, ", each with %s", strings.Join(r.With, " "))
	}
	fmt.Fprintf(&b, ", in %s: ", terminal.Count(r.Sessions, "session"))
	if len(r.Unknown) == 0 {
		b.WriteString("nothing is unknown to the schemas.\n")
	} else {
		fmt.Fprintf(&b, "%s not in the schemas.\n\n", terminal.Count(len(r.Unknown), "thing"))
	}
	for _, f := range r.Unknown {
		fmt.Fprintf(&b, "%s\n    %s\n", terminal.Printable(f.What), f.under())
	}
	if len(r.Ended) > 0 {
		fmt.Fprintf(&b, "\nThe session does not come to its end under %s\n", strings.Join(r.Ended, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// under says which toggles show a finding.
func (f *Finding) under() string {
	if len(f.Under) == 0 {
		return "in the plain session"
	}
	text := "under " + strings.Join(f.Under[:min(few, len(f.Under))], ", ")
	if more := len(f.Under) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
