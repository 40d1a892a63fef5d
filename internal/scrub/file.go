package scrub

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
)

// File writes a recording, or plain NDJSON, as it may be shown. Findings of a tap are left out: the
// lines have them still. Lines that are too long to be held are left out; tell gets their numbers.
func File(dst io.Writer, src io.Reader, s *Scrubber, maxLine int, tell func(line int)) error {
	r := linestream.NewReader(src, linestream.Options{MaxLine: maxLine})
	for {
		l, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		out, ok := s.fileLine(l, r.Recording())
		if !ok {
			tell(l.Number)
			continue
		}
		if _, err := dst.Write(out); err != nil {
			return err
		}
	}
}

// fileLine returns a line of a file, with its LF. It is false for one that is not held.
func (s *Scrubber) fileLine(l *linestream.Line, recorded bool) ([]byte, bool) {
	if l.Raw == nil {
		return nil, false
	}
	text := bytes.TrimSuffix(l.Raw, []byte("\n"))
	if !recorded {
		for _, p := range l.Parts {
			if p.Kind == codec.OversizeLine {
				return nil, false
			}
		}
		return append(s.Line(text), '\n'), true
	}
	if l.Err != nil || len(bytes.TrimSpace(text)) == 0 {
		return append(s.Text(text), '\n'), true
	}
	var e recording.Entry
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte(mark)), &e); err != nil {
		return append(s.Text(text), '\n'), true // of another recorder
	}
	if e.Dir == recording.Finding {
		return nil, true
	}
	s.Entry(&e)
	var b bytes.Buffer
	if err := recording.Write(&b, []recording.Entry{e}); err != nil {
		return nil, false
	}
	return b.Bytes(), true
}

var (
	scenario = regexp.MustCompile(`^[a-z0-9-]{1,40}(?:/[a-z0-9-]{1,40})?$`)
	signal   = regexp.MustCompile(`^[A-Z0-9]{1,10}$`)
)

// dirs are those of entries.
var dirs = map[recording.Dir]bool{
	recording.Header: true, recording.ToCLI: true, recording.ToSDK: true, recording.EOF: true, recording.Signal: true, recording.API: true,
	recording.Exit: true, recording.Stderr: true, recording.Lost: true, recording.Summary: true,
}

// Entry makes an entry of a recording one that may be shown.
func (s *Scrubber) Entry(e *recording.Entry) {
	if !dirs[e.Dir] {
		e.Dir = "other"
	}
	if !dirs[e.Of] {
		e.Of = ""
	}
	if !scenario.MatchString(e.Scenario) {
		e.Scenario = ""
	}
	if !version.MatchString(e.Version) {
		e.Version = ""
	}
	if !signal.MatchString(e.Signal) {
		e.Signal = ""
	}
	e.Args, e.Started = s.Args(e.Args), ""
	e.Failed, e.Stderr = string(s.Text([]byte(e.Failed))), string(s.Text([]byte(e.Stderr)))
	switch {
	case e.Dir == recording.Signal && signal.MatchString(e.Line):
	case e.Base64 != "":
		s.exact(e)
	case e.Truncated > 0 || e.Dir != recording.ToCLI && e.Dir != recording.ToSDK && e.Dir != recording.API:
		e.Line = string(s.Text([]byte(e.Line)))
	default:
		e.Line = string(s.lines([]byte(e.Line)))
	}
}

// exact replaces bytes that are not UTF-8.
func (s *Scrubber) exact(e *recording.Entry) {
	data, err := base64.StdEncoding.DecodeString(e.Base64)
	if err != nil {
		e.Base64, e.Line = "", string(s.Text([]byte(e.Line)))
		return
	}
	out := s.lines(data)
	if utf8.Valid(out) {
		out = append(out, 0xff) // as broken as it was
	}
	e.Base64 = base64.StdEncoding.EncodeToString(out)
	e.Line = strings.ToValidUTF8(string(out), "\uFFFD")
}

// lines replaces one or more lines.
func (s *Scrubber) lines(text []byte) []byte {
	all := bytes.Split(text, []byte("\n"))
	for i := range all {
		all[i] = s.Line(all[i])
	}
	return bytes.Join(all, []byte("\n"))
}
