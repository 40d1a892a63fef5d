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
		{Missing, "missing member"},
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
	missing := &Error{Kind: Missing, Path: "/id"}
	for _, err := range []error{missing, fmt.Errorf("line 3: %w", missing)} {
		for kind := Syntax; kind <= Unencodable; kind++ {
			if errors.Is(err, kind) != (kind == Missing) {
				t.Errorf("%v is of kind %v: %t", err, kind, errors.Is(err, kind))
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, &Error{Kind: Missing}) {
			t.Errorf("%v is anything", err)
		}
	}
	if err := (&Error{Kind: Unencodable, Err: io.ErrClosedPipe}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v hides its cause", err)
	}
}
