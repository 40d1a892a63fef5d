package wire

import "github.com/ccwire/ccwire/gen/wire/internal/run"

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
