// Package accepts tells what real CLIs do with a line of an SDK in which one member is not as SDKs
// write it. The data is in conformance/accepts, and "protogen probe --accepts" makes it.
package accepts

import (
	"cmp"
	"slices"
	"strings"
)

// An Effect is what a CLI does with a changed line.
type Effect string

const (
	// Used says that the CLI takes it, and that something differs from a line without the member.
	Used Effect = "used"
	// Taken says that the CLI takes it, and that nothing differs.
	Taken Effect = "taken"
	// Ignored says that the CLI does not tell an error, and that what the member does is missing.
	Ignored Effect = "ignored"
	// Lost says that the line has no effect, and that no error is told: no answer comes, no turn.
	Lost Effect = "lost"
	// Refused says that an error is told.
	Refused Effect = "refused"
	// Fatal says that the CLI ends, or answers nothing more.
	Fatal Effect = "fatal"
)

// Effects are all effects, the mildest first.
var Effects = []Effect{Used, Taken, Ignored, Lost, Refused, Fatal}

// Harmful reports whether what the line is for does not happen.
func (e Effect) Harmful() bool { return e == Ignored || e == Lost || e == Refused || e == Fatal }

// A Value is what a member is changed to.
type Value string

const (
	Absent  Value = "absent"
	Null    Value = "null"
	Boolean Value = "boolean"
	Number  Value = "number"
	String  Value = "string"
	Array   Value = "array"
	Object  Value = "object"
	Unknown Value = "unknown" // a string that is not in the list of values
	Extra   Value = "extra"   // an object with a member that nobody knows

	// What a whole line is changed to.
	Blank          Value = "blank"           // nothing, or space
	CarriageReturn Value = "carriage-return" // the same with CR before LF
	NotUTF8        Value = "not-utf8"        // the same with a byte that is not UTF-8
	NotJSON        Value = "not-json"        // text
)

// Line is the frame of changes of a whole line.
const Line = "line"

// Values are all values.
var Values = []Value{Absent, Null, Boolean, Number, String, Array, Object, Unknown, Extra, Blank, CarriageReturn, NotUTF8, NotJSON}

// A Key says what was changed.
type Key struct {
	// Frame is the kind of line, such as user, control_request/set_model, or
	// control_response/hook_callback/Stop for what answers a request.
	Frame string
	// Member is a JSON pointer in the body of the request or of the answer, or in the line if it
	// has none; * stands for any name in a map and any index of a list.
	Member string
	Value  Value
}

// A Finding is what the recorded versions do, by effect. Versions are in ascending order.
type Finding map[Effect][]string

// A Table holds findings.
type Table map[Key]Finding

// Add notes what a version does.
func (t Table) Add(k Key, version string, e Effect) {
	if t[k] == nil {
		t[k] = Finding{}
	}
	t[k][e] = append(t[k][e], version)
	slices.SortFunc(t[k][e], compareVersions)
}

// Set notes what a version does according to another table, in the place of what is known of it.
func (t Table) Set(k Key, version string, f Finding) {
	if t[k] != nil {
		t[k].forget(version)
	}
	for e := range f {
		t.Add(k, version, e)
	}
}

// Forget removes what is known of a version.
func (t Table) Forget(version string) {
	for k, f := range t {
		f.forget(version)
		if len(f) == 0 {
			delete(t, k)
		}
	}
}

func (f Finding) forget(version string) {
	for e := range f {
		f[e] = slices.DeleteFunc(f[e], func(v string) bool { return v == version })
		if len(f[e]) == 0 {
			delete(f, e)
		}
	}
}

// Lookup returns what is known of a change: the finding whose member has the fewest * in it. The
// member is a JSON pointer without any.
func (t Table) Lookup(frame, member string, value Value) (Finding, bool) {
	if f, ok := t[Key{frame, member, value}]; ok {
		return f, true
	}
	var best Finding
	fewest := -1
	for k, f := range t {
		if k.Frame != frame || k.Value != value || !matches(k.Member, member) {
			continue
		}
		if n := strings.Count(k.Member, "*"); fewest < 0 || n < fewest {
			best, fewest = f, n
		}
	}
	return best, best != nil
}

func matches(pattern, member string) bool {
	return slices.EqualFunc(strings.Split(pattern, "/"), strings.Split(member, "/"), func(p, m string) bool { return p == "*" || p == m })
}

// Only returns the finding of one version.
func (f Finding) Only(version string) Finding {
	one := Finding{}
	for e, list := range f {
		if slices.Contains(list, version) {
			one[e] = []string{version}
		}
	}
	return one
}

// Harm returns what harmful effects the recorded versions show, the worst first, such as "2.0.77
// ends, 2.1.90 and 2.1.325 refuse it". It is "" if there is none.
func (f Finding) Harm() string {
	var parts []string
	for _, e := range slices.Backward(Effects) {
		if list := f[e]; e.Harmful() && len(list) > 0 {
			parts = append(parts, versions(list)+" "+verb(e, len(list) > 1))
		}
	}
	return strings.Join(parts, "; ")
}

func versions(list []string) string {
	text := strings.Join(list, ", ")
	if i := strings.LastIndex(text, ", "); i >= 0 {
		text = text[:i] + " and " + text[i+2:]
	}
	return "CLI " + text
}

func verb(e Effect, many bool) string {
	one := map[Effect]string{Ignored: "ignores it", Lost: "loses the line", Refused: "refuses it", Fatal: "ends or hangs"}[e]
	if !many {
		return one
	}
	return map[Effect]string{Ignored: "ignore it", Lost: "lose the line", Refused: "refuse it", Fatal: "end or hang"}[e]
}

// compareVersions compares versions number by number.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}
