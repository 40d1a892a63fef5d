package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// JUnit writes the report in the form that build servers read: a suite for each target, and one for
// the problems of the run if there are any. Known failures and what does not apply are skipped
// cases.
func JUnit(w io.Writer, r *suite.Report) error {
	var all junitSuites
	for _, target := range r.Targets {
		all.Suites = append(all.Suites, junitFor(r, target))
	}
	if len(r.Problems) > 0 {
		s := junitSuite{Name: "run", Tests: len(r.Problems), Failures: len(r.Problems), Time: seconds(0)}
		for _, p := range r.Problems {
			s.Cases = append(s.Cases, junitCase{Class: "run", Name: clean(p), Time: seconds(0), Failure: &junitFailure{Message: clean(p)}})
		}
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitFor(r *suite.Report, target string) junitSuite {
	s := junitSuite{Name: target}
	var sum time.Duration
	for i := range r.Results {
		res := &r.Results[i]
		if res.Target != target {
			continue
		}
		s.Tests++
		sum += res.Duration
		area, name := split(res.Scenario)
		c := junitCase{Class: area, Name: name, Time: seconds(res.Duration)}
		switch res.Status {
		case suite.Fail:
			s.Failures++
			c.Failure = &junitFailure{clean(res.Reason), clean(traceText(res))}
		case suite.KnownFailing, suite.NotApplicable, suite.Inconclusive:
			s.Skipped++
			c.Skipped = &junitSkipped{string(res.Status) + ": " + clean(res.Reason)}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Time = seconds(sum)
	return s
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// traceText is the trace of a failure, one event on each line.
func traceText(r *suite.Result) string {
	var b strings.Builder
	for _, e := range r.Trace {
		fmt.Fprintf(&b, "%s %s %s\n", e.At.Round(time.Millisecond), arrow(e.From), strings.TrimSpace(e.Text))
	}
	return b.String()
}

// clean drops what XML cannot hold.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
