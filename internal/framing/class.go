package framing

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// A class is a sort of lines that are not frames, or on which good parsers differ. Those that come
// first include those that come after them, as far as a parser is concerned that harms the lines
// around each of them.
type class struct {
	name string // what such a line is
	line string // the plainest
	has  func(line []byte) bool
}

var classes = []*class{
	{"a line that is not a JSON object", "noise", func(line []byte) bool { return !isFrame(line) }},
	{"JSON that is not an object", "5", func(line []byte) bool { return json.Valid(line) && !isBlank(line) && !isObject(line) }},
	{"the line null", "null", func(line []byte) bool { return string(bytes.TrimSpace(line)) == "null" }},
	{"a blank line", " ", isBlank},
	{"an empty line", "", func(line []byte) bool { return len(bytes.TrimSuffix(line, []byte("\n"))) == 0 }},
	{"half an object", "{", func(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) && !isFrame(line) }},
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

func isObject(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) }

// classOf looks for the first class of which the plainest line does the same harm. The simpler
// failure is with that line. Both are nil if there is none.
func (e *explainer) classOf(ctx context.Context, failed *failure) (*class, *failure, error) {
	if valid(failed.traits) {
		return nil, nil, nil
	}
	for _, c := range classes {
		starts := failed.stream.lines()
		if !slices.ContainsFunc(starts[:len(starts)-1], func(at int) bool {
			line, _, _ := bytes.Cut(failed.stream.Data[at:], []byte("\n"))
			return c.has(line)
		}) {
			continue
		}
		simpler, err := e.subject.try(ctx, Stream{Name: c.name, Data: []byte(between(c.line))})
		if err != nil {
			return nil, nil, err
		}
		if simpler != nil && simpler.sameEffect(failed) {
			simpler.stream.Name = failed.stream.Name
			return c, simpler, nil
		}
	}
	return nil, nil, nil
}

// sameEffect reports whether two failures may have one cause. Of a crash by deep nesting the name
// of the exception counts, if there is one, since it is mostly of its own sort.
func (f *failure) sameEffect(g *failure) bool {
	if f.symptom.effect() != g.symptom.effect() {
		return false
	}
	if f.Kind != Crash || !slices.Contains(f.traits, nesting) && !slices.Contains(g.traits, nesting) {
		return true
	}
	name, other := exception.FindString(f.symptom.stderr), exception.FindString(g.symptom.stderr)
	return name == "" || other == "" || exceptionName(name) == exceptionName(other)
}

// harmedBy tells which lines harm those around them.
func (f *failure) harmedBy(c *class) behaviour {
	effect := f.symptom.effect()
	verb := "stops at"
	if f.Kind == Crash || f.Kind == Hang {
		verb = effect + " at"
	} else if f.after() {
		verb = "loses what comes next to"
	}
	if c != nil {
		return behaviour{id: effect + " at " + c.name, text: verb + " " + c.name, rule: f.symptom.rule(f.traits), drop: c.has}
	}
	traits := slices.DeleteFunc(slices.Clone(f.traits), func(t string) bool { return t == noise || t == odd || t == longLine })
	text := strings.Join(traits, ", ")
	drop := func(line []byte) bool { return !isFrame(line) && containsAll(lineTraits(line), traits) }
	if text == "" {
		text = "some lines that are not JSON objects"
	}
	return behaviour{id: effect + " at " + text, text: verb + " a line with: " + text, rule: f.symptom.rule(f.traits), drop: drop}
}

// after reports whether frames came out after one that was lost.
func (f *failure) after() bool {
	lost := false
	for _, e := range Expect(f.stream.Data) {
		found := bytes.Contains(f.outcome.output, e.Text)
		if lost && found {
			return true
		}
		lost = lost || e.Must && !found
	}
	return false
}
