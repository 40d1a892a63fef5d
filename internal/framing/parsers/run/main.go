// Run is a way to read NDJSON in Go as a command, which the first argument names. With --persistent
// after it, it reads many streams, each in pieces.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/framing/internal/harness"
)

// all are the parsers. An exit code of 1 says that one returned an error.
var all = map[string]harness.Parser{"scanner": scanner, "decoder": decoder, "codec": reader}

func main() { harness.Main(all) }

func scanner(in io.Reader, out *bufio.Writer) int {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var frame map[string]any
		if json.Unmarshal(lines.Bytes(), &frame) == nil {
			write(out, frame)
		}
	}
	return code(lines.Err())
}

func decoder(in io.Reader, out *bufio.Writer) int {
	for d := json.NewDecoder(in); ; {
		var value any
		if err := d.Decode(&value); err != nil {
			return code(err)
		}
		frame, _ := value.(map[string]any)
		write(out, frame)
	}
}

func reader(in io.Reader, out *bufio.Writer) int {
	for lines := codec.NewReader(in, nil); ; {
		line, err := lines.Next()
		if err != nil {
			return code(err)
		}
		if line.Kind == codec.ObjectLine && json.Valid(line.Bytes) {
			fmt.Fprintf(out, "%s\n", line.Bytes)
		}
	}
}

// write writes an object, unless it is nil.
func write(out *bufio.Writer, frame map[string]any) {
	if frame != nil {
		json.NewEncoder(out).Encode(frame)
	}
}

func code(err error) int {
	if err == nil || err == io.EOF {
		return 0
	}
	return 1
}
