package replay

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/recording"
)

const modelVersion = "2.1.325"

// sdkLine is a line of the SDK.
type sdkLine struct {
	text    string
	members []string // of an object, in their order
}

func object(members ...string) sdkLine {
	return sdkLine{"{" + strings.Join(members, ",") + "}", members}
}

func (l sdkLine) reversed() string {
	if l.members == nil {
		return l.text
	}
	turned := slices.Clone(l.members)
	slices.Reverse(turned)
	return object(turned...).text
}

func request(id, subtype string) sdkLine {
	return object(`"type":"control_request"`, `"request_id":"`+id+`"`, `"request":{"subtype":"`+subtype+`"}`)
}

func user(text string) sdkLine {
	return object(`"type":"user"`, `"message":{"role":"user","content":"`+text+`"}`, `"n":[1,2.5,null]`)
}

func reply(id string) string {
	return `{"type":"control_response","response":{"subtype":"success","request_id":"` + id + `"}}` + "\n"
}

// meaning is equal for lines that say the same.
func meaning(line string) string {
	var v any
	if json.Unmarshal([]byte(line), &v) != nil {
		return "text " + line
	}
	data, _ := json.Marshal(v) // sorts members
	return "json " + string(data)
}

// skimmed is how much the recording has of a long line.
const skimmed = len("long 1 ")

type stepKind int

const (
	say    stepKind = iota // the CLI writes text
	listen                 // it waits for line
	skim                   // it waits for line, of which the recording has only the start
	atEOF                  // it waits for the end of the input
	atSignal
	leave
)

// step is what the CLI does next.
type step struct {
	kind stepKind
	text string // of say, the name of a signal, stderr
	line sdkLine
	code int
}

// drawn is a random recording and what it means.
type drawn struct {
	entries []recording.Entry
	steps   []step
	asked   []string // ids of requests from the SDK so far
	count   int      // makes lines differ
}

func (d *drawn) add(e recording.Entry, s ...step) {
	d.entries = append(d.entries, e)
	d.steps = append(d.steps, s...)
}

func drawRecording(t *rapid.T) *drawn {
	d := &drawn{}
	d.add(recording.Entry{Dir: recording.Header, Version: "[version]"})
	for range rapid.IntRange(0, 10).Draw(t, "entries") {
		d.drawEntry(t)
	}
	if rapid.Bool().Draw(t, "waits for the end of the input") {
		if rapid.Bool().Draw(t, "the last line has no LF") {
			l := d.drawLine(t)
			if l.text != "" {
				d.add(recording.Written(recording.ToCLI, []byte(l.text)), step{kind: listen, line: l})
			}
		}
		d.add(recording.Entry{Dir: recording.EOF}, step{kind: atEOF})
		for range rapid.IntRange(0, 2).Draw(t, "said after the end of the input") {
			d.drawSay(t)
		}
	}
	end := step{kind: leave, code: rapid.SampledFrom([]int{0, 1, 3, 143}).Draw(t, "code"), text: rapid.SampledFrom([]string{"", "bye", "[version] is old\n"}).Draw(t, "stderr")}
	d.add(exit(end.code, end.text), end)
	return d
}

func (d *drawn) drawEntry(t *rapid.T) {
	switch rapid.SampledFrom([]string{"say", "say", "line", "line", "pieces", "two lines", "long line", "signal", "api"}).Draw(t, "entry") {
	case "say":
		d.drawSay(t)
	case "line":
		l := d.drawLine(t)
		d.add(recording.Written(recording.ToCLI, []byte(l.text+"\n")), step{kind: listen, line: l})
	case "pieces": // what the CLI says between two pieces does not wait for the second
		l := d.drawLine(t)
		cut := rapid.IntRange(0, len(l.text)).Draw(t, "cut")
		if cut > 0 {
			d.add(recording.Written(recording.ToCLI, []byte(l.text[:cut])))
		}
		if rapid.Bool().Draw(t, "says something between") {
			d.drawSay(t)
		}
		d.add(recording.Written(recording.ToCLI, []byte(l.text[cut:]+"\n")), step{kind: listen, line: l})
	case "two lines":
		a, b := d.drawLine(t), d.drawLine(t)
		d.add(recording.Written(recording.ToCLI, []byte(a.text+"\n"+b.text+"\n")), step{kind: listen, line: a}, step{kind: listen, line: b})
	case "long line":
		d.count++
		l := sdkLine{text: fmt.Sprintf("long %d %s", d.count, strings.Repeat("x", rapid.IntRange(1, 9).Draw(t, "more")))}
		d.add(recording.Entry{Dir: recording.ToCLI, Line: l.text[:skimmed], Truncated: len(l.text)}, step{kind: skim, line: l})
	case "signal":
		name := rapid.SampledFrom([]string{"INT", "TERM"}).Draw(t, "signal")
		d.add(recording.Entry{Dir: recording.Signal, Line: name}, step{kind: atSignal, text: name})
	case "api":
		d.add(recording.Entry{Dir: recording.API, Number: 1, Line: "{}"})
	}
}

func (d *drawn) drawSay(t *rapid.T) {
	d.count++
	s := step{kind: say}
	switch rapid.SampledFrom([]string{"message", "reply", "reply", "request", "piece"}).Draw(t, "say") {
	case "message":
		s.text = fmt.Sprintf(`{"type":"assistant","n":%d,"v":"[version]"}`, d.count) + "\n"
	case "request":
		s.text = `{"type":"control_request","request_id":"r1"}` + "\n"
	case "piece":
		s.text = fmt.Sprintf("piece \xfe %d", d.count)
	case "reply":
		if len(d.asked) == 0 {
			s.text = "\n"
			break
		}
		s.text = reply(rapid.SampledFrom(d.asked).Draw(t, "id"))
	}
	d.add(recording.Written(recording.ToSDK, []byte(s.text)), s)
}

func (d *drawn) drawLine(t *rapid.T) sdkLine {
	d.count++
	switch rapid.SampledFrom([]string{"request", "request", "user", "text", "bytes", "empty"}).Draw(t, "line") {
	case "request":
		id := fmt.Sprintf("r%d", len(d.asked)+1)
		d.asked = append(d.asked, id)
		return request(id, rapid.SampledFrom([]string{"initialize", "interrupt"}).Draw(t, "subtype"))
	case "user":
		return user(fmt.Sprint("hello ", d.count))
	case "text":
		return sdkLine{text: fmt.Sprint("no JSON ", d.count)}
	case "bytes":
		return sdkLine{text: fmt.Sprintf("bad \xff %d", d.count)}
	}
	return sdkLine{}
}

// all is so much that the SDK reads whatever comes.
const all = math.MaxInt

// model says what a replay has to have done.
type model struct {
	steps []step

	// what the SDK did
	queue           []string // lines that were not waited for yet
	partial         string   // a line without its LF
	closed          bool     // its output, the CLI's input
	signals         []string // that were not waited for yet
	readable        int      // how many bytes it has read or waits for
	cancelled, gone bool

	// what the CLI did
	at     int // in steps
	saying bool
	out    string // what it has written or tries to write
	ended  bool
	code   int
	stderr string
}

// seen is what the SDK has read.
func (m *model) seen() string { return m.out[:min(len(m.out), m.readable)] }

func (m *model) end(code int, stderr string) { m.ended, m.code, m.stderr = true, code, stderr }

func (m *model) stray(want, got string) {
	m.end(ExitStray, "replay: the SDK has left the recording: waited for "+want+", got "+got+"\n")
}

func (m *model) write(data string) {
	lines := strings.Split(m.partial+data, "\n")
	m.queue = append(m.queue, lines[:len(lines)-1]...)
	m.partial = lines[len(lines)-1]
}

func (m *model) close() {
	if m.partial != "" {
		m.queue = append(m.queue, m.partial)
	}
	m.partial, m.closed = "", true
}

// expected are the lines that the recording still waits for and the SDK has not written.
func (m *model) expected() (lines []sdkLine) {
	for _, s := range m.steps[m.at:] {
		if s.kind == listen || s.kind == skim {
			lines = append(lines, s.line)
		}
	}
	return lines[min(len(lines), len(m.queue)):]
}

// run goes on until the CLI has to wait.
func (m *model) run() {
	for !m.ended {
		if m.saying {
			switch {
			case m.gone:
				m.out = m.seen()
				m.end(1, "")
			case len(m.out) > m.readable:
				return
			}
			m.saying = false
			m.at++
			continue
		}
		if m.cancelled {
			m.end(1, "")
			return
		}
		if !m.step(&m.steps[m.at]) {
			return
		}
	}
}

// step does one step and reports whether it need not wait.
func (m *model) step(s *step) bool {
	switch s.kind {
	case say:
		m.saying = true
		if !m.gone {
			m.out += m.said(s)
		}
		return true
	case listen, skim, atEOF:
		if len(m.queue) == 0 && !m.closed {
			return false
		}
		m.input(s)
	case atSignal:
		if len(m.signals) == 0 {
			return false
		}
		if got := m.signals[0]; got != s.text {
			m.stray("signal "+s.text, "signal "+got)
		}
		m.signals = m.signals[1:]
		m.at++
	case leave:
		m.end(s.code, strings.ReplaceAll(s.text, "[version]", modelVersion))
	}
	return true
}

// input takes a line or the end of the input.
func (m *model) input(s *step) {
	want := s.line.text
	if s.kind == atEOF {
		want = "the end of the input"
	} else if s.kind == skim {
		want = fmt.Sprintf("a line of %d bytes", len(s.line.text))
	}
	if len(m.queue) == 0 {
		m.at++
		if s.kind != atEOF {
			m.stray(want, "the end of the input")
		}
		return
	}
	got := m.queue[0]
	m.queue = m.queue[1:]
	switch {
	case s.kind == atEOF:
		m.stray(want, got)
	case s.kind == skim && len(got) == len(s.line.text) && strings.HasPrefix(got, s.line.text[:skimmed]):
		m.at++
	case s.kind == skim:
		m.stray(want, fmt.Sprintf("one of %d", len(got)))
	case meaning(want) == meaning(got):
		m.at++
	default:
		m.stray(want, got)
	}
}

func (m *model) said(s *step) string {
	return strings.ReplaceAll(s.text, "[version]", modelVersion)
}
