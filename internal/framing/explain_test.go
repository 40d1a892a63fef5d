package framing

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// A shallowStack dies of deep nesting, as it happens only if the last line has no LF.
type shallowStack struct{}

func (shallowStack) try(_ context.Context, s Stream) (*failure, error) {
	if depth(s.Data) < 1000 || bytes.HasSuffix(s.Data, []byte("\n")) {
		return nil, nil
	}
	return newFailure(&Problem{Crash, "stack overflow"}, s, &outcome{exit: errors.New("signal: aborted")}, Expect(s.Data)), nil
}

func (shallowStack) again(context.Context, *failure) (string, bool, error) { return "", true, nil }

func TestADepthThatVariesIsNotCalledAMissingLF(t *testing.T) {
	e := explainer{subject: shallowStack{}, report: &Report{}}
	failed, _ := e.subject.try(t.Context(), Stream{Data: []byte("{\"n\":1}\n" + strings.Repeat("[", 1000))})
	if err := e.needsNoEnd(t.Context(), failed); err != nil {
		t.Fatal(err)
	}
	got, err := e.behaviour(t.Context(), failed, nil)
	if want := "dies with signal: aborted at nesting"; err != nil || got.id != want {
		t.Errorf("%q, %v; want %q", got.id, err, want)
	}
}
