package wire

import (
	"errors"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire/internal/run"
)

// Decode reads one line, without its LF, in the tolerant mode.
func Decode(line []byte) (Frame, error) { return DecodeFrame(line, nil) }

// DecodeFrame reads one line under the options; nil means the tolerant mode.
func DecodeFrame(line []byte, o *Options) (Frame, error) {
	d := decoders.Get().(*Decoder)
	d.Options = o
	frame, err := d.Decode(line)
	d.Options = nil
	decoders.Put(d)
	return frame, err
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// A Decoder reads line after line. It remembers what repeats from line to line, such as the
// session's id, so it suits one stream. It is for one goroutine. The zero value is ready to use.
type Decoder struct {
	// Options say how lines are read; nil means the tolerant mode.
	Options *Options

	d     run.Decoder
	molds molds

	// spare takes the memory of a frame, or without one makes a frame of a line in such memory. It
	// is nil until Reuse is called, so that a program which does not has nothing of it.
	spare func(line []byte, f Frame) Frame
}

// Decode reads one line, without its LF. The frame does not share memory with the line unless the
// options say so. An error is a [*Error].
func (d *Decoder) Decode(line []byte) (Frame, error) {
	if d.spare != nil {
		if f := d.spare(line, nil); f != nil {
			return f, nil
		}
	}
	if f := d.molds.read(line, d.Options); f != nil {
		return f, nil
	}
	return d.general(line)
}

// general reads any line.
func (d *Decoder) general(line []byte) (Frame, error) {
	d.d.Reset(line, d.Options)
	defer d.d.Forget()
	var f Frame
	ok := frameUnion.read(&f, &d.d)
	if ok && !d.d.Lacked() && d.d.Finish() {
		d.molds.learn(line, f)
		return f, nil
	}
	err := d.d.Err()
	if err == nil || errors.Is(err, codec.Missing) && !d.strict() {
		for i := range legacyFrames {
			l := &legacyFrames[i]
			modern, applies := l.rule.Modernize(line)
			if !applies {
				continue
			}
			if f := d.legacy(l, modern); f != nil {
				return f, nil
			}
			// Again: what was noted of the line is gone.
			d.d.Reset(line, d.Options)
			ok = frameUnion.read(&f, &d.d)
		}
		if ok && d.d.Finish() {
			return f, nil
		}
		err = d.d.Err()
	}
	var e *Error
	if errors.As(err, &e) {
		e.RequestID = requestID(line)
	}
	return nil, err
}

// A legacyFrame is a shape of older peers.
type legacyFrame struct {
	rule run.Legacy
	arm  func() Frame // for a shape that has a type of its own
}

func (d *Decoder) strict() bool { return d.Options != nil && d.Options.Strict }

// legacy reads the modern form of a line that an older peer wrote, nil if it is none.
func (d *Decoder) legacy(l *legacyFrame, modern []byte) (f Frame) {
	var ok bool
	d.d.Reset(modern, d.Options)
	d.d.Deviate(codec.LegacyShape, 0, l.rule.Name)
	if l.arm != nil {
		f = l.arm()
		ok = f.read(&d.d, false)
	} else {
		ok = frameUnion.read(&f, &d.d)
	}
	if !ok || !d.d.Finish() {
		return nil
	}
	return f
}

// requestID returns the id of the control request that a line carries, if that is JSON.
func requestID(line Raw) string {
	if kind, _ := line.Find("/type").Text(); kind != "control_request" {
		return ""
	}
	id, _ := line.Find("/request_id").Text()
	return id
}

// Append appends a frame as one line, without a LF. After an error it returns dst as it was.
func Append(dst []byte, f Frame) ([]byte, error) {
	if f == nil {
		return dst, run.ErrNil("Frame")
	}
	line, err := f.AppendJSON(dst)
	if err != nil {
		return dst, err
	}
	return line, nil
}
