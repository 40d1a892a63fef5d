package wire

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire/internal/run"
)

// A pointer is one to a value that can be read.
type pointer[T any] interface {
	*T
	readable
}

// readOptional reads a value into new memory and lets *p point to it.
func readOptional[T any, P pointer[T]](p *P, d *run.Decoder) bool {
	v := P(new(T))
	ok := v.read(d, false)
	if ok {
		*p = v
	}
	return ok
}

// readMember reads a value in place; where that fails, it is the zero value.
func readMember[T any, P pointer[T]](p P, d *run.Decoder) bool {
	ok := p.read(d, false)
	if !ok {
		var zero T
		*p = zero
	}
	return ok
}

// readNullable reads a value or null.
func readNullable[T any, P pointer[T]](p *codec.Nullable[T], d *run.Decoder) bool {
	if p.Null = d.Null(); p.Null {
		return true
	}
	p.Valid = readMember(P(&p.Value), d)
	return p.Valid
}

// readEnumOrNull reads one of the known values of a list, or another, or null.
func readEnumOrNull[T ~string](p *codec.Nullable[T], d *run.Decoder, e *run.Enum) bool {
	if p.Null = d.Null(); p.Null {
		return true
	}
	var s string
	p.Valid = d.Enum(&s, e)
	p.Value = T(s)
	return p.Valid
}

// readList reads a list of values.
func readList[T any, P pointer[T]](p *[]T, d *run.Decoder) bool {
	s := []T{}
	ok := d.Array(func(i int) bool {
		var v T
		s = append(s, v)
		return P(&s[i]).read(d, false)
	})
	if ok {
		*p = s
	}
	return ok
}
