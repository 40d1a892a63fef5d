package wire_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// tagsAndIDs are the members without which a line does not decode: what tells lines apart, and the
// ids by which an answer and its request find each other.
var tagsAndIDs = []string{"/type", "/subtype", "/request_id", "/response", "/response/subtype", "/response/request_id"}

// TestALineWithoutAnyOneMemberStillDecodes takes every member of every recorded line away and makes
// it another kind of value. Tags and ids aside, the line still decodes, a deviation names the
// member if it has to be there or of its kind, and nothing else is lost.
func TestALineWithoutAnyOneMemberStillDecodes(t *testing.T) {
	lines := slices.DeleteFunc(slices.Clone(recordedLines(t)), func(l line) bool {
		return strings.Contains(l.text, `"request_id":""`) // is read and never written
	})
	tried, named := 0, 0
	for i, l := range lines {
		if testing.Short() && i%50 != 0 {
			continue // a sample
		}
		for _, m := range membersOf([]byte(l.text)) {
			for _, broken := range []string{m.without(l.text), m.changed(l.text, tried)} {
				tried++
				if checkMutilated(t, l.at, m.pointer, broken) {
					named++
				}
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	t.Logf("%d lines, %d changes, %d of them deviations", len(lines), tried, named)
	if named < tried/10 {
		t.Errorf("only %d of %d changes are deviations", named, tried)
	}
}

// checkMutilated decodes a line whose member was changed. It reports whether that is a deviation.
func checkMutilated(t *testing.T, name, pointer, line string) bool {
	t.Helper()
	var got []codec.Deviation
	f, err := wire.DecodeFrame([]byte(line), reporting(&got))
	if err != nil {
		if !slices.Contains(tagsAndIDs, pointer) {
			t.Errorf("%s, %s: %v\n%s", name, pointer, err, line)
		}
		return false
	}
	isNamed := slices.ContainsFunc(got, func(d codec.Deviation) bool {
		return d.Path == "" || strings.HasPrefix(d.Path+"/", pointer+"/") || strings.HasPrefix(pointer+"/", d.Path+"/")
	})
	_, err = wire.DecodeFrame([]byte(line), strict())
	if err != nil && strings.HasPrefix(decodeError(t, err).Path+"/", pointer+"/") && !isNamed {
		t.Errorf("%s, %s: strict: %v; tolerant: %v\n%s", name, pointer, err, got, line)
	}
	out, err := wire.Append(nil, f)
	if err != nil {
		t.Errorf("%s, %s: %v\n%s", name, pointer, err, line)
	} else if legacy := slices.ContainsFunc(got, func(d codec.Deviation) bool { return d.Kind == codec.LegacyShape }); !legacy {
		if err := values.Same(schema.Default(), schema.Either.Definition(), []byte(line), out); err != nil {
			t.Errorf("%s, %s: %v\nin:  %s\nout: %s", name, pointer, err, line, out)
		}
	}
	return isNamed
}

// A member is where a member of an object stands in a line: from the byte before its name to the
// end of its value.
type member struct {
	pointer           string
	start, value, end int
}

// without returns the line without the member.
func (m member) without(line string) string {
	if line[m.start] == ',' {
		return line[:m.start] + line[m.end:]
	}
	return line[:m.start+1] + strings.TrimPrefix(line[m.end:], ",")
}

// changed returns the line with a value of another kind for the member, one of several.
func (m member) changed(line string, n int) string {
	others := slices.DeleteFunc([]string{`[[7]]`, `null`, `{"ccwire":7}`, `"7"`, `true`, `7.5`}, func(other string) bool {
		return kindOf(other) == kindOf(line[m.value:])
	})
	return line[:m.value] + others[n%len(others)] + line[m.end:]
}

// membersOf returns the members of a value and of what is inside them.
func membersOf(line []byte) (members []member) {
	s := jsontext.NewScanner(line)
	var walk func(pointer string)
	walk = func(pointer string) {
		switch line[s.Pos] {
		case '{':
			for {
				start := s.Pos
				key, ok := s.Key()
				if !ok {
					return
				}
				m := member{pointer: pointer + "/" + jsontext.EscapePointer(string(key)), start: start, value: s.Pos}
				walk(m.pointer)
				m.end = s.Pos
				members = append(members, m)
			}
		case '[':
			s.Pos++
			for i := 0; line[s.Pos] != ']'; i++ {
				if line[s.Pos] == ',' {
					s.Pos++
				}
				walk(pointer + "/" + strconv.Itoa(i))
			}
			s.Pos++
		default:
			s.Hop()
		}
	}
	walk("")
	return members
}

// kindOf returns the kind of the value that text begins with.
func kindOf(text string) jsontext.Kinds {
	s := jsontext.NewScanner([]byte(text[:1]))
	return s.Kind()
}
