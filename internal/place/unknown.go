package place

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/ccwire/ccwire/internal/near"
)

// unknown is a member that the type of its object does not have.
type unknown struct {
	offset int
	member string
	known  []string // what the object may have
}

func (u *unknown) Error() string {
	text := fmt.Sprintf("unknown member %q", u.member)
	if words := near.Words(u.member, u.known); len(words) > 0 {
		return text + "; did you mean " + strings.Join(words, " or ") + "?"
	}
	return text + "; there are " + strings.Join(u.known, ", ")
}

// findUnknown returns the first member of a valid text that its type does not have, nil if there is
// none.
func findUnknown(text []byte, t reflect.Type) *unknown {
	w := walk{text, json.NewDecoder(bytes.NewReader(text))}
	return w.value(t)
}

// walk goes through a text together with the type that it is decoded into.
type walk struct {
	text []byte
	d    *json.Decoder
}

// value passes one value. A type of nil can be anything.
func (w *walk) value(t reflect.Type) *unknown {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		t = nil
	}
	token, err := w.d.Token()
	if err != nil {
		return nil
	}
	switch token {
	case json.Delim('{'):
		return w.object(t)
	case json.Delim('['):
		var element reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			element = t.Elem()
		}
		for w.d.More() {
			if u := w.value(element); u != nil {
				return u
			}
		}
		_, _ = w.d.Token() // the end of the list
	}
	return nil
}

// object passes the rest of an object.
func (w *walk) object(t reflect.Type) *unknown {
	var members map[string]reflect.Type
	if t != nil && t.Kind() == reflect.Struct {
		members = map[string]reflect.Type{}
		addMembers(members, t)
	}
	for w.d.More() {
		before := int(w.d.InputOffset())
		key, err := w.d.Token()
		if err != nil {
			return nil
		}
		name, _ := key.(string)
		next := members[strings.ToLower(name)] // encoding/json is as tolerant
		switch {
		case t != nil && t.Kind() == reflect.Map:
			next = t.Elem()
		case members != nil && next == nil:
			u := &unknown{offset: before + bytes.IndexByte(w.text[before:], '"'), member: name}
			for i := range t.NumField() {
				u.known = append(u.known, names(t.Field(i))...)
			}
			return u
		}
		if u := w.value(next); u != nil {
			return u
		}
	}
	_, _ = w.d.Token() // the end of the object
	return nil
}

// addMembers adds the members of a struct, those of embedded ones too, by name.
func addMembers(members map[string]reflect.Type, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			addMembers(members, f.Type)
		} else if name := names(f); name != nil {
			members[strings.ToLower(name[0])] = f.Type
		}
	}
}

// names returns the members of a field: one, or those of an embedded struct.
func names(f reflect.StructField) (list []string) {
	if f.Anonymous {
		for i := range f.Type.NumField() {
			list = append(list, names(f.Type.Field(i))...)
		}
		return list
	}
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
		return []string{name}
	}
	return nil
}
