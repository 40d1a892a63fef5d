package framing

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// A behaviour is what a parser does wrong, whatever stream shows it and whatever it says about it.
// Failures with the same behaviour have one cause.
type behaviour struct {
	id   string                 // the same for the same behaviour
	text string                 // for people
	rule string                 // that is broken
	drop func(line []byte) bool // whether the behaviour shows with a line; nil if the traits say it
}

// An effect says how a parser fails, roughly: it dies, hangs, gives too much, or too little.
func (s symptom) effect() string {
	switch s.kind {
	case Crash:
		if s.gaveUp() {
			return "gives up"
		}
		return "dies with " + s.exit
	case Hang:
		return "hangs"
	case Invented, Repeated:
		return "gives too much"
	case Lost, Merged, Split, Changed:
		return "loses"
	}
	return string(s.kind)
}

// piecesCharacter is the id of breaking a character of several bytes.
const piecesCharacter = "pieces-character"

// separators are characters that some parsers take for the end of a line.
var separators = []struct{ char, name string }{
	{"\r", "CR"}, {"\v", "U+000B"}, {"\f", "U+000C"}, {"\x1c", "U+001C"}, {"\x1d", "U+001D"}, {"\x1e", "U+001E"},
	{"\u0085", "U+0085"}, {"\u2028", "U+2028"}, {"\u2029", "U+2029"}, {"\x00", "NUL"},
}

// hasSeparator reports whether a line has a character that some parsers split at, other than the
// carriage return before its LF.
func hasSeparator(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	for _, s := range separators {
		if bytes.Contains(line, []byte(s.char)) {
			return true
		}
	}
	return false
}

// splitsAt returns the characters at which the parser splits lines, if the stream has any of them.
func (e *explainer) splitsAt(ctx context.Context, s Stream) ([]string, error) {
	var all []string
	for _, sep := range separators {
		if !bytes.Contains(s.Data, []byte(sep.char)) && len(all) == 0 {
			continue
		}
		split, err := e.gives(ctx, "noise"+sep.char+`{"n":7}`+sep.char+"noise")
		for _, before := range []string{`{"n":8}`, "noise"} { // it may give up at noise, or take the last line alone
			if err == nil && !split {
				split, err = e.givesApart(ctx, before, sep.char)
			}
		}
		if err != nil {
			return nil, err
		}
		if split {
			all = append(all, sep.name)
		}
	}
	return all, nil
}

// givesApart reports whether the parser gives the frame at the end of a line, with a character
// between it and what is before, and does not if there is a space between them.
func (e *explainer) givesApart(ctx context.Context, before, char string) (bool, error) {
	apart, err := e.gives(ctx, before+char+`{"n":7}`)
	if err != nil || !apart {
		return false, err
	}
	values, err := e.gives(ctx, before+` {"n":7}`)
	return !values, err
}

// losesAt returns the characters whose lines the parser loses, if the stream has one of them, and
// there are several. An expression in which a dot is any character but the ends of lines does that.
func (e *explainer) losesAt(ctx context.Context, s Stream) ([]string, error) {
	var all []string
	for _, frame := range []struct{ char, name, line string }{
		{"\r", "CR", "{\"n\":\r7}"},
		{"\u0085", "U+0085", "{\"n\":7,\"text\":\"a\u0085b\"}"},
		{"\u2028", "U+2028", "{\"n\":7,\"text\":\"a\u2028b\"}"},
		{"\u2029", "U+2029", "{\"n\":7,\"text\":\"a\u2029b\"}"},
	} {
		if !bytes.Contains(s.Data, []byte(frame.char)) && len(all) == 0 && frame.char != "\r" {
			continue
		}
		failed, err := e.subject.try(ctx, Stream{Name: "probe", Data: []byte(between(frame.line))})
		if err != nil {
			return nil, err
		}
		if failed != nil && failed.symptom.effect() == loses {
			all = append(all, frame.name)
		}
	}
	if len(all) < 2 {
		return nil, nil
	}
	return all, nil
}

// hasForeign reports whether a text has characters that are not ASCII.
func hasForeign(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// holdsSeparator reports whether a line has a character that some parsers split at, the carriage
// return before its LF too.
func holdsSeparator(line []byte) bool {
	return bytes.IndexByte(line, '\r') >= 0 || hasSeparator(line)
}

// gives reports whether the parser invents a frame with the number 7 when it gets a text between
// two frames.
func (e *explainer) gives(ctx context.Context, text string) (bool, error) {
	failed, err := e.subject.try(ctx, Stream{Name: "probe", Data: []byte(between(text))})
	if err != nil || failed == nil || failed.Kind == Crash || failed.Kind == Hang {
		return false, err
	}
	for line := range bytes.Lines(failed.outcome.output) {
		var frame struct{ N int }
		if json.Unmarshal(line, &frame) == nil && frame.N == 7 {
			return true, nil
		}
	}
	return false, nil
}

// behaviour tells what the parser does wrong, given a small stream and the class of the line that
// harms it.
func (e *explainer) behaviour(ctx context.Context, f *failure, class *class) (behaviour, error) {
	traits := f.traits
	switch {
	case f.Kind == CRKept, f.Kind == Repeated, f.Kind == Reordered:
		return behaviour{id: string(f.Kind), text: kindTexts[f.Kind], rule: rule(f.Kind, traits)}, nil
	case slices.Contains(traits, atEnd):
		return behaviour{id: "at-end", text: "loses bytes that come together with io.EOF", rule: rule(Lost, []string{atEnd})}, nil
	case slices.Contains(traits, inPieces):
		if f.stream.cutsCharacter() {
			return behaviour{id: piecesCharacter, text: "breaks a character that comes in two reads", rule: rule(Lost, traits)}, nil
		}
		return behaviour{id: "pieces", text: "does not put a line together that comes in several reads", rule: rule(Lost, traits)}, nil
	}
	if f.symptom.effect() == loses && valid(traits) && hasForeign(f.stream.Data) {
		failed, err := e.subject.try(ctx, Stream{Name: "probe", Data: []byte(between(`{"n":7,"text":"é"}`))})
		if err != nil {
			return behaviour{}, err
		}
		if failed != nil && failed.symptom.effect() == loses {
			return behaviour{id: "no-utf-8", text: "does not read text as UTF-8", rule: utf8Rule, drop: hasForeign}, nil
		}
	}
	if f.Kind != Hang && (f.Kind != Crash || valid(traits)) && holdsSeparator(f.stream.Data) {
		b, err := e.separating(ctx, f)
		if b.id != "" || err != nil {
			return b, err
		}
	}
	if slices.Contains(traits, noLastLF) {
		return behaviour{id: "last-line", text: "needs a LF after the last line", rule: rule(Lost, []string{noLastLF})}, nil
	}
	if f.symptom.effect() == invents {
		return e.inventing(ctx, f)
	}
	if !valid(traits) {
		return f.harmedBy(class), nil
	}
	id := f.symptom.effect() + " " + strings.Join(traits, ", ")
	text := verbs[f.symptom.effect()] + " frames"
	if f.Kind == Crash || f.Kind == Hang {
		text = f.symptom.effect() + " at frames"
	}
	if len(traits) > 0 {
		text += " with: " + strings.Join(traits, ", ")
	}
	return behaviour{id: id, text: text, rule: f.symptom.rule(traits)}, nil
}

// The effects of a parser that gives what is not there, and of one that does not give what is.
var (
	invents = symptom{kind: Invented}.effect()
	loses   = symptom{kind: Lost}.effect()
)

var verbs = map[string]string{loses: "loses or changes"}

var kindTexts = map[Kind]string{
	CRKept: "hands on the CR before a LF", Repeated: "gives a frame twice", Reordered: "gives frames in another order",
}

// separating tells what the parser does at characters that some take for the end of a line. There
// is no behaviour if it does nothing there.
func (e *explainer) separating(ctx context.Context, f *failure) (behaviour, error) {
	chars, err := e.splitsAt(ctx, f.stream)
	if err != nil {
		return behaviour{}, err
	}
	if len(chars) > 0 {
		b := behaviour{id: "splits", text: "takes " + strings.Join(chars, ", ") + " for the end of a line", rule: lfRule, drop: hasSeparator}
		failed, err := e.subject.try(ctx, Stream{Name: "probe", Data: []byte(between("{\"n\":7}\r"))})
		if failed != nil {
			b.drop = holdsSeparator
		}
		return b, err
	}
	if f.symptom.effect() != loses {
		return behaviour{}, nil
	}
	if chars, err = e.losesAt(ctx, f.stream); err != nil || chars == nil {
		return behaviour{}, err
	}
	return behaviour{id: "loses-separators", text: "loses lines that hold " + strings.Join(chars, ", "), rule: lfRule, drop: holdsSeparator}, nil
}

// inventing tells where the frames come from that a parser invents.
func (e *explainer) inventing(ctx context.Context, f *failure) (behaviour, error) {
	notFrame := func(line []byte) bool { return !isFrame(line) }
	b := behaviour{rule: rule(Invented, nil), drop: notFrame}
	for _, probe := range []struct{ id, text, line string }{
		{"values", "takes JSON values for lines", `{"n":7}{"n":8}`},
		{"values", "takes JSON values for lines", "{\n\"n\":7\n}"},
		{"objects-in-text", "finds objects inside of other text", `noise {"n":7}`},
		{"objects-in-text", "finds objects inside of other text", `[{"n":7}]`},
	} {
		found, err := e.gives(ctx, probe.line)
		if err != nil {
			return b, err
		}
		if found {
			b.id, b.text = probe.id, probe.text
			return b, nil
		}
	}
	b.id, b.text = "passes-on", "hands on lines that are not JSON objects"
	return b, nil
}

// isFrame reports whether a line is a frame that each good parser understands.
func isFrame(line []byte) bool {
	e, ok := expectLine(bytes.TrimSuffix(line, []byte("\n")))
	return ok && e.Must
}

// cutsCharacter reports whether a piece ends inside of a character.
func (s Stream) cutsCharacter() bool {
	return slices.ContainsFunc(s.Cuts, func(at int) bool {
		return at > 0 && at < len(s.Data) && !utf8.RuneStart(s.Data[at]) && s.Data[at-1] >= utf8.RuneSelf
	})
}
