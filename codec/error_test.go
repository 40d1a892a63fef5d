package codec

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestErrorSaysKindPlaceAndExpectation(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{&Error{Kind: WrongKind, Path: "/a/0", Offset: 7, Want: "want a string, got null"}, "wrong kind at /a/0 (byte 7): want a string, got null"},
		{&Error{Kind: Syntax, Offset: 0, Want: "a value"}, "invalid JSON (byte 0): a value"},
		{&Error{Kind: TooLong, Offset: -1}, "line too long"},
		{&Error{Kind: Unencodable, Path: "/f", Offset: -1, Want: "a finite number"}, "cannot be encoded at /f: a finite number"},
		{&Error{Kind: 99, Offset: 1}, "kind 99 (byte 1)"},
		{ErrAbsent("a/b"), "missing member at /a~1b: a value is required"},
		{ErrNil("Frame"), "cannot be encoded: a Frame, not a nil pointer"},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

func TestErrorShortensALongPath(t *testing.T) {
	e := &Error{Kind: Syntax, Path: "/begin" + strings.Repeat("/é", 1<<20) + "/end", Offset: 5}
	got := e.Error()
	if len(got) > 400 || !strings.Contains(got, "/begin") || !strings.Contains(got, "...") || !strings.Contains(got, "/end (byte 5)") || !utf8.ValidString(got) {
		t.Errorf("got %q", got)
	}
}

func TestErrorsAreComparedByKind(t *testing.T) {
	_, decoding := readOnce(`{"type":"item"}`, nil)
	for _, err := range []error{decoding, ErrAbsent("id"), fmt.Errorf("line 3: %w", decoding)} {
		if !errors.Is(err, &Error{Kind: Missing}) {
			t.Errorf("%v is not of its kind", err)
		}
		for kind := range Unencodable + 1 {
			if kind != Missing && errors.Is(err, &Error{Kind: kind}) {
				t.Errorf("%v is of kind %v", err, kind)
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, &Error{Kind: Missing, Path: "/other"}) {
			t.Errorf("%v is anything", err)
		}
	}
}

func TestInPutsNamesBeforeThePath(t *testing.T) {
	inner := &Error{Kind: Unencodable, Path: "/c", Offset: -1, Want: "x"}
	var e *Error
	if err := In(In(inner, "a/b"), "0"); !errors.As(err, &e) || e.Path != "/0/a~1b/c" || e.Kind != Unencodable {
		t.Errorf("%v", err)
	}
	if inner.Path != "/c" {
		t.Errorf("the inner error became %v", inner)
	}
	if err := In(errors.New("custom"), "a"); err.Error() != "cannot be encoded at /a: custom" {
		t.Errorf("%v", err)
	}
	if err := In(io.ErrClosedPipe, "a"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v hides its cause", err)
	}
}
