package values

import (
	"strings"

	"pgregory.net/rapid"
)

// source makes the small choices of a value. It draws from rapid, so that a failure shrinks: 0 is
// the simplest choice everywhere.
type source struct{ t *rapid.T }

// indexes[n] draws one of n numbers, all alike.
var indexes = func() (out [260]*rapid.Generator[int]) {
	all := make([]int, len(out))
	for n := range out {
		all[n] = n
		if n > 0 {
			out[n] = rapid.SampledFrom(all[:n:n])
		}
	}
	return out
}()

// below draws a number from 0 to n-1.
func (s source) below(n int) int {
	if n == 1 {
		return 0
	}
	return indexes[n].Draw(s.t, "choice")
}

// oneIn is true once in n draws.
func (s source) oneIn(n int) bool { return s.below(n) == n-1 }

func pick[T any](s source, of []T) T { return of[s.below(len(of))] }

// fragments are pieces of strings, as written between quotes.
var fragments = []string{
	"a", "text", "", "two words", "exactly8", "seven77", "nine99999", "<b>&amp;</b>", `\"`, `\\`, `\/`, "/", `\b\f\n\r\t`,
	`\u0000\u001f`, "\u007f", "é", "é", `\u00e9`, `\u00E9`, "日本語", "😀", `\ud83d\ude00`, `\ud800`, `\udfff`,
	`\uDC00\uD800`, `\ud800A`, "\u0085", "\u2028", "\u2029", `\u0085\u2028\u2029`, `\u202a`, "\ufffd", "\uffff", "\ufeff", `\u0022\u005c`,
	"{\\\"type\\\":\\\"user\\\"}", "]},", ":", `,\"`, strings.Repeat("long ", 25), strings.Repeat("x", 511), strings.Repeat("é", 300),
	strings.Repeat(`\n`, 300), strings.Repeat("z", 2100),
}

// text draws a string token.
func (s source) text() string {
	switch s.below(6) {
	case 0, 1:
		return `"` + fragments[s.below(8)] + `"`
	case 2:
		return `"` + pick(s, fragments) + pick(s, fragments) + `"`
	case 3:
		return `"` + pick(s, fragments) + pick(s, fragments[:37]) + pick(s, fragments) + `"`
	}
	return `"` + pick(s, fragments) + `"`
}

// spelling returns a token for a string that is fixed: now and then with an escape that it does not
// need.
func (s source) spelling(text string) string {
	if text == "" || !s.oneIn(24) {
		return `"` + text + `"`
	}
	i := s.below(min(len(text), 8))
	const hex = "0123456789abcdef"
	return `"` + text[:i] + `\u00` + string(hex[text[i]>>4]) + string(hex[text[i]&15]) + text[i+1:] + `"`
}

// integers are numbers that fit into 64 bits and have no fraction.
var integers = []string{
	"0", "1", "2", "-1", "10", "42", "-0", "1000000", "999999999999999999", "1234567890123456789", "9007199254740993",
	"9223372036854775807", "-9223372036854775808", "1.0", "-3.000", "1e3", "1E+2", "150e-1", "0e999999999999999999999", "0.0", "2.50e1",
}

// numbers are numbers that 64 bits of floating point can hold, if not exactly.
var numbers = []string{
	"0.5", "0.1", "-0.0", "3.14159", "1e21", "1e-7", "1e-400", "-2.5E+10", "1.7976931348623157e308", "5e-324", "0.30000000000000004",
	"12345678901234567890", "0.1234567890123456789", "123456.789e3", "999999999999999", "1000000000000000", "1e15", "-1e15", "123456789012345680000",
}

// opaqueNumbers have no type, so only their text counts.
var opaqueNumbers = []string{
	"1e400", "-1E-400", "123456789012345678901234567890123456789012345678901", "1.10", "1e+2", "100e-2", "-0e0", "0.000000000000000000000000001",
}

func (s source) integer() string { return pick(s, integers) }

func (s source) number() string {
	if s.below(2) == 0 {
		return s.integer()
	}
	return pick(s, numbers)
}

func (s source) boolean() string { return pick(s, []string{"true", "false"}) }

// space draws the space between the tokens of a value: mostly none.
func (s source) space() string {
	if !s.oneIn(8) {
		return ""
	}
	return pick(s, []string{" ", "\t", "  ", "\n", "\r\n\t", "\n\n"})
}

// names are names of members that no schema has, as written between quotes.
var names = []string{
	"x_new", "a", "", "zz top", "a/b~c", "Type", "__proto__", `t\u0079pe2`, "ключ", `\ud800`, `\u2028`, "\u2028", `\"`, "x\u0085", strings.Repeat("k", 600),
}

// opaque draws any JSON value of one of the kinds; no kinds mean all.
func (s source) opaque(kinds []string, depth int) *value {
	if len(kinds) == 0 {
		kinds = []string{"object", "string", "number", "boolean", "null", "array"}
	}
	switch pick(s, kinds) {
	case "string":
		return scalar(s.text())
	case "boolean":
		return scalar(s.boolean())
	case "null":
		return scalar("null")
	case "number":
		return scalar(pick(s, [][]string{integers, numbers, opaqueNumbers}[s.below(3)]))
	case "array":
		v := &value{array: true, space: s.space()}
		for range s.below(4) {
			if depth > 0 {
				v.items = append(v.items, s.opaque(nil, depth-1))
			}
		}
		return v
	}
	v := &value{object: true, space: s.space()}
	if depth <= 0 {
		return v
	}
	for range s.below(4) {
		s.insert(v, pick(s, append(names[:len(names):len(names)], "type", "id", "command", "content")), s.opaque(nil, depth-1))
	}
	return v
}

// insert adds a member at some place, unless the object has one of the name. Name is what stands
// between the quotes.
func (s source) insert(v *value, name string, m *value) bool {
	name = `"` + name + `"`
	if v.get(unquote(name)) != nil {
		return false
	}
	i := len(v.members)
	if i > 0 && i < 200 && s.oneIn(2) {
		i = s.below(i + 1)
	}
	v.members = append(v.members, member{})
	copy(v.members[i+1:], v.members[i:])
	v.members[i] = member{name, m}
	return true
}

// arrange puts the members into another order, mostly none.
func (s source) arrange(v *value) {
	n := len(v.members)
	if n < 2 {
		return
	}
	switch s.below(6) {
	case 3: // the first member comes last
		v.members = append(v.members[1:n:n], v.members[0])
	case 4: // reversed
		for i := range n / 2 {
			v.members[i], v.members[n-1-i] = v.members[n-1-i], v.members[i]
		}
	case 5: // shuffled
		for i := n - 1; i > 0; i-- {
			j := s.below(i + 1)
			v.members[i], v.members[j] = v.members[j], v.members[i]
		}
	}
}
