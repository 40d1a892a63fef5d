package reports

import (
	"encoding/json"
	"io"

	"github.com/ccwire/ccwire/internal/suite"
)

// JSON writes the report as one indented JSON object. Durations are in nanoseconds.
func JSON(w io.Writer, r *suite.Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		*suite.Report
		OK       bool          `json:"ok"`
		Findings []FindingLine `json:"findings,omitempty"`
		Changes  []ChangeLine  `json:"changes,omitempty"`
	}{r, r.OK(), Findings(r), Changes(r)})
}
