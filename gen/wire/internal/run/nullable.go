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

// NullableString appends a member that is a string or null.
//
//go:noinline
func (e *Encoder) NullableString(key string, v codec.Nullable[string]) {
	if v.Valid {
		e.text(key, v.Value)
	} else {
		e.Null(key)
	}
}

// OptionalNullableString is NullableString for a member that may be absent.
//
//go:noinline
func (e *Encoder) OptionalNullableString(key string, v codec.Nullable[string]) {
	if v.Valid || v.Null {
		e.NullableString(key, v)
	}
}

// NullableInt64 appends a member that is an integer or null.
//
//go:noinline
func (e *Encoder) NullableInt64(key string, v codec.Nullable[int64]) {
	if v.Valid {
		e.integer(key, v.Value)
	} else {
		e.Null(key)
	}
}

// OptionalNullableInt64 is NullableInt64 for a member that may be absent.
//
//go:noinline
func (e *Encoder) OptionalNullableInt64(key string, v codec.Nullable[int64]) {
	if v.Valid || v.Null {
		e.NullableInt64(key, v)
	}
}

// NullableFloat64 appends a member that is a number or null.
//
//go:noinline
func (e *Encoder) NullableFloat64(key string, v codec.Nullable[float64]) {
	if v.Valid {
		e.number(key, v.Value)
	} else {
		e.Null(key)
	}
}

// OptionalNullableFloat64 is NullableFloat64 for a member that may be absent.
//
//go:noinline
func (e *Encoder) OptionalNullableFloat64(key string, v codec.Nullable[float64]) {
	if v.Valid || v.Null {
		e.NullableFloat64(key, v)
	}
}

// NullableBool appends a member that is a boolean or null.
//
//go:noinline
func (e *Encoder) NullableBool(key string, v codec.Nullable[bool]) {
	if v.Valid {
		e.boolean(key, v.Value)
	} else {
		e.Null(key)
	}
}

// OptionalNullableBool is NullableBool for a member that may be absent.
//
//go:noinline
func (e *Encoder) OptionalNullableBool(key string, v codec.Nullable[bool]) {
	if v.Valid || v.Null {
		e.NullableBool(key, v)
	}
}

// ValueOrNull appends an object that is valid, or else a null if null says so.
//
//go:noinline
func (e *Encoder) ValueOrNull(key string, valid, null bool, v Appender) {
	if valid {
		e.OptionalValue(key, true, v)
	} else if null {
		e.Null(key)
	}
}

// EnumOrNull appends a string that is valid, or else a null if null says so.
//
//go:noinline
func (e *Encoder) EnumOrNull(key string, valid, null bool, s string) {
	if valid {
		e.text(key, s)
	} else if null {
		e.Null(key)
	}
}
