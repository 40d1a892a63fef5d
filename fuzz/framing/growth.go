package framing

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"
)

// settle is how long a parser is left alone with the longest frame.
const settle = 300 * time.Millisecond

// checkGrowth gives the parser streams that are longer than it may hold.
func (f *fuzzer) checkGrowth(ctx context.Context) error {
	longest := []byte(between(sized(7, MaxLine, "x")))
	usual, err := f.command.run(ctx, int64(len(longest)), func(w *os.File) {
		w.Write(longest)
		waitDrained(w, time.Second)
		time.Sleep(settle) // so that the memory is looked at before the parser ends
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
		o, err := limited.run(ctx, endlessSize, e.feed)
		if err != nil {
			return err
		}
		f.count()
		p := o.problem()
		if p == nil {
			p = judge(Expect([]byte(e.tail)), o.output, f.crlf)
		}
		if p != nil {
			p.Detail = fmt.Sprintf("%s, in a stream of %d MiB: %s", p.Detail, endlessSize>>20, e.name)
			f.report.Failures++
			f.report.add(Finding{Problem: *p, Stream: Stream{Name: e.name, Data: e.sample()}, outcome: o})
			if p.Kind == Growth {
				return nil // the others would be the same finding
			}
		}
	}
	return nil
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
func (e endlessStream) feed(w *os.File) {
	block := bytes.Repeat([]byte(e.unit), (256<<10)/len(e.unit))
	if _, err := w.WriteString(e.head); err != nil {
		return
	}
	for n := 0; n < endlessSize; n += len(block) {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
	w.WriteString(e.tail)
}

// sample returns the beginning and the end of the stream.
func (e endlessStream) sample() []byte {
	return []byte(e.head + e.unit + e.unit + "…" + e.tail)
}
