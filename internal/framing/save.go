package framing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Save writes files for each finding to a folder, which is made if it does not exist: the stream,
// the frames that a parser must or may find in it, a script that writes it, and the pieces in which
// it was written, which [ReadStream] reads. Of a stream that is too long there is the script only.
func (r *Report) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range r.Findings {
		for end, data := range r.Findings[i].files() {
			name := filepath.Join(dir, r.Findings[i].baseName(i)+end)
			if err := os.WriteFile(name, data, 0o666); err != nil {
				return err
			}
		}
	}
	r.saved = dir
	return nil
}

const (
	streamFile   = ".ndjson"
	scriptFile   = ".sh"
	piecesFile   = ".pieces"
	expectedFile = ".expected.ndjson"
)

// files returns the files of a finding by the ends of their names.
func (f *Finding) files() map[string][]byte {
	all := map[string][]byte{}
	if f.Script != "" {
		all[scriptFile] = []byte(f.Script)
	}
	if f.Stream.Size > 0 {
		return all
	}
	if f.Script == "" {
		all[scriptFile] = []byte(f.Stream.script(0))
	}
	all[streamFile], all[piecesFile] = f.Stream.Data, f.Stream.pieced()
	var b bytes.Buffer
	for _, e := range Expect(f.Stream.Data) {
		line := struct {
			Line  int             `json:"line"`
			Must  bool            `json:"must"`
			Frame json.RawMessage `json:"frame,omitempty"`
		}{e.Line, e.Must, nil}
		if e.Must {
			line.Frame = e.Text
		}
		text, err := json.Marshal(line)
		if err == nil {
			fmt.Fprintf(&b, "%s\n", text)
		}
	}
	all[expectedFile] = b.Bytes()
	return all
}

func (f *Finding) baseName(i int) string { return fmt.Sprintf("%d-%s", i+1, f.Kind) }

// fileName is the name of the file that shows the finding at an index.
func (f *Finding) fileName(i int, persistent bool) string {
	switch {
	case f.Script != "":
		return f.baseName(i) + scriptFile
	case persistent:
		return f.baseName(i) + piecesFile
	}
	return f.baseName(i) + streamFile
}

// ReadStream reads a stream that was saved: in its pieces, or as it is.
func ReadStream(name string) (Stream, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return Stream{}, err
	}
	s := Stream{Name: filepath.Base(name), Data: data}
	if filepath.Ext(name) != piecesFile {
		return s, nil
	}
	s.Data = nil
	for {
		line, rest, ok := bytes.Cut(data, []byte("\n"))
		n, err := strconv.Atoi(string(line))
		if !ok || err != nil || n < 0 || n > len(rest) {
			return s, fmt.Errorf("%s: not a stream in pieces: want a number on a line before each piece", name)
		}
		if n == 0 {
			return s, nil
		}
		if len(s.Data) > 0 {
			s.Cuts = append(s.Cuts, len(s.Data))
		}
		s.Data, data = append(s.Data, rest[:n]...), rest[n:]
	}
}
