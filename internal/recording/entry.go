package recording

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// Dir says what an entry is.
type Dir string

const (
	Header Dir = "header"   // the first entry: Scenario, Version, Args, Failed
	ToCLI  Dir = "sdk->cli" // what the SDK wrote
	ToSDK  Dir = "cli->sdk" // what the CLI wrote
	EOF    Dir = "sdk-eof"  // the SDK closed its end
	Signal Dir = "signal"   // the SDK sent a signal: Line is its name
	API    Dir = "api"      // what the model was asked: Number and Line, or Total
	Exit   Dir = "exit"     // the last entry: Code, Stderr

	// What a tap adds.
	Stderr  Dir = "stderr"  // what the CLI wrote to its standard error
	Lost    Dir = "lost"    // bytes that passed and are not in the recording: Of, Lost
	Finding Dir = "finding" // what is to be said of an entry before it
	Summary Dir = "summary" // counts, before the exit
)

// Entry is one line of a recording.
type Entry struct {
	Dir Dir `json:"dir"`
	// Key is the same in all entries of a session, in a file that has several; "" in others.
	Key string `json:"key,omitempty"`
	// Time is when it happened, in milliseconds from the start; 0 where nobody took the time.
	Time float64 `json:"t_ms,omitempty"`

	Scenario string   `json:"scenario,omitempty"`
	Version  string   `json:"version,omitempty"`
	Args     []string `json:"args,omitempty"`
	Started  string   `json:"started,omitempty"` // the time of day, in RFC 3339
	// Failed says why the scenario did not hold. Empty if it did.
	Failed string `json:"failed,omitempty"`
	// Complete says that it was played to its end although it did not hold.
	Complete bool `json:"complete,omitempty"`

	// Line is what was written, without its LF. It may hold several lines.
	Line string `json:"line,omitempty"`
	// Base64 holds the exact bytes where they are not UTF-8.
	Base64 string `json:"line_b64,omitempty"`
	// Unterminated says that no LF followed.
	Unterminated bool `json:"unterminated,omitempty"`
	// Truncated is the length in bytes of a line of which Line holds only the start.
	Truncated int `json:"truncated_from_chars,omitempty"`

	Number int  `json:"number,omitempty"` // of a request at the fake API, from 1
	Total  *int `json:"total,omitempty"`  // how many requests the fake API had

	Code   *int   `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"` // what ended the CLI, if a signal did
	Stderr string `json:"stderr,omitempty"`

	Of   Dir   `json:"of,omitempty"`   // whose bytes were lost
	Lost int64 `json:"lost,omitempty"` // how many
}

// maxLine is the longest line that an entry holds in full.
const maxLine = 64 << 10

// headLine is how much is kept of a longer one.
const headLine = 1000

// Written returns the entry for bytes that one side wrote in one go. What the CLI wrote is there in
// full: a [Scrubber] cuts it, since it is shorter then.
func Written(dir Dir, data []byte) Entry {
	e := Entry{Dir: dir}
	text, lf := bytes.CutSuffix(data, []byte("\n"))
	e.Unterminated = !lf
	if !utf8.Valid(text) {
		e.Line = string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
		e.Base64 = base64.StdEncoding.EncodeToString(text)
		return e
	}
	e.Line = string(text)
	if dir == ToCLI {
		e.cut()
	}
	return e
}

// cut keeps only the start of a line that is too long.
func (e *Entry) cut() {
	if len(e.Line) > maxLine && e.Base64 == "" {
		e.Truncated = len(e.Line)
		e.Line = strings.ToValidUTF8(e.Line[:headLine], "")
	}
}

// Bytes returns what was written, with its LF. It is the start only if Truncated says so.
func (e *Entry) Bytes() ([]byte, error) {
	data := []byte(e.Line)
	if e.Base64 != "" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(e.Base64); err != nil {
			return nil, err
		}
	}
	if !e.Unterminated {
		data = append(data, '\n')
	}
	return data, nil
}

// Write writes entries, one on each line.
func Write(w io.Writer, entries []Entry) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i := range entries {
		if err := enc.Encode(&entries[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Read reads a recording and checks that it has a header and an end.
func Read(r io.Reader) ([]Entry, error) {
	var entries []Entry
	dec := json.NewDecoder(r)
	for {
		var e Entry
		err := dec.Decode(&e)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("recording: entry %d: %w", len(entries)+1, err)
		}
		entries = append(entries, e)
	}
	if len(entries) < 2 || entries[0].Dir != Header || entries[len(entries)-1].Dir != Exit {
		return nil, fmt.Errorf("recording: no header or no exit")
	}
	return entries, nil
}

// ReadFile reads the recording in a file.
func ReadFile(fsys fs.FS, name string) ([]Entry, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	entries, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return entries, nil
}
