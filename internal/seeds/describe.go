package seeds

import (
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// describe names a frame by its type and the tags below it.
func describe(line []byte) string {
	var words []string
	for _, pointer := range []string{"/type", "/subtype", "/request/subtype", "/request/input/hook_event_name", "/event/type", "/event/delta/type"} {
		if text, ok := codec.Raw(line).Find(pointer).Text(); ok {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}
