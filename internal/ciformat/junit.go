package ciformat

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// A Suite is a list of cases that belong together.
type Suite struct {
	Name  string
	Time  time.Duration
	Cases []Case
}

// A Case failed, was skipped, or else passed.
type Case struct {
	Class, Name string
	Time        *time.Duration // nil if nobody measured it
	Failure     *Failure
	Skipped     string // why
}

// A Failure is said in a line, and in a text of any length.
type Failure struct{ Message, Text string }

// WriteJUnit writes a suite as a document of its own. What XML cannot hold is dropped.
func (s *Suite) WriteJUnit(w io.Writer) error { return writeXML(w, s.xml()) }

// WriteJUnit writes suites as one document. What XML cannot hold is dropped.
func WriteJUnit(w io.Writer, suites []Suite) error {
	all := xmlSuites{}
	for i := range suites {
		all.Suites = append(all.Suites, suites[i].xml())
	}
	return writeXML(w, all)
}

type xmlSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suites  []xmlSuite `xml:"testsuite"`
}

type xmlSuite struct {
	XMLName  xml.Name  `xml:"testsuite"`
	Name     string    `xml:"name,attr"`
	Tests    int       `xml:"tests,attr"`
	Failures int       `xml:"failures,attr"`
	Skipped  int       `xml:"skipped,attr"`
	Time     string    `xml:"time,attr"`
	Cases    []xmlCase `xml:"testcase"`
}

type xmlCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr,omitempty"`
	Failure *xmlNote `xml:"failure,omitempty"`
	Skipped *xmlNote `xml:"skipped,omitempty"`
}

type xmlNote struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

func (s *Suite) xml() xmlSuite {
	out := xmlSuite{Name: clean(s.Name), Tests: len(s.Cases), Time: seconds(s.Time)}
	for _, c := range s.Cases {
		x := xmlCase{Class: clean(c.Class), Name: clean(c.Name)}
		if c.Time != nil {
			x.Time = seconds(*c.Time)
		}
		switch {
		case c.Failure != nil:
			out.Failures++
			x.Failure = &xmlNote{clean(c.Failure.Message), clean(c.Failure.Text)}
		case c.Skipped != "":
			out.Skipped++
			x.Skipped = &xmlNote{Message: clean(c.Skipped)}
		}
		out.Cases = append(out.Cases, x)
	}
	return out
}

func writeXML(w io.Writer, document any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// clean drops what XML cannot hold.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
