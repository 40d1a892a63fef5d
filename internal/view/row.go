package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/terminal"
)

// A Lane is where a row stands.
type Lane int

const (
	ToCLI  Lane = iota // what the SDK wrote
	ToSDK              // what the CLI wrote
	Stderr             // what the CLI wrote to its standard error
	API                // what the model was asked
	Other              // what happened besides: the start, signals, the end
	Plain              // a line of plain NDJSON: nobody knows who wrote it
)

var laneNames = [...]string{"SDK → CLI", "CLI → SDK", "stderr", "model", "session", "line"}

func (l Lane) String() string { return laneNames[l] }

// A Row is a line of the protocol, or something else that happened. The names in JSON are short: a
// page has many.
type Row struct {
	Number   int       `json:"n"`           // of the line in the file
	Time     *float64  `json:"t,omitempty"` // in milliseconds from the start; nil if unknown
	Lane     Lane      `json:"d"`
	Kind     string    `json:"k"`           // such as control_request/can_use_tool
	Summary  string    `json:"s,omitempty"` // what it says, in a few words
	Answers  *int      `json:"a,omitempty"` // the row of the request that it answers
	Failed   bool      `json:"e,omitempty"` // it answers that something cannot be done
	Turn     int       `json:"u,omitempty"` // the turn that it belongs to, from 1
	Findings []Finding `json:"f,omitempty"`
	Names    []string  `json:"m,omitempty"` // of the definitions that it is an instance of
	Note     string    `json:"x,omitempty"` // what is special about the text
	Parent   *int      `json:"p,omitempty"` // the row of the use of a tool that started the subagent whose it is
	Uses     []int     `json:"j,omitempty"` // the rows of the uses of tools that it is a result of, or about
	Head     *int      `json:"h,omitempty"` // the row of the first piece of the message that it is a piece of
	Facts    *Facts    `json:"q,omitempty"`
	Usage    *Usage    `json:"g,omitempty"`
	Raw      string    `json:"r,omitempty"`
}

// A Finding is what is odd about a line.
type Finding struct {
	Severity string `json:"s"`
	Kind     string `json:"k"`
	Path     string `json:"p,omitempty"`
	Detail   string `json:"d,omitempty"`
}

// A Builder makes rows. The zero value is ready to use. It is for one goroutine.
type Builder struct {
	rows    int
	turn    int
	ended   bool        // the turn has its result
	byPlace map[int]int // the row of an open request, by the place that the judge has
	links   links

	transcript bool      // the entries are those of a transcript file
	begun      time.Time // when the first of them was written
}

// openRequests is how many requests without an answer a Builder remembers.
const openRequests = 4096

// Add makes the row of an entry. The text is that of a line, the verdict what a session said of it.
func (b *Builder) Add(number int, e *recording.Entry, text []byte, v linecheck.Verdict) Row {
	r := Row{Number: number, Raw: strings.ToValidUTF8(string(text), "\uFFFD")}
	const year = 365 * 24 * 3600 * 1000 // a time that is longer is not one
	if e.Time > 0 && e.Time < year {
		t := e.Time
		r.Time = &t
	}
	switch e.Dir {
	case recording.ToCLI:
		r.Lane = ToCLI
	case recording.ToSDK:
		r.Lane = ToSDK
	case recording.Stderr:
		r.Lane, r.Kind = Stderr, "stderr"
	case recording.API:
		r.Lane, r.Kind = API, "model"
	case "":
		r.Lane = Plain
	default:
		r.Lane = Other
	}
	switch {
	case e.Truncated > 0:
		r.Note = fmt.Sprintf("only the start: the line has %d bytes", e.Truncated)
	case e.Unterminated && r.Lane != Other:
		r.Note = "no line end"
	case r.Raw != string(text):
		r.Note = "not UTF-8: the bytes that are not are shown as \uFFFD"
	}
	switch r.Lane {
	case ToCLI, ToSDK, Plain:
		b.line(&r, text, v)
		if e.Truncated > 0 && r.Kind == "noise" {
			r.Kind = "cut" // by the recording
		}
	case Other:
		r.Kind, r.Summary = other(e)
		if e.Dir == recording.Header {
			r.Raw = started(e)
			if e.Version != "" {
				r.Facts = &Facts{Version: terminal.Printable(cut(e.Version, 60))}
			}
		}
	default:
		r.Summary = brief(r.Raw)
	}
	if r.Lane != Other || e.Dir == recording.Signal {
		r.Turn = b.turn
	}
	b.rows++
	return r
}

// Missed makes the row that stands for entries that are not shown.
func (b *Builder) Missed(entries int) Row {
	b.rows++
	return Row{Lane: Other, Kind: "not shown", Summary: terminal.Count(entries, "line") + " that came too fast to be shown"}
}

// line fills the row of a line of the protocol.
func (b *Builder) line(r *Row, text []byte, v linecheck.Verdict) {
	for _, f := range v.Findings {
		r.Findings = append(r.Findings, Finding{string(f.Severity), f.Kind.String(), terminal.Printable(f.Path), terminal.Printable(f.Detail)})
	}
	k := read(bytes.TrimSpace(text))
	k.transcript = b.transcript
	r.Kind, r.Summary = k.name(), k.summary()
	r.Facts, r.Usage = k.facts(), k.usage()
	b.links.link(r, &k, b.rows)
	if b.transcript {
		r.Time = b.entryTime(k.Timestamp)
		b.ended = !k.Meta && !k.Sidechain // there is no result between prompts
	}
	if r.Kind == "user" && !k.result && r.Lane != ToSDK && (b.turn == 0 || b.ended) {
		b.turn++
		b.ended = false
	}
	if r.Kind == "result" || strings.HasPrefix(r.Kind, "result/") {
		b.ended = true
	}
	if b.byPlace == nil || len(b.byPlace) > openRequests {
		b.byPlace = map[int]int{}
	}
	switch {
	case v.Asks != nil:
		b.byPlace[v.Asks.Place] = b.rows
	case v.Answers != nil:
		if row, ok := b.byPlace[v.Answers.Place]; ok {
			r.Answers = &row
			r.Kind += "/" + cut(v.Answers.Subtype, 40)
		}
		r.Failed = v.Failed
		r.Summary = k.answer(v.Answers, v.Failed)
	}
	if b.transcript {
		r.Names = k.entryNames()
	} else {
		r.Names = names(k, v.Answers)
	}
}

// other describes an entry that is not a line.
func other(e *recording.Entry) (kind, summary string) {
	switch e.Dir {
	case recording.Header:
		words := append([]string{e.Scenario, e.Version}, e.Args...)
		return "start", brief(strings.Join(words, " "))
	case recording.EOF:
		return "end of input", "the SDK closed the CLI's input"
	case recording.Signal:
		return "signal", brief(e.Line)
	case recording.Lost:
		return "lost", fmt.Sprintf("%d bytes %sare not in the recording", e.Lost, of(e.Of))
	case recording.Exit:
		switch {
		case e.Signal != "":
			return "exit", "ended by SIG" + brief(e.Signal)
		case e.Code != nil:
			return "exit", fmt.Sprintf("exit code %d", *e.Code)
		}
		return "exit", ""
	}
	return brief(string(e.Dir)), ""
}

// started returns what a header says, as JSON.
func started(e *recording.Entry) string {
	h := recording.Entry{Dir: e.Dir, Scenario: e.Scenario, Version: e.Version, Args: e.Args, Started: e.Started}
	text, err := json.Marshal(h)
	if err != nil {
		return "" // never: it is made of texts
	}
	return string(text)
}

func of(dir recording.Dir) string {
	if dir == "" {
		return ""
	}
	return "of " + brief(string(dir)) + " "
}

// newChecker returns what lints lines of the protocol, or entries of a transcript file.
func newChecker(transcript bool) *linecheck.Checker {
	if transcript {
		return linecheck.NewTranscript(true)
	}
	return linecheck.New(true)
}

// Read calls see for each row of a recording, of plain NDJSON, or of a transcript file.
func Read(src io.Reader, o linestream.Options, see func(Row) error) error {
	lines := linestream.NewReader(src, o)
	sessions := map[string]*linecheck.Session{} // those that are in the file at the same time
	var b Builder
	for {
		l, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var e recording.Entry
		if lines.Recording() && l.Err == nil && l.Raw != nil {
			_ = json.Unmarshal(bytes.TrimPrefix(l.Raw, []byte("\ufeff")), &e) // what is not as it should be is left out
		}
		session := sessions[l.Session]
		b.transcript = lines.Transcript()
		if l.Begins || session == nil {
			session = newChecker(b.transcript).Session()
			sessions[l.Session] = session
		}
		if e.Dir == recording.Finding || e.Dir == recording.Summary {
			continue
		}
		if len(l.Parts) == 0 {
			text := []byte(e.Line)
			if l.Err != nil {
				text = bytes.TrimSuffix(l.Raw, []byte("\n"))
			}
			var v linecheck.Verdict
			if l.Err != nil {
				v.Findings = []linecheck.Finding{{Severity: linecheck.Error, Deviation: codec.Deviation{Kind: codec.Malformed, Detail: l.Err.Error()}}}
			}
			if err := see(b.Add(l.Number, &e, text, v)); err != nil {
				return err
			}
			continue
		}
		for _, p := range l.Parts {
			if err := see(b.Add(l.Number, &e, p.Text, session.Line(p.Direction, p.Line, b.rows))); err != nil {
				return err
			}
		}
	}
}
