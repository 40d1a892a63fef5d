package exchange

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/schema"
)

func request(id int) *Line {
	return &Line{Kind: Request, ID: fmt.Sprint(id), Subject: Subject{Subtype: fmt.Sprint("s", id)}}
}

func reply(id int) *Line { return &Line{Kind: Success, ID: fmt.Sprint(id)} }

func TestTheOldestOpenRequestsAreForgotten(t *testing.T) {
	var b Book
	const more = 10
	for i := range MaxOpen + more {
		b.Ask(schema.FromSDK, request(i))
	}
	for i := range MaxOpen + more {
		if s := b.Answer(schema.FromCLI, reply(i), nil); (s == nil) != (i < more) {
			t.Fatalf("request %d: %v", i, s)
		}
	}
}

func TestABookDoesNotGrow(t *testing.T) {
	var b Book
	for i := range 3 * MaxOpen {
		b.Ask(schema.FromSDK, request(i))
		if i%2 == 0 {
			b.Answer(schema.FromCLI, reply(i), nil)
		}
		b.Ask(schema.FromCLI, request(1)) // the same id all the time
	}
	b.Ask(schema.FromSDK, &Line{Kind: Request, ID: strings.Repeat("x", maxText+1)})
	kept := 0
	for _, all := range b.byID {
		kept += len(all.open) + len(all.answered)
	}
	if open, answered := b.open.Len(), b.answered.Len(); open > MaxOpen || answered > maxAnswered || kept != open+answered {
		t.Errorf("%d open, %d answered, %d by id", open, answered, kept)
	}
}

func TestAnOpenRequestOutlivesAnsweredOnes(t *testing.T) {
	var b Book
	b.Ask(schema.FromCLI, request(0))
	for i := 1; i < 2*MaxOpen; i++ {
		b.Ask(schema.FromCLI, request(i))
		b.Answer(schema.FromSDK, reply(i), nil)
	}
	if s := b.Answer(schema.FromSDK, reply(0), nil); s == nil || s.Subtype != "s0" {
		t.Errorf("got %v", s)
	}
}

func TestAnAnswerIsForTheOldestRequestWithItsIDThatItFits(t *testing.T) {
	var b Book
	for _, subtype := range []string{"a", "b", "c", "b"} {
		b.Ask(schema.FromSDK, &Line{Kind: Request, ID: "1", Subject: Subject{Subtype: subtype}})
	}
	b.Ask(schema.FromCLI, &Line{Kind: Request, ID: "1", Subject: Subject{Subtype: "other end"}})
	isB := func(s *Subject) bool { return s.Subtype == "b" }
	none := func(*Subject) bool { return false }
	for i, step := range []struct {
		fits func(*Subject) bool
		want string
	}{
		{isB, "b"},  // the oldest that it fits
		{none, "a"}, // the oldest, since it fits none
		{nil, "c"},
		{nil, "b"},
		{nil, "b"}, // all are answered: the last
	} {
		if s := b.Answer(schema.FromCLI, reply(1), step.fits); s == nil || s.Subtype != step.want {
			t.Errorf("answer %d is to %v, want %s", i, s, step.want)
		}
	}
	if s := b.Answer(schema.FromSDK, reply(1), nil); s == nil || s.Subtype != "other end" {
		t.Errorf("the SDK answers %v", s)
	}
}

func TestTheCLICanShowWhatItWasAnswered(t *testing.T) {
	var b Book
	b.Ask(schema.FromCLI, request(1))
	b.Answer(schema.FromSDK, reply(1), nil)
	if s := b.Answer(schema.FromCLI, reply(1), nil); s == nil || s.Subtype != "s1" {
		t.Errorf("got %v", s)
	}
}
