package seeds

import (
	"fmt"
	"os"
	"path/filepath"
)

// A Format says how an input is written to a file.
type Format string

const (
	Plain Format = "plain" // the bytes themselves
	Go    Format = "go"    // as Go's fuzzing has its testdata/fuzz, for a target with one []byte
)

// Formats are all formats.
var Formats = []Format{Plain, Go}

// Dictionary is the name of the file with the tokens.
const Dictionary = "ccwire.dict"

// Write writes the corpus below a folder, which is made if it does not exist: "framing" has the
// streams and "frames" the frames, each input in a file. In the plain format there is also a
// [Dictionary], which Go's fuzzing does not have, and "harness" with a harness for each of some
// fuzzers. It returns how many files it wrote.
func Write(dir string, format Format) (int, error) {
	n := 0
	for _, part := range []struct {
		name   string
		inputs []Input
	}{{"framing", Streams()}, {"frames", Frames()}} {
		to := filepath.Join(dir, part.name)
		if err := os.MkdirAll(to, 0o777); err != nil {
			return n, err
		}
		for _, in := range part.inputs {
			if err := os.WriteFile(filepath.Join(to, in.Name), format.encode(in.Data), 0o666); err != nil {
				return n, err
			}
			n++
		}
	}
	if format != Plain {
		return n, nil
	}
	written, err := writeHarnesses(filepath.Join(dir, "harness"))
	if n += written; err != nil {
		return n, err
	}
	return n + 1, os.WriteFile(filepath.Join(dir, Dictionary), dictionary(Tokens()), 0o666)
}

func (f Format) encode(data []byte) []byte {
	if f == Go {
		return fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", data)
	}
	return data
}
