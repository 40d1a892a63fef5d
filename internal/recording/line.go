package recording

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A Line is one line of the protocol that a recording holds.
type Line struct {
	Entry int    // the index of the entry in which it ends
	Dir   Dir    // ToCLI or ToSDK
	Text  []byte // without the LF

	// Answers is, in a successful control_response, the subtype of the request that it answers, or
	// the type of another line that is answered like one, and Body the answer. Both are empty in
	// every other line.
	Answers string
	Body    json.RawMessage

	// Asks is, in a control_request, its subtype. Outcome is how it, or another line that is
	// answered like one, was answered.
	Asks    string
	Outcome Outcome
}

// An Outcome is how a request was answered, "" if it was not.
type Outcome string

const (
	Success     Outcome = "success"
	Failure     Outcome = "error"       // an error, but for the next
	Unsupported Outcome = "unsupported" // an error that says that there is no such request
)

// Lines returns the lines of both sides in their order. One entry may hold several lines, and a
// line may be written in several entries. What an entry holds only the start of is left out. Each
// header begins a session of its own.
func Lines(entries []Entry) ([]Line, error) {
	var lines []Line
	for start, end := 0, 0; start < len(entries); start = end {
		for end = start + 1; end < len(entries) && entries[end].Dir != Header; end++ {
		}
		session, err := sessionLines(entries, start, end)
		if err != nil {
			return nil, err
		}
		lines = append(lines, session...)
	}
	return lines, nil
}

// sessionLines returns the lines of the session in entries[start:end].
func sessionLines(entries []Entry, start, end int) ([]Line, error) {
	var lines []Line
	rest := map[Dir][]byte{} // what has no LF yet
	for i := start; i < end; i++ {
		e := &entries[i]
		if e.Dir != ToCLI && e.Dir != ToSDK || e.Truncated > 0 {
			continue
		}
		data, err := e.Bytes()
		if err != nil {
			return nil, err
		}
		data = append(rest[e.Dir], data...)
		for {
			text, after, ok := bytes.Cut(data, []byte("\n"))
			if !ok {
				break
			}
			lines = append(lines, Line{Entry: i, Dir: e.Dir, Text: text})
			data = after
		}
		rest[e.Dir] = bytes.Clone(data)
	}
	for _, dir := range []Dir{ToCLI, ToSDK} {
		if len(rest[dir]) > 0 {
			lines = append(lines, Line{Entry: end - 1, Dir: dir, Text: rest[dir]})
		}
	}
	correlate(lines)
	return lines, nil
}

// correlate finds what each control_response answers: a request from the other side with its id.
func correlate(lines []Line) {
	type request struct {
		line int
		name string // the subtype, or the type of a line that is answered like a request
	}
	asked := map[Dir]*Requests[request]{ToCLI: {}, ToSDK: {}} // by who was asked
	for i := range lines {
		l := &lines[i]
		var frame struct {
			Type    string          `json:"type"`
			ID      json.RawMessage `json:"request_id"`
			Request struct {
				Subtype string `json:"subtype"`
			} `json:"request"`
			Reply struct {
				Subtype string          `json:"subtype"`
				ID      json.RawMessage `json:"request_id"`
				Body    json.RawMessage `json:"response"`
				Error   string          `json:"error"`
			} `json:"response"`
		}
		if !mayMatter(l.Text) || json.Unmarshal(l.Text, &frame) != nil {
			continue
		}
		switch frame.Type {
		case "control_request":
			l.Asks = frame.Request.Subtype
			asked[l.Dir].Ask(string(frame.ID), request{i, l.Asks})
		case "update_environment_variables":
			if frame.ID != nil {
				asked[l.Dir].Ask(string(frame.ID), request{i, frame.Type})
			}
		case "control_response":
			asker := ToCLI
			if l.Dir == ToCLI {
				asker = ToSDK
			}
			r, ok := asked[asker].Answer(string(frame.Reply.ID), func(r request) bool {
				return frame.Reply.Subtype == "error" || Fits(r.name, frame.Reply.Body)
			})
			if !ok {
				continue
			}
			lines[r.line].Outcome = Better(lines[r.line].Outcome, outcome(frame.Reply.Subtype, frame.Reply.Error))
			if frame.Reply.Subtype == "success" && frame.Reply.Body != nil {
				l.Answers, l.Body = r.name, frame.Reply.Body
			}
		}
	}
}

// mayMatter is false for most of the lines that neither ask nor answer: they need not be read.
func mayMatter(text []byte) bool {
	return bytes.Contains(text, []byte(`"control_re`)) || bytes.Contains(text, []byte(`"update_environment_variables"`)) ||
		bytes.Contains(text, []byte(`\u`)) // may spell either
}

// outcome reads what a reply says.
func outcome(subtype, message string) Outcome {
	switch {
	case subtype == "success":
		return Success
	case strings.HasPrefix(message, "Unsupported control request subtype"):
		return Unsupported
	default:
		return Failure
	}
}

// Better returns the outcome that says more of what a peer can do, of two replies to one request.
func Better(a, b Outcome) Outcome {
	for _, o := range []Outcome{Success, Failure, Unsupported} {
		if a == o || b == o {
			return o
		}
	}
	return ""
}
