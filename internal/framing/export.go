package framing

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

type junitCase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Failure *junitSay `xml:"failure,omitempty"`
}

type junitSay struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as build servers read it: a case for the hand-made streams, which
// counts as failed if some were never played, and a failed one for each finding.
func (r *Report) WriteJUnit(w io.Writer) error {
	const class = "framing"
	all := []junitCase{{Class: class, Name: "every hand-made stream is played"}}
	failures := len(r.Findings)
	if r.Missed > 0 {
		failures++
		all[0].Failure = &junitSay{Message: fmt.Sprintf("%s never played; --time %v is enough", count(r.Missed, "hand-made stream"), r.Enough)}
	}
	for i, f := range r.Findings {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", f.text())
		r.writeStream(&b, i)
		all = append(all, junitCase{Class: class, Name: f.title(), Failure: &junitSay{Message: f.Problem.String(), Text: b.String()}})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	err := e.Encode(struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}{Name: "framing of " + strings.Join(r.Command, " "), Tests: len(all), Failures: failures, Time: fmt.Sprintf("%.3f", r.Seconds), Cases: all})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

// title says what the parser does wrong, in a few words.
func (f *Finding) title() string {
	if f.cause.text == "" {
		return string(f.Kind)
	}
	return fmt.Sprintf("%s: %s", f.Kind, f.cause.text)
}

// WriteSARIF writes the findings as code scanners read them. The place of a finding is its stream,
// if that was saved, or the command.
func (r *Report) WriteSARIF(w io.Writer) error {
	type object = map[string]any
	rules, results := []object{}, []object{}
	seen := map[string]bool{}
	for i, f := range r.Findings {
		if !seen[f.cause.id] {
			seen[f.cause.id] = true
			rules = append(rules, object{"id": f.cause.id, "shortDescription": object{"text": f.title()}, "fullDescription": object{"text": f.cause.rule}})
		}
		place := r.Command[0]
		if r.saved != "" {
			place = filepath.Join(r.saved, f.fileName(i, r.persistent))
		}
		results = append(results, object{
			"ruleId": f.cause.id, "level": "error", "message": object{"text": f.text()},
			"locations": []object{{"physicalLocation": object{"artifactLocation": object{"uri": filepath.ToSlash(place)}}}},
		})
	}
	run := object{"tool": object{"driver": object{"name": "ccwire framing fuzzer", "rules": rules}}, "results": results}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []object{run}})
}
