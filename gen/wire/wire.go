package wire

import (
	"errors"
	"sync"

	"github.com/ccwire/ccwire/codec"
)

// Decode reads one line, without its LF, in the tolerant mode.
func Decode(line []byte) (Frame, error) { return DecodeFrame(line, nil) }

// DecodeFrame reads one line under the options; nil means the tolerant mode.
func DecodeFrame(line []byte, o *codec.Options) (Frame, error) {
	d := decoders.Get().(*Decoder)
	d.Options = o
	frame, err := d.Decode(line)
	d.Options = nil
	decoders.Put(d)
	return frame, err
}

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// A Decoder reads line after line. It remembers strings that repeat from line
// to line, such as the session's id, so it suits one stream. It is for one
// goroutine. The zero value is ready to use.
type Decoder struct {
	// Options say how lines are read; nil means the tolerant mode.
	Options *codec.Options

	d     codec.Decoder
	usual usualReader
}

// Decode reads one line, without its LF. The frame does not share memory with
// the line unless the options say so. An error is a [*codec.Error].
func (d *Decoder) Decode(line []byte) (Frame, error) {
	if f := d.usual.read(&d.d, line, d.Options); f != nil {
		return f, nil
	}
	return d.general(line)
}

// general reads any line.
func (d *Decoder) general(line []byte) (Frame, error) {
	d.d.Reset(line, d.Options)
	defer d.d.Forget()
	var f Frame
	if readFrame(&f, &d.d) && d.d.Finish() {
		return f, nil
	}
	err := d.d.Err()
	if d.Options == nil || !d.Options.Strict {
		if f := d.legacy(line, err); f != nil {
			return f, nil
		}
	}
	var e *codec.Error
	if errors.As(err, &e) {
		e.RequestID = requestID(line)
	}
	return nil, err
}

// legacy reads a line that is no frame of today by the rules for older peers.
// It returns nil if none applies.
func (d *Decoder) legacy(line []byte, err error) Frame {
	if !errors.Is(err, &codec.Error{Kind: codec.Missing}) {
		return nil
	}
	for i := range legacyFrames {
		l := &legacyFrames[i]
		modern, ok := l.rule.Modernize(line)
		if !ok {
			continue
		}
		var f Frame
		d.d.Reset(modern, d.Options)
		d.d.Deviate(codec.LegacyShape, 0, l.rule.Name)
		if l.arm != nil {
			arm := l.arm()
			f, ok = arm, arm.read(&d.d)
		} else {
			ok = readFrame(&f, &d.d)
		}
		if !ok || !d.d.Finish() {
			continue
		}
		return f
	}
	return nil
}

// requestID returns the id of the control request that a line carries.
func requestID(line []byte) string {
	if t, ok := codec.Find(line, "/type").Text(); !ok || t != "control_request" {
		return ""
	}
	id, _ := codec.Find(line, "/request_id").Text()
	return id
}

// Append appends a frame as one line, without a LF.
func Append(dst []byte, f Frame) ([]byte, error) {
	if f == nil {
		return dst, codec.ErrNil("Frame")
	}
	return f.AppendJSON(dst)
}
