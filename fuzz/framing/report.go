package framing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Finding is a stream that the parser gets wrong.
type Finding struct {
	Problem
	Stream Stream // made as small as possible

	outcome *outcome
}

// A Report is what a run of the fuzzer found.
type Report struct {
	Command  []string
	Seed     uint64
	Runs     int // of the parser
	Failures int // streams that it got wrong, before they were made small
	Seconds  float64
	Findings []Finding
}

// add keeps a finding unless one of the same kind with the same stream is there.
func (r *Report) add(f Finding) {
	known := slices.ContainsFunc(r.Findings, func(g Finding) bool {
		return g.Kind == f.Kind && bytes.Equal(shape(g.Stream.Data), shape(f.Stream.Data))
	})
	if !known {
		r.Findings = append(r.Findings, f)
	}
}

// shape reduces a stream to what tells causes apart: digits and letters are all the same, and runs
// of them count once.
func shape(data []byte) []byte {
	var out []byte
	for _, c := range data {
		if '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			c = 'a'
		}
		if c != 'a' || len(out) == 0 || out[len(out)-1] != 'a' {
			out = append(out, c)
		}
	}
	return out
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, f := range r.Findings {
		fmt.Fprintf(&b, "%d. %s: %s\n", i+1, f.Kind, f.Detail)
		fmt.Fprintf(&b, "   stream (%s, from %q): %s\n", count(len(f.Stream.Data), "byte"), f.Stream.Name, Quote(f.Stream.Data))
		if len(f.Stream.Cuts) > 0 {
			fmt.Fprintf(&b, "   written in %d pieces, cut at %s\n", len(f.Stream.Chunks()), cutList(f.Stream.Cuts))
		}
		if f.outcome != nil {
			fmt.Fprintf(&b, "   wrote %s\n", Quote(f.outcome.output))
			if len(f.outcome.stderr) > 0 {
				fmt.Fprintf(&b, "   stderr ends with %s\n", Quote(f.outcome.stderr[max(0, len(f.outcome.stderr)-200):]))
			}
		}
	}
	fmt.Fprintf(&b, "%s in %.1f s, seed %d: ", count(r.Runs, "run"), r.Seconds, r.Seed)
	if len(r.Findings) == 0 {
		b.WriteString("nothing found\n")
	} else {
		b.WriteString(count(len(r.Findings), "finding") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// count returns a number of things, such as "1 run" or "2 runs".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func cutList(cuts []int) string {
	const most = 20
	text := strings.Trim(fmt.Sprint(cuts[:min(len(cuts), most)]), "[]")
	if len(cuts) > most {
		text += " …"
	}
	return text
}

// MarshalJSON returns the report for machines. Streams and outputs are base64, since they need not
// be UTF-8.
func (r *Report) MarshalJSON() ([]byte, error) {
	type finding struct {
		Kind   Kind   `json:"kind"`
		Detail string `json:"detail"`
		From   string `json:"from"`
		Stream []byte `json:"stream_base64"`
		Cuts   []int  `json:"cuts,omitempty"`
		Output []byte `json:"output_base64,omitempty"`
		Stderr string `json:"stderr,omitempty"`
	}
	findings := []finding{}
	for _, f := range r.Findings {
		one := finding{Kind: f.Kind, Detail: f.Detail, From: f.Stream.Name, Stream: f.Stream.Data, Cuts: f.Stream.Cuts}
		if f.outcome != nil {
			one.Output, one.Stderr = f.outcome.output, strings.ToValidUTF8(string(f.outcome.stderr), "\ufffd")
		}
		findings = append(findings, one)
	}
	return json.Marshal(struct {
		Command  []string  `json:"command"`
		Seed     uint64    `json:"seed"`
		Runs     int       `json:"runs"`
		Failures int       `json:"failures"`
		Seconds  float64   `json:"seconds"`
		Findings []finding `json:"findings"`
	}{r.Command, r.Seed, r.Runs, r.Failures, r.Seconds, findings})
}

// Save writes the stream of each finding to a file in a folder, which is made if it does not exist.
func (r *Report) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i, f := range r.Findings {
		name := fmt.Sprintf("%d-%s.ndjson", i+1, f.Kind)
		if err := os.WriteFile(filepath.Join(dir, name), f.Stream.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
