package run

import "github.com/ccwire/ccwire/codec"

// Members that may be null, of the types that most of them have.

// NullableString reads a string or null.
//
//go:noinline
func (d *Decoder) NullableString(p *codec.Nullable[string]) bool {
	if p.Null = d.Null(); p.Null {
		return true
	}
	p.Valid = d.String(&p.Value)
	return p.Valid
}

// NullableInt64 reads an integer or null.
//
//go:noinline
func (d *Decoder) NullableInt64(p *codec.Nullable[int64]) bool {
	if p.Null = d.Null(); p.Null {
		return true
	}
	p.Valid = d.Int64(&p.Value)
	return p.Valid
}

// NullableFloat64 reads a number or null.
//
//go:noinline
func (d *Decoder) NullableFloat64(p *codec.Nullable[float64]) bool {
	if p.Null = d.Null(); p.Null {
		return true
	}
	p.Valid = d.Float64(&p.Value)
	return p.Valid
}

// NullableBool reads a boolean or null.
//
//go:noinline
func (d *Decoder) NullableBool(p *codec.Nullable[bool]) bool {
	if p.Null = d.Null(); p.Null {
		return true
	}
	p.Valid = d.Bool(&p.Value)
	return p.Valid
}

// The methods below append a value that is valid, or else a null if null says so: always for a
// required member, where it was read or set for an optional one.

// StringOrNull appends a string or null.
//
//go:noinline
func (e *Encoder) StringOrNull(key string, valid, null bool, s string) {
	if valid {
		e.text(key, s)
	} else if null {
		e.Null(key)
	}
}

// Int64OrNull appends an integer or null.
//
//go:noinline
func (e *Encoder) Int64OrNull(key string, valid, null bool, n int64) {
	if valid {
		e.integer(key, n)
	} else if null {
		e.Null(key)
	}
}

// Float64OrNull appends a number or null.
//
//go:noinline
func (e *Encoder) Float64OrNull(key string, valid, null bool, n float64) {
	if valid {
		e.number(key, n)
	} else if null {
		e.Null(key)
	}
}

// BoolOrNull appends true, false or null.
//
//go:noinline
func (e *Encoder) BoolOrNull(key string, valid, null, b bool) {
	if valid {
		e.boolean(key, b)
	} else if null {
		e.Null(key)
	}
}

// ValueOrNull appends an object or null.
//
//go:noinline
func (e *Encoder) ValueOrNull(key string, valid, null bool, v Appender) {
	if valid {
		e.OptionalValue(key, true, v)
	} else if null {
		e.Null(key)
	}
}
