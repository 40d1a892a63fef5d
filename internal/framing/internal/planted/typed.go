package planted

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
)

// typed takes only lines that have a type and an id, and writes these in a form of its own. It may
// stop at the first line that is not an object.
func typed(in io.Reader, out *bufio.Writer, stops bool) int {
	stopped := false
	eachLine(in, func(line []byte) {
		var frame struct {
			Type      string
			UUID      string
			RequestID string `json:"request_id"`
			Response  struct {
				RequestID string `json:"request_id"`
			}
		}
		if err := json.Unmarshal(line, &frame); err != nil && stops && len(bytes.TrimSpace(line)) > 0 {
			stopped = true
		}
		if id := cmp.Or(frame.UUID, frame.RequestID, frame.Response.RequestID); frame.Type != "" && id != "" && !stopped {
			fmt.Fprintf(out, "{\"kind\":%q,\"id\":%q}\n", frame.Type, id)
		}
	})
	return 0
}
