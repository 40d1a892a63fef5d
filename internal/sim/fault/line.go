package fault

import (
	"bytes"
	"encoding/json"
)

// line is what faults look at in a line.
type line struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	RequestID json.RawMessage `json:"request_id"`
	Request   struct {
		Subtype string `json:"subtype"`
	} `json:"request"`
	Response struct {
		RequestID json.RawMessage `json:"request_id"`
	} `json:"response"`
}

// look reads what it can of a line; what is not JSON has no type.
func look(text []byte) (l line) {
	var loose struct {
		Type, Subtype     json.RawMessage
		RequestID         json.RawMessage `json:"request_id"`
		Request, Response json.RawMessage
	}
	if json.Unmarshal(text, &loose) != nil {
		return line{}
	}
	// A member of another JSON kind counts as missing.
	_ = json.Unmarshal(loose.Type, &l.Type)
	_ = json.Unmarshal(loose.Subtype, &l.Subtype)
	_ = json.Unmarshal(loose.Request, &l.Request)
	_ = json.Unmarshal(loose.Response, &l.Response)
	l.RequestID = loose.RequestID
	return l
}

// kind returns the kind of a line as faults name it. The subtypes of what the peer asked are in
// asked, by the text of the request's id.
func (l *line) kind(asked map[string]string) string {
	second := l.Subtype
	switch l.Type {
	case "control_request":
		second = l.Request.Subtype
	case "control_response":
		second = asked[string(l.Response.RequestID)]
	}
	if second == "" {
		return l.Type
	}
	return l.Type + "/" + second
}

// is reports whether a line of kind is what a fault means by want.
func is(kind, want string) bool {
	if want == "line" || kind == want {
		return true
	}
	return len(kind) > len(want) && kind[:len(want)] == want && kind[len(want)] == '/'
}

// with returns an object with a member more at its end. What is not an object stays as it is.
func with(text []byte, member string) []byte {
	end := bytes.LastIndexByte(text, '}')
	if end < 0 || look(text).Type == "" {
		return text
	}
	var b bytes.Buffer
	b.Write(text[:end])
	b.WriteString("," + member)
	b.Write(text[end:])
	return b.Bytes()
}
