package framing

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// holdTime is how long a parser is left alone with the longest frame.
const holdTime = 300 * time.Millisecond

// checkGrowth gives the parser streams that are longer than it may hold.
func (f *fuzzer) checkGrowth(ctx context.Context) error {
	longest := []byte(between(sized(7, MaxLine, "x")))
	usual, err := f.command.run(ctx, int64(len(longest)), func(_ context.Context, w *feeder) {
		w.Write(longest)
		waitDrained(w.File, time.Second)
		time.Sleep(holdTime) // so that the memory is looked at before the parser ends
	})
	if err != nil {
		return err
	}
	f.count()
	if usual.memory == 0 {
		return nil // the system does not say
	}
	limited := f.command
	limited.memory = usual.memory + f.options.Growth
	for _, e := range endless {
		e.head, e.tail = f.translate(e.head), f.translate(e.tail)
		kind, err := f.checkEndless(ctx, &limited, e)
		if err != nil {
			return err
		}
		if kind == Growth {
			return nil // the others would be the same finding
		}
	}
	return nil
}

// checkEndless gives the parser one stream that it may not hold. It returns the kind of what went
// wrong, if anything did.
func (f *fuzzer) checkEndless(ctx context.Context, limited *command, e endlessStream) (Kind, error) {
	o, err := limited.run(ctx, endlessSize, e.feed)
	if err != nil {
		return "", err
	}
	f.count()
	p := f.judgeEndless(e, o)
	if p == nil {
		return "", nil
	}
	f.report.Failures++
	found := Finding{Problem: *p, Streams: 1, symptom: p.symptom(o), traits: []string{e.name}, outcome: o, cause: behaviour{
		id: p.symptom(o).effect() + e.name, text: "cannot take " + e.name, rule: rule(p.Kind, nil),
	}}
	if known, err := f.knownEndless(ctx, e, &found); known || err != nil {
		return p.Kind, err
	}
	found.Detail = fmt.Sprintf("%s, in a stream of %d MiB: %s", p.Detail, endlessSize>>20, e.name)
	found.Stream = Stream{Name: e.name, Size: e.size()}
	if _, err := exec.LookPath("sh"); err == nil && !f.options.Persistent {
		found.Script = e.script()
		o, err := limited.runScript(ctx, endlessSize, found.Script)
		if err != nil {
			return "", err
		}
		f.count()
		p := f.judgeEndless(e, o)
		found.Unsteady = p == nil || !p.symptom(o).like(found.symptom)
	}
	f.report.add(found)
	return p.Kind, nil
}

func (f *fuzzer) judgeEndless(e endlessStream, o *outcome) *Problem {
	if p := o.problem(); p != nil {
		return p
	}
	return judge(f.expect(Stream{Data: []byte(e.tail)}), f.options.Frames.output(o.output), f.crlf)
}

func (f *fuzzer) translate(text string) string {
	return string(f.options.Frames.translate(Stream{Data: []byte(text)}).Data)
}

// knownEndless counts a failure for a finding that explains it: the limit of a line's length, or
// what also happens with a short stream of the same sort.
func (f *fuzzer) knownEndless(ctx context.Context, e endlessStream, found *Finding) (bool, error) {
	if found.Kind == Growth {
		return false, nil
	}
	for i := range f.report.Findings {
		known := &f.report.Findings[i]
		if known.limit > 0 && e.oneLine() {
			known.Streams++
			return true, nil
		}
	}
	short, err := f.try(ctx, Stream{Name: e.name, Data: []byte(e.head + e.unit + e.unit + e.tail)})
	if err != nil || short == nil || !short.symptom.like(found.symptom) {
		return false, err
	}
	_, err = f.explainer.explain(ctx, short, time.Now().Add(shrinkTime))
	return true, err
}

// endlessSize is the length of a stream that a parser must not hold.
const endlessSize = 256 << 20

// An endlessStream repeats a unit up to endlessSize, and ends with a tail.
type endlessStream struct {
	name, head, unit, tail string
}

var endless = []endlessStream{
	{"a line of noise without a LF", "", "x", "\n{\"n\":1}\n"},
	{"a string without an end", `{"n":0,"text":"`, "x", "\n{\"n\":1}\n"},
	{"lines of noise", "", "noise noise noise noise noise noise noise noise noise noise noise noise noise noise noise\n", "{\"n\":1}\n"},
}

// feed writes the stream.
func (e endlessStream) feed(_ context.Context, w *feeder) {
	perBlock := (256 << 10) / len(e.unit)
	block := bytes.Repeat([]byte(e.unit), perBlock)
	if _, err := w.WriteString(e.head); err != nil {
		return
	}
	for n := e.repeats(); n > 0; n -= perBlock {
		if _, err := w.Write(block[:min(n, perBlock)*len(e.unit)]); err != nil {
			return
		}
	}
	w.WriteString(e.tail)
}

// repeats is how often the unit is in the stream.
func (e endlessStream) repeats() int { return endlessSize / len(e.unit) }

// size is the length of the stream.
func (e endlessStream) size() int {
	return len(e.head) + e.repeats()*len(e.unit) + len(e.tail)
}

// oneLine reports whether all but the tail is one line.
func (e endlessStream) oneLine() bool { return !strings.Contains(e.unit, "\n") }
