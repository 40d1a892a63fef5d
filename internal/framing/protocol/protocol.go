// Package protocol has the frames of the protocol for the framing fuzzer, for parsers that take no
// others.
package protocol

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/framing"
	"github.com/ccwire/ccwire/internal/seeds"
	"github.com/ccwire/ccwire/schema"
)

// longest is the length of the longest frame that is used.
const longest = 600

// Vocabulary returns frames that the end of a direction writes, one of each type that has an id,
// each of which the closed form of the schemas takes. Keys are where the output of
// the parser has the id.
func Vocabulary(d schema.Direction, keys ...string) *framing.Vocabulary {
	v := &framing.Vocabulary{Keys: keys}
	closed := func(line []byte) bool { return schema.Default().Closed().ValidateFrame(d, line) == nil }
	seen := map[string]bool{}
	for _, in := range seeds.Frames() {
		name, _ := codec.Raw(in.Data).Find("/type").Text()
		if len(in.Data) > longest || seen[name] || !closed(in.Data) || bytes.Contains(in.Data, []byte(`"n":`)) {
			continue
		}
		frame, ok := withID(string(in.Data))
		if !ok || !closed([]byte(frame)) {
			continue
		}
		seen[name] = true
		v.Frames = append(v.Frames, frame)
	}
	return v
}

var idMember = regexp.MustCompile(`"(uuid|request_id)":\s*"[^"]*"`)

// withID puts the place for an id into a frame. The frame must have one, and only one.
func withID(line string) (string, bool) {
	if len(idMember.FindAllString(line, -1)) != 1 || strings.Contains(line, "\\") {
		return "", false
	}
	frame := idMember.ReplaceAllString(line, `"$1":"`+framing.ID+`"`)
	for _, pointer := range []string{"/uuid", "/request_id", "/response/request_id"} {
		if id, ok := codec.Raw(frame).Find(pointer).Text(); ok {
			return frame, id == framing.ID
		}
	}
	return "", false
}
