// Package place says where in a JSON text something is wrong.
package place

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// Error is an error at a place of a file.
type Error struct {
	Name         string // of the file
	Line, Column int    // from 1; 0 if the place is not known
	Err          error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.Name, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// At returns an error at an offset of the text of a file. One outside the text is the nearest
// inside.
func At(name string, text []byte, offset int, err error) error {
	before := text[:min(max(offset, 0), len(text))]
	return &Error{name, 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n'), err}
}

// Decode reads the text of a file, one JSON value, into v. A member that v does not have is an
// error, which names the members that look like it. Errors have their place.
func Decode(name string, text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return At(name, text, int(syntax.Offset)-1, err)
		case errors.As(err, &kind):
			return At(name, text, int(kind.Offset)-1, err)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return At(name, text, len(text), errors.New("the text ends before its value does"))
		}
		if u := (*unknown)(nil); errors.As(err, &u) { // of [Members], which does not know the whole text
			return At(name, text, bytes.Index(text, strconv.AppendQuote(nil, u.member)), u)
		}
		if strings.HasPrefix(err.Error(), "json: unknown field ") {
			if u := findUnknown(text, reflect.TypeOf(v)); u != nil {
				return At(name, text, u.offset, u)
			}
		}
		return &Error{Name: name, Err: err}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return At(name, text, int(d.InputOffset()), errors.New("more text after the value"))
	}
	return nil
}

// Members reads a part of a text that [Decode] reads, for an UnmarshalJSON: a member that v does
// not have is an error.
func Members(part []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(part))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err != nil && strings.HasPrefix(err.Error(), "json: unknown field ") {
		if u := findUnknown(part, reflect.TypeOf(v)); u != nil {
			return u
		}
	}
	return err
}

// Element returns the offset of an object in a list, which is a member of the whole text's object;
// 0 if it is not there. Objects count from 0.
func Element(text []byte, list string, number int) int {
	d := json.NewDecoder(bytes.NewReader(text))
	depth, inside := 0, false
	for {
		t, err := d.Token()
		if err != nil {
			return 0
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
			if inside && depth == 3 {
				if number == 0 {
					return int(d.InputOffset()) - 1
				}
				number--
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		case list:
			inside = inside || depth == 1
		}
	}
}
