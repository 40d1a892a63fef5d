package wire

import "github.com/ccwire/ccwire/internal/jsontext"

// Unreadable returns the frame that stands for a line that does not decode, so that it is not lost:
// it has a copy of the line and the error that says why. Its Type, Subtype, ID and [SessionID] are
// those of the line also where that is broken or cut off, as far as they are strings of at most 128
// bytes; and so they are for the digest that a [codec.Reader] gives of a line over its limit.
func Unreadable(line []byte, err error) *UnknownFrame {
	return &UnknownFrame{Raw: append(Raw{}, line...), Err: err}
}

// ID returns the uuid of the frame; if it has none, the id of the request that it is, cancels or
// answers; "" if it has neither.
func (v *UnknownFrame) ID() string {
	r := readablePart(v.Raw)
	for _, pointer := range []string{"/uuid", "/request_id", "/response/request_id"} {
		if id, _ := r.Find(pointer).Text(); id != "" {
			return id
		}
	}
	return ""
}

// Text returns the string that a JSON pointer leads to, "" if there is none. In a line that is
// broken it finds what [Unreadable] says.
func (v *UnknownFrame) Text(pointer string) string { return textOf(v.Raw, pointer) }

// textOf returns the string that a pointer leads to, or "".
func textOf(r Raw, pointer string) string {
	s, _ := readablePart(r).Find(pointer).Text()
	return s
}

// readablePart returns what can be found in a value: all of it, or the digest of one that is not
// JSON.
func readablePart(r Raw) Raw {
	if r.Find("") != nil {
		return r
	}
	var d jsontext.Digest
	d.Write(r)
	return d.JSON()
}
