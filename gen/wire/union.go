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

// A union is what the reader of an interface must know of it. All that there is to do is in its
// table, so that it is compiled once.
type union[U readable] struct{ table }

// read reads the arm that the tags name; one that they do not name is kept raw.
func (u *union[U]) read(p *U, d *run.Decoder) bool { return set(p, u.table.read(d)) }

// readElement is read for the element of a list: one that does not decode is kept raw.
func (u *union[U]) readElement(p *U, d *run.Decoder) bool { return set(p, u.table.readElement(d)) }

// present makes a value that the object lacks the unknown arm, whose error says so: p is never nil.
func (u *union[U]) present(p *U, o *run.Object, member int) bool {
	return any(*p) != nil || set(p, u.unknown(nil, o.Lacked(member)))
}

// set lets *p be an arm, and reports whether it is one and not nil.
func set[U readable](p *U, arm readable) bool {
	if arm == nil {
		return false
	}
	*p = arm.(U)
	return true
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

// A table is what a union knows, whatever its interface.
type table struct {
	tags    run.TagSet
	arm     func(d *run.Decoder) readable // the arm that the tags name, nil if there is none
	unknown func(raw Raw, err error) readable
	legacy  []string // values of the first tag that only older peers send

	// usual, if not nil, returns the arm of which a stream has the most, and shape is its shape. An
	// object that does not begin with its tag is read as that first: it is faster to be wrong now
	// and then than to search for the tag.
	usual func(d *run.Decoder) readable
	shape *run.Shape
}

// read returns what union.read is to read, nil if that fails.
func (t *table) read(d *run.Decoder) readable {
	if t.usual != nil && d.TagIsLate(&t.tags, t.shape) {
		m := d.Guess()
		v := t.usual(d)
		if d.Settle(m, v.read(d, false)) {
			return v
		}
	}
	if d.GuessTag(&t.tags) && !slices.Contains(t.legacy, string(d.First())) {
		m := d.Guess()
		v := t.arm(d)
		if d.Settle(m, d.OK() && v != nil && v.read(d, true)) {
			return v
		}
		d.WrongTag(&t.tags)
	}
	if !d.Tag(&t.tags) {
		return nil
	}
	v := t.arm(d)
	if !d.OK() {
		return nil
	}
	legacy := t.legacy != nil && slices.Contains(t.legacy, string(d.First()))
	switch {
	case legacy && !d.LegacyTag():
		return nil
	case v != nil:
		if legacy {
			defer d.EndLegacy(d.BeginLegacy())
		}
		if !v.read(d, true) {
			return nil
		}
		return v
	case !legacy && !d.UnknownTag():
		return nil
	}
	var raw Raw
	if !d.Tagged(&raw) {
		return nil
	}
	return t.unknown(raw, nil)
}

func (t *table) readElement(d *run.Decoder) readable {
	m := d.Mark()
	if v := t.read(d); v != nil {
		return v
	}
	return t.salvage(d, m)
}

// salvage keeps a value that did not decode raw, nil if it cannot.
func (t *table) salvage(d *run.Decoder, m run.Mark) readable {
	if raw, why, ok := d.SalvageArm(m); ok {
		return t.unknown(raw, why)
	}
	return nil
}
