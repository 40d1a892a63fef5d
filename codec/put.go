package codec

import "slices"

// The functions here append one member of an object: key is the text before the
// value, `,"name":`. They do nothing once err is set.

// PutString appends a string.
func PutString(dst []byte, key, s string, err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := AppendString(append(dst, key...), s)
	return put(out, key, e, err)
}

// PutInt64 appends an integer.
func PutInt64(dst []byte, key string, n int64, err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := AppendInt64(append(dst, key...), n)
	return put(out, key, e, err)
}

// PutFloat64 appends a number.
func PutFloat64(dst []byte, key string, n float64, err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := AppendFloat64(append(dst, key...), n)
	return put(out, key, e, err)
}

// PutBool appends true or false.
func PutBool(dst []byte, key string, b bool, err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := AppendBool(append(dst, key...), b)
	return put(out, key, e, err)
}

// PutRaw appends raw JSON; nil is an error.
func PutRaw(dst []byte, key string, r Raw, err *error) []byte {
	if *err != nil {
		return dst
	}
	if r == nil {
		*err = ErrAbsent(keyName(key))
		return dst
	}
	out, e := AppendRaw(append(dst, key...), r)
	return put(out, key, e, err)
}

// PutValue appends an arm of a union; nil is an error.
func PutValue(dst []byte, key string, v Appender, err *error) []byte {
	if *err != nil {
		return dst
	}
	if v == nil {
		*err = ErrAbsent(keyName(key))
		return dst
	}
	out, e := v.AppendJSON(append(dst, key...))
	return put(out, key, e, err)
}

// Put appends what write appends.
func Put[T any](dst []byte, key string, v *T, write func(*T, []byte) ([]byte, error), err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := write(v, append(dst, key...))
	return put(out, key, e, err)
}

// PutSlice appends an array; nil is an empty one.
func PutSlice[T any](dst []byte, key string, s []T, write func(*T, []byte) ([]byte, error), err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := AppendSlice(append(dst, key...), s, write)
	return put(out, key, e, err)
}

// PutMap appends an object; nil is an empty one.
func PutMap[T any](dst []byte, key string, m map[string]T, write func(*T, []byte) ([]byte, error), err *error) []byte {
	if *err != nil {
		return dst
	}
	out, e := AppendMap(append(dst, key...), m, write)
	return put(out, key, e, err)
}

// PutNullable appends a value or null.
func PutNullable[T any](dst []byte, key string, n *Nullable[T], write func(*T, []byte) ([]byte, error), err *error) []byte {
	if *err != nil {
		return dst
	}
	dst = append(dst, key...)
	if !n.Valid {
		return append(dst, "null"...)
	}
	out, e := write(&n.Value, dst)
	return put(out, key, e, err)
}

// CloseObject appends the unknown members to those appended since start, each
// with a comma before it, and makes an object of them. A member that the object
// has already is left out: a field that was set since wins over the raw value
// kept for it. Two unknown members of one name are an error.
func CloseObject(dst []byte, start int, more *Members, err *error) ([]byte, error) {
	if *err != nil {
		return dst, *err
	}
	extra := more.List()
	end := len(dst)
	var taken map[string]bool // where extra is long: members of the object (true), and of extra
	if len(extra) > 8 {
		taken = make(map[string]bool, len(extra))
		hasMember(dst[start:end], func(name []byte) bool { taken[string(name)] = true; return false })
	}
	for i := range extra {
		m := &extra[i]
		set, repeats := taken[m.Name]
		if taken == nil {
			set = hasMember(dst[start:end], func(name []byte) bool { return string(name) == m.Name })
			repeats = slices.ContainsFunc(extra[:i], func(o Member) bool { return o.Name == m.Name })
		}
		if set {
			continue
		}
		var e error
		if repeats {
			e = &Error{Kind: Duplicate, Offset: -1, Want: "the member stands twice"}
			return dst, In(e, m.Name)
		}
		if taken != nil {
			taken[m.Name] = false
		}
		dst = append(dst, ',')
		if dst, e = AppendString(dst, m.Name); e != nil {
			return dst, In(e, m.Name)
		}
		dst = append(dst, ':')
		if dst, e = AppendRaw(dst, m.Value); e != nil {
			return dst, In(e, m.Name)
		}
	}
	return braces(dst, start), nil
}

// braces turns the members appended since start into an object.
func braces(dst []byte, start int) []byte {
	if len(dst) == start {
		return append(dst, "{}"...)
	}
	dst[start] = '{'
	return append(dst, '}')
}

// hasMember reports whether members, each with a comma before it, has one whose
// name matches.
func hasMember(members []byte, matches func(name []byte) bool) bool {
	if len(members) == 0 {
		return false
	}
	var d Decoder
	d.Reset(members, nil)
	for {
		key, ok := d.Key()
		if !ok {
			return false
		}
		if matches(key) {
			return true
		}
		if !d.hop() {
			return false
		}
	}
}

func put(dst []byte, key string, e error, err *error) []byte {
	if e != nil {
		*err = In(e, keyName(key))
	}
	return dst
}

// keyName returns the name inside `,"name":`.
func keyName(key string) string { return key[2 : len(key)-2] }
