package wire

import (
	"reflect"
	"slices"

	"github.com/ccwire/ccwire/gen/wire/internal/run"
)

// readable is a value that can be read. If it is tagged, the decoder has found its tags.
type readable interface {
	read(d *run.Decoder, tagged bool) bool
}

// unmarshal reads data into v, which is left alone if that fails.
func unmarshal(v readable, data []byte) error {
	fresh := reflect.New(reflect.TypeOf(v).Elem())
	if err := decode(fresh.Interface().(readable), data); err != nil {
		return err
	}
	reflect.ValueOf(v).Elem().Set(fresh.Elem())
	return nil
}

// readBody reads the body of the answer to a request into v. Older CLIs answer some requests
// without one; v is then as it was.
func readBody(c Caller, r Request, v readable, body Raw) error {
	if body == nil {
		return nil
	}
	var o *Options
	if c, ok := c.(interface{ AnswerOptions(Request) *Options }); ok {
		o = c.AnswerOptions(r)
	}
	if err := decodeWith(v, body, o); err != nil {
		return &AnswerError{Subtype: r.Subtype(), Body: body, Err: err}
	}
	return nil
}

// decode reads data into v, in the tolerant mode.
func decode(v readable, data []byte) error { return decodeWith(v, data, nil) }

// decodeWith reads data into v under the options.
func decodeWith(v readable, data []byte, o *Options) error {
	d := decoders.Get().(*Decoder)
	d.d.Reset(data, o)
	var err error
	if !v.read(&d.d, false) || !d.d.Finish() {
		err = d.d.Err()
	}
	d.d.Forget()
	decoders.Put(d)
	return err
}

// decodeWhole reads data into v, in the tolerant mode but for required members: one that is missing
// or misshapen is an error.
func decodeWhole(v readable, data []byte) error {
	var d run.Decoder
	d.Reset(data, nil)
	d.Insist()
	if !v.read(&d, false) || !d.Finish() {
		return d.Err()
	}
	return nil
}

// readAnswer reads the body of an answer into v, which is new, and returns it.
func readAnswer(v interface {
	readable
	Appender
}, body []byte, o *Options) (Appender, error) {
	if err := decodeWith(v, body, o); err != nil {
		return nil, err
	}
	return v, nil
}

// A union is what the reader of an interface must know of it.
type union[U readable] struct {
	tags    run.TagSet
	arm     func(d *run.Decoder) U // the arm that the tags name, nil if there is none
	unknown func(raw Raw, err error) U
	legacy  []string // values of the first tag that only older peers send

	// usual, if not nil, returns the arm of which a stream has the most, and shape is its shape. An
	// object that does not begin with its tag is read as that first: it is faster to be wrong now
	// and then than to search for the tag.
	usual func(d *run.Decoder) U
	shape *run.Shape
}

// read reads the arm that the tags name; one that they do not name is kept raw.
func (u *union[U]) read(p *U, d *run.Decoder) bool {
	if u.usual != nil && d.TagIsLate(&u.tags, u.shape) {
		m := d.Guess()
		v := u.usual(d)
		if d.Settle(m, v.read(d, false)) {
			*p = v
			return true
		}
	}
	if d.GuessTag(&u.tags) && !slices.Contains(u.legacy, string(d.First())) {
		m := d.Guess()
		v := u.arm(d)
		if d.Settle(m, d.OK() && any(v) != nil && v.read(d, true)) {
			*p = v
			return true
		}
		d.WrongTag(&u.tags)
	}
	if !d.Tag(&u.tags) {
		return false
	}
	v := u.arm(d)
	if !d.OK() {
		return false
	}
	legacy := u.legacy != nil && slices.Contains(u.legacy, string(d.First()))
	switch {
	case legacy && !d.LegacyTag():
		return false
	case any(v) != nil:
		if legacy {
			defer d.EndLegacy(d.BeginLegacy())
		}
		ok := v.read(d, true)
		if ok {
			*p = v
		}
		return ok
	case !legacy && !d.UnknownTag():
		return false
	}
	var raw Raw
	if !d.Tagged(&raw) {
		return false
	}
	*p = u.unknown(raw, nil)
	return true
}

// readElement is read for the element of a list: one that does not decode is kept raw.
func (u *union[U]) readElement(p *U, d *run.Decoder) bool {
	m := d.Mark()
	return u.read(p, d) || u.salvage(p, d, m)
}

// present makes a value that the object lacks the unknown arm, whose error says so: p is never nil.
func (u *union[U]) present(p *U, o *run.Object, member int) bool {
	if any(*p) == nil {
		*p = u.unknown(nil, o.Lacked(member))
	}
	return true
}

// salvage keeps a value that did not decode raw, if it can.
func (u *union[U]) salvage(p *U, d *run.Decoder, m run.Mark) bool {
	raw, why, ok := d.SalvageArm(m)
	if ok {
		*p = u.unknown(raw, why)
	}
	return ok
}

// decode reads a text that is one value of the union.
func (u *union[U]) decode(data []byte, o *Options) (v U, err error) {
	var d run.Decoder
	d.Reset(data, o)
	if !u.read(&v, &d) || !d.Finish() {
		var none U
		return none, d.Err()
	}
	return v, nil
}
