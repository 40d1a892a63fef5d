package framing

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A symptom is what can be seen of a failure from outside. Failures with different symptoms have
// different causes.
type symptom struct {
	kind   Kind
	exit   string // of a crash: the exit code or the signal
	stderr string // of a crash: the line of stderr that says why, without what depends on the stream
}

func (p *Problem) symptom(o *outcome) symptom {
	s := symptom{kind: p.Kind}
	if p.Kind == Crash {
		s.exit, s.stderr = o.exit.Error(), reason(o.stderr)
	}
	return s
}

// gaveUp reports whether a persistent parser said that it failed.
func (s symptom) gaveUp() bool { return s.kind == Crash && s.exit == errParser.Error() }

// rule is the one that is broken, given what stands out in the stream.
func (s symptom) rule(traits []string) string {
	if s.gaveUp() {
		return rule(Lost, traits)
	}
	return rule(s.kind, traits)
}

// like reports whether two symptoms differ at most in what an exception says after its name. A
// JSON parser says something else of each wrong text.
func (s symptom) like(t symptom) bool {
	s.stderr, t.stderr = exceptionName(s.stderr), exceptionName(t.stderr)
	return s == t
}

var (
	looksLikeError = regexp.MustCompile(`^\S*(Error|Exception|Exit)\b|^(panic|fatal error|fatal|error): |panicked at|^Exception in`)
	exception      = regexp.MustCompile(`^(\S*(Error|Exception|Exit))\b.*`)
	quoted         = regexp.MustCompile(`"[^"]*"|'[^']*'|` + "`[^`]*`")
	number         = regexp.MustCompile(`0x[0-9a-fA-F]+|[0-9]+`)
)

// lastWords returns the line of a parser's standard error that says why it ended: the last that
// looks like an error, or the last one.
func lastWords(stderr []byte) string {
	var last, telling string
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(strings.ToValidUTF8(line, "?"))
		if line != "" {
			last = line
		}
		if looksLikeError.MatchString(line) {
			telling = line
		}
	}
	text := cmp.Or(telling, last)
	return text[:min(len(text), 200)]
}

// reason returns the last words without numbers and quoted text, which depend on the stream.
func reason(stderr []byte) string {
	return number.ReplaceAllString(quoted.ReplaceAllString(lastWords(stderr), "…"), "0")
}

func exceptionName(reason string) string { return exception.ReplaceAllString(reason, "$1") }

// Traits that are asked for. The first four are of the stream, the others of a line.
const (
	inPieces  = "in pieces"
	atEnd     = "the last bytes come with the end"
	noLastLF  = "no LF at the end"
	manyLines = "many lines"
	longLine  = "long line"
	noise     = "noise"
	odd       = "good parsers differ"
	blank     = "blank line"
	nesting   = "nesting"

	carriageReturn = "carriage return"
)

const (
	long = 200 // bytes from which a line is long
	many = 100 // lines from which a stream has many
)

// traits returns what stands out in a stream, sorted. Of a stream that was made small it is what
// the parser stumbles over.
func (s Stream) traits() []string {
	var all []string
	if len(s.Cuts) > 0 {
		all = append(all, inPieces)
	}
	if s.AtEnd {
		all = append(all, atEnd)
	}
	if len(s.Data) > 0 && s.Data[len(s.Data)-1] != '\n' {
		all = append(all, noLastLF)
	}
	if bytes.Count(s.Data, []byte("\n")) >= many {
		all = append(all, manyLines)
	}
	for line := range bytes.Lines(s.Data) {
		for _, trait := range lineTraits(line) {
			if !slices.Contains(all, trait) {
				all = append(all, trait)
			}
		}
	}
	slices.Sort(all)
	return all
}

// lineTraits returns what stands out in a line.
func lineTraits(line []byte) []string {
	line = bytes.TrimSuffix(line, []byte("\n"))
	var all []string
	if len(bytes.TrimSpace(line)) == 0 {
		all = append(all, blank)
	} else if e, ok := expectLine(line); !ok {
		all = append(all, noise)
	} else if !e.Must {
		all = append(all, odd)
	}
	if len(line) >= long {
		all = append(all, longLine)
	}
	if depth(line) > 32 {
		all = append(all, nesting)
	}
	if longNumber.Match(line[:min(len(line), 4096)]) {
		all = append(all, "long number")
	}
	if bytes.IndexByte(line, '\\') >= 0 {
		all = append(all, "escape")
	}
	if bytes.Contains(line, []byte("__proto__")) {
		all = append(all, "special name")
	}
	for rest := line; len(rest) > 0; {
		r, n := rune(rest[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(rest)
		}
		rest = rest[n:]
		if trait := characterTrait(r, n); trait != "" && !slices.Contains(all, trait) {
			all = append(all, trait)
		}
	}
	return all
}

var longNumber = regexp.MustCompile(`[0-9]{16}|[0-9][.eE][-+]?[0-9]`)

func characterTrait(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "invalid UTF-8"
	case r == '\r':
		return carriageReturn
	case r == 0:
		return "NUL"
	case r < ' ' && r != '\t', r == 0x7f:
		return "control byte"
	case r == 0x85, r == 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return fmt.Sprintf("U+%04X", r)
	case r >= utf8.RuneSelf:
		return fmt.Sprintf("character of %d bytes", size)
	}
	return ""
}

// depth returns how many brackets are open at once, those in strings too.
func depth(line []byte) int {
	most, open := 0, 0
	for _, c := range line {
		switch c {
		case '{', '[':
			open++
			most = max(most, open)
		case '}', ']':
			open--
		}
	}
	return most
}

// without returns the stream without what shows a finding: its lines, cuts or missing LF. It
// reports whether there is anything to leave out.
func (s Stream) without(f *Finding) (Stream, bool) {
	out := s
	if slices.Contains(f.traits, inPieces) {
		out.Cuts = nil
	}
	if slices.Contains(f.traits, atEnd) {
		out.AtEnd = false
	}
	if slices.Contains(f.traits, noLastLF) && len(s.Data) > 0 && s.Data[len(s.Data)-1] != '\n' {
		out.Data = append(slices.Clone(s.Data), '\n')
	}
	inLines := slices.DeleteFunc(slices.Clone(f.traits), func(t string) bool {
		return t == inPieces || t == atEnd || t == noLastLF || t == manyLines
	})
	switch {
	case f.limit > 0:
		out = out.withoutLines(func(line []byte) bool { return len(line) > f.limit })
	case f.cause.drop != nil:
		out = out.withoutLines(f.cause.drop)
	case len(inLines) > 0:
		out = out.withoutLines(func(line []byte) bool { return containsAll(lineTraits(line), inLines) })
	}
	return out, len(out.Data) != len(s.Data) || len(out.Cuts) != len(s.Cuts) || out.AtEnd != s.AtEnd
}

// withoutLines returns the stream without some lines, each of which is given with its LF.
func (s Stream) withoutLines(drop func(line []byte) bool) Stream {
	starts := s.lines()
	for i := len(starts) - 2; i >= 0; i-- {
		if drop(s.Data[starts[i]:starts[i+1]]) {
			s = s.splice(starts[i], starts[i+1], nil)
		}
	}
	return s
}

func containsAll(have, want []string) bool {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}
