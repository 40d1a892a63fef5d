package recording

import (
	"bytes"
	"encoding/json"
)

// A Line is one line of the protocol that a recording holds.
type Line struct {
	Entry int    // the index of the entry in which it ends
	Dir   Dir    // ToCLI or ToSDK
	Text  []byte // without the LF

	// Answers is, in a successful control_response, the subtype of the request that it answers, and
	// Body the answer. Both are empty in every other line.
	Answers string
	Body    json.RawMessage
}

// Lines returns the lines of both sides in their order. One entry may hold several lines, and a
// line may be written in several entries. What an entry holds only the start of is left out.
func Lines(entries []Entry) ([]Line, error) {
	var lines []Line
	rest := map[Dir][]byte{} // what has no LF yet
	for i := range entries {
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
			lines = append(lines, Line{Entry: len(entries) - 1, Dir: dir, Text: rest[dir]})
		}
	}
	correlate(lines)
	return lines, nil
}

// correlate finds what each control_response answers: a request from the other side with its id.
func correlate(lines []Line) {
	type request struct {
		to Dir
		id string
	}
	subtypes := map[request]string{}
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
			} `json:"response"`
		}
		if json.Unmarshal(l.Text, &frame) != nil {
			continue
		}
		switch frame.Type {
		case "control_request":
			subtypes[request{l.Dir, string(frame.ID)}] = frame.Request.Subtype
		case "control_response":
			asker := ToCLI
			if l.Dir == ToCLI {
				asker = ToSDK
			}
			subtype, ok := subtypes[request{asker, string(frame.Reply.ID)}]
			if ok && frame.Reply.Subtype == "success" && frame.Reply.Body != nil {
				l.Answers, l.Body = subtype, frame.Reply.Body
			}
		}
	}
}
