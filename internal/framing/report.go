package framing

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Report is what a run of the fuzzer found.
type Report struct {
	Command  []string
	Seed     uint64
	Runs     int // of the parser
	Failures int // streams that it got wrong, before they were made small
	Seconds  float64
	Findings []Finding
	Carried  int      // streams that a persistent parser got wrong only after others
	Stalls   int      // runs past the deadline that ended in time when the stream was fed again
	LeftOut  []string // what was not done for want of time or because there were enough findings

	// Missed is how many of the hand-made streams the parser never got for want of time. Without
	// findings, such a run is not a pass. Enough is how long a run must be to play them all.
	Missed int
	Enough time.Duration

	saved      string // the folder with the streams, if Save was called
	persistent bool   // the parser is
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	if r.Missed > 0 {
		fmt.Fprintf(&b, "not a pass: %s never played; --time %v is enough\n", count(r.Missed, "hand-made stream"), r.Enough)
	}
	for i, f := range r.Findings {
		fmt.Fprintf(&b, "%d. %s: %s\n", i+1, f.Kind, f.Detail)
		if f.cause.text != "" {
			fmt.Fprintf(&b, "   it %s\n", f.cause.text)
		}
		fmt.Fprintf(&b, "   rule: %s\n", f.cause.rule)
		r.writeStream(&b, i)
		if len(f.Also) > 0 {
			fmt.Fprintf(&b, "   the same with %s: %s\n", count(len(f.Also), "other stream"), nameList(f.Also))
		}
		if f.outcome != nil {
			fmt.Fprintf(&b, "   wrote %s\n", Quote(f.outcome.output))
			if len(f.outcome.stderr) > 0 {
				fmt.Fprintf(&b, "   stderr ends with %s\n", Quote(f.outcome.stderr[max(0, len(f.outcome.stderr)-200):]))
			}
		}
	}
	fmt.Fprintf(&b, "%s in %.1f s, seed %d: ", count(r.Runs, "run"), r.Seconds, r.Seed)
	if len(r.Findings) == 0 && r.Missed > 0 {
		b.WriteString("nothing found so far\n")
	} else if len(r.Findings) == 0 {
		b.WriteString("nothing found\n")
	} else {
		b.WriteString(count(len(r.Findings), "finding") + "\n")
	}
	if r.Stalls > 0 {
		fmt.Fprintf(&b, "note: %s took longer than the deadline, but not when the stream was fed again: the machine was busy, or the parser stalls at times\n",
			count(r.Stalls, "run"))
	}
	if r.Carried > 0 {
		fmt.Fprintf(&b, "note: %s went wrong only after others in the same process: COMMAND keeps something from one stream to the next\n",
			count(r.Carried, "stream"))
	}
	for _, what := range r.LeftOut {
		fmt.Fprintf(&b, "left out: %s\n", what)
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

// writeStream says which stream shows a finding and how to feed it again.
func (r *Report) writeStream(b *strings.Builder, i int) {
	f := r.Findings[i]
	of := ""
	if f.Streams > 1 {
		of = fmt.Sprintf(", the smallest of %d", f.Streams)
	}
	if f.Stream.Size > 0 {
		fmt.Fprintf(b, "   stream (%s%s): %s\n", count(f.Stream.Size, "byte"), of, f.Stream.Name)
	} else {
		fmt.Fprintf(b, "   stream (%s%s, from %q): %s\n", count(len(f.Stream.Data), "byte"), of, f.Stream.Name, Quote(f.Stream.Data))
	}
	if len(f.Stream.Cuts) > 0 {
		fmt.Fprintf(b, "   written in %d pieces, cut at %s\n", len(f.Stream.Chunks()), cutList(f.Stream.Cuts))
	}
	command := shellQuote(r.Command...)
	switch name := shellQuote(filepath.Join(r.saved, f.fileName(i, r.persistent))); {
	case f.Unconfirmed:
		fmt.Fprintf(b, "   not fed again: the time was over\n")
	case f.Unsteady:
		fmt.Fprintf(b, "   not seen when the stream was fed again\n")
	case r.saved != "" && f.Script != "":
		fmt.Fprintf(b, "   again: sh %s | %s\n", name, command)
	case r.saved != "":
		fmt.Fprintf(b, "   again: %s < %s\n", command, name)
	case f.Script != "" && len(f.Script) < 500:
		body := strings.TrimPrefix(strings.TrimSpace(f.Script), "#!/bin/sh\n")
		fmt.Fprintf(b, "   again: (%s) | %s\n", strings.ReplaceAll(body, "\n", "; "), command)
	}
}

// nameList lists names of streams, not too many.
func nameList(names []string) string {
	const most = 12
	var quoted []string
	for _, name := range names[:min(len(names), most)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if len(names) > most {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
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
		Kind        Kind     `json:"kind"`
		Detail      string   `json:"detail"`
		Cause       string   `json:"cause"`
		Does        string   `json:"behaviour,omitempty"`
		Rule        string   `json:"rule"`
		Streams     int      `json:"streams"`
		Also        []string `json:"also,omitempty"`
		From        string   `json:"from"`
		Stream      []byte   `json:"stream_base64,omitempty"`
		Cuts        []int    `json:"cuts,omitempty"`
		Script      string   `json:"script,omitempty"`
		Unsteady    bool     `json:"unsteady,omitempty"`
		Unconfirmed bool     `json:"unconfirmed,omitempty"`
		Output      []byte   `json:"output_base64,omitempty"`
		Stderr      string   `json:"stderr,omitempty"`
	}
	findings := []finding{}
	for _, f := range r.Findings {
		one := finding{
			Kind: f.Kind, Detail: f.Detail, Cause: f.cause.id, Does: f.cause.text, Rule: f.cause.rule,
			Streams: f.Streams, Also: f.Also, From: f.Stream.Name,
			Stream: f.Stream.Data, Cuts: f.Stream.Cuts, Script: f.Script, Unsteady: f.Unsteady, Unconfirmed: f.Unconfirmed,
		}
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
		Stalls   int       `json:"stalls,omitempty"`
		Carried  int       `json:"carried,omitempty"`
		LeftOut  []string  `json:"left_out,omitempty"`
		Missed   int       `json:"missed,omitempty"`
		Enough   float64   `json:"enough_seconds,omitempty"`
	}{r.Command, r.Seed, r.Runs, r.Failures, r.Seconds, findings, r.Stalls, r.Carried, r.LeftOut, r.Missed, r.Enough.Seconds()})
}
