package fakeapi

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/ccwire/ccwire/internal/place"
)

// Validate reports the first thing in the script that cannot be played. Turns count from 1 in its
// errors.
func (s Script) Validate() error {
	if _, err := s.check(); err != nil {
		return fmt.Errorf("script: %w", err)
	}
	return nil
}

// ValidateText is Validate for the script that a text holds; an error has its place in the text.
// Name is that of the file.
func (s Script) ValidateText(name string, data []byte) error {
	turn, err := s.check()
	switch {
	case err == nil:
		return nil
	case turn < 0:
		return place.At(name, data, bytes.Index(data, []byte(`"default"`)), err)
	}
	return place.At(name, data, place.Element(data, "turns", turn), err)
}

// check returns the first thing that cannot be played, and the index of its turn, -1 for the
// default.
func (s Script) check() (turn int, err error) {
	if s.CountTokens < 0 {
		return 0, fmt.Errorf("count_tokens %d is negative", s.CountTokens)
	}
	for i := range s.Turns {
		if err := s.validate(&s.Turns[i]); err != nil {
			return i, fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	if s.Default != nil {
		if err := s.validate(s.Default); err != nil {
			return -1, fmt.Errorf("default: %w", err)
		}
	}
	return 0, nil
}

func (s Script) validate(t *Turn) error {
	if err := t.validate(); err != nil || !s.Fills() {
		return err
	}
	return t.checkNames()
}

func (t *Turn) validate() error {
	switch {
	case t.Text != "" && t.Content != nil:
		return errors.New("has both text and content; use one")
	case t.Text == "" && t.Content == nil && t.Error == nil:
		return errors.New("says nothing; give it text, content or error")
	case t.Cost != nil && *t.Cost < 0:
		return fmt.Errorf("cost_usd %v is negative", *t.Cost)
	case t.Times < -1:
		return fmt.Errorf("times %d; use a count, or -1 for no limit", t.Times)
	case t.Match != nil && reflect.ValueOf(*t.Match).IsZero():
		return errors.New("match is empty; leave it out or set a member")
	}
	for i, b := range t.Content {
		if err := b.validate(); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	for name, value := range t.Header {
		if !validHeader(name, value) {
			return fmt.Errorf("header %q: %q cannot be sent", name, value)
		}
	}
	return errors.Join(t.Match.validate(), t.Pace.validate(), t.validateCut())
}

func (t *Turn) validateCut() error {
	inStream := t.Cut != nil && t.Cut.How == Fail
	if e := t.Error; e != nil {
		switch {
		case !inStream && (t.Text != "" || t.Content != nil):
			return errors.New(`has an error and a message; cut it with "how":"error" to send both`)
		case !inStream && t.Cut != nil:
			return fmt.Errorf("an error answer cannot be cut by %q", t.Cut.How)
		case (!inStream || e.Status != 0) && (e.Status < 400 || e.Status > 599):
			return fmt.Errorf("error status %d is not 400 to 599", e.Status)
		case e.RetryAfter != nil && *e.RetryAfter < 0:
			return errors.New("retry_after is negative")
		}
	}
	if t.Cut == nil {
		return nil
	}
	switch t.Cut.How {
	case Stall, Drop:
	case Fail:
		if t.Error == nil {
			return errors.New(`a cut by "error" needs the turn's error`)
		}
	default:
		return fmt.Errorf("cut by %q; use %q, %q or %q", t.Cut.How, Stall, Drop, Fail)
	}
	if t.Cut.After != nil && *t.Cut.After < 0 {
		return errors.New("cut after a negative number of events")
	}
	return nil
}

func (p *Pace) validate() error {
	if p != nil && (p.Before < 0 || p.Every < 0 || p.Chunk < 0) {
		return errors.New("pace has a negative member")
	}
	return nil
}

// validHeader reports whether name is made of letters, digits, '-' and '_', and value of printable
// ASCII.
func validHeader(name, value string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return name != "" && !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' })
}
