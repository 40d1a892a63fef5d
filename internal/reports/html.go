package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// HTML writes the report as one page that needs no other file and no script: the matrix of
// scenarios and versions, and each failure with its trace in two lanes, the SDK's and the CLI's.
func HTML(w io.Writer, r *suite.Report) error {
	return page.Execute(w, newPage(r))
}

type pageData struct {
	Targets  []string
	OK       bool
	Summary  []pageCount
	Areas    []pageArea
	Failures []pageFailure
	Findings []FindingLine
	Changes  []ChangeLine
	Problems []string
	Notes    []string
	Replies  []pageReply
	Duration string
}

type pageCount struct {
	Class, Text string
	N           int
}

type pageArea struct {
	Name string
	Rows []pageRow
}

type pageRow struct {
	Name, Title string
	Level       string
	Versions    string
	Conditions  []string
	Cells       []pageCell
}

type pageCell struct{ Class, Word, Reason, Link, Took string }

// pageReply is how long a reply took, and in the last run.
type pageReply struct{ Scenario, Target, ID, Request, Took, Last string }

type pageFailure struct {
	ID, Scenario, Target, Title, Level, Step, Reason, Stderr string
	Events                                                   []pageEvent
}

type pageEvent struct {
	At    string
	Lane  string // sdk, cli or note
	Brief string
	Text  string
}

func newPage(r *suite.Report) *pageData {
	p := &pageData{Targets: r.Targets, OK: r.OK(), Findings: Findings(r), Changes: Changes(r), Problems: r.Problems, Notes: r.Notes, Duration: r.Duration.Round(100 * time.Millisecond).String()}
	for _, c := range []struct {
		s    suite.Status
		text string
	}{{suite.Pass, "hold"}, {suite.Fail, "fail"}, {suite.KnownFailing, "fail as known"}, {suite.Inconclusive, "are inconclusive"}, {suite.NotApplicable, "do not apply"}} {
		if n := r.Count(c.s); n > 0 {
			p.Summary = append(p.Summary, pageCount{string(c.s), c.text, n})
		}
	}
	columns := max(1, len(r.Targets))
	for i := 0; i+columns <= len(r.Results); i += columns {
		p.addRow(r.Results[i:i+columns], i)
	}
	return p
}

func (p *pageData) addRow(results []suite.Result, first int) {
	area, name := split(results[0].Scenario)
	if n := len(p.Areas); n == 0 || p.Areas[n-1].Name != area {
		p.Areas = append(p.Areas, pageArea{Name: area})
	}
	row := pageRow{Name: name, Title: results[0].Title, Level: string(results[0].Level), Versions: results[0].Versions, Conditions: results[0].Conditions}
	for j := range results {
		r := &results[j]
		cell := pageCell{Class: string(r.Status), Word: words[r.Status], Reason: r.Reason}
		if r.Status == suite.Fail || r.Status == suite.KnownFailing {
			id := fmt.Sprintf("f%d", first+j)
			cell.Link = "#" + id
			p.Failures = append(p.Failures, pageFailure{
				ID: id, Scenario: r.Scenario, Target: r.Target, Title: r.Title, Level: string(r.Level),
				Step: r.Step, Reason: r.Reason, Stderr: r.Stderr, Events: pageEvents(r.Trace),
			})
		}
		if r.Status != suite.NotApplicable {
			cell.Took = fmt.Sprintf("%.1fs", r.Duration.Seconds())
		}
		row.Cells = append(row.Cells, cell)
		for _, reply := range r.Replies {
			line := pageReply{r.Scenario, r.Target, reply.ID, reply.Request, milliseconds(reply.Took), ""}
			if reply.Last > 0 {
				line.Last = milliseconds(reply.Last)
			}
			p.Replies = append(p.Replies, line)
		}
	}
	last := &p.Areas[len(p.Areas)-1]
	last.Rows = append(last.Rows, row)
}

func milliseconds(d time.Duration) string { return d.Round(time.Millisecond).String() }

func pageEvents(trace []suite.Event) (events []pageEvent) {
	for _, e := range trace {
		text := strings.TrimSpace(e.Text)
		events = append(events, pageEvent{At: milliseconds(e.At), Lane: string(e.From), Brief: brief(text), Text: indented(text)})
	}
	return events
}

// brief names a line by its tags.
func brief(text string) string {
	var l struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		Request struct {
			Subtype  string `json:"subtype"`
			ToolName string `json:"tool_name"`
		} `json:"request"`
		Response struct {
			Subtype   string `json:"subtype"`
			RequestID any    `json:"request_id"`
		} `json:"response"`
		Event struct {
			Type string `json:"type"`
		} `json:"event"`
	}
	if json.Unmarshal([]byte(text), &l) != nil || l.Type == "" {
		return shorten(text, 160)
	}
	parts := []string{l.Type}
	for _, s := range []string{l.Subtype, l.Request.Subtype, l.Request.ToolName, l.Response.Subtype, l.Event.Type} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if l.Response.RequestID != nil {
		parts = append(parts, fmt.Sprint(l.Response.RequestID))
	}
	return strings.Join(parts, " · ")
}

func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return b.String()
}
