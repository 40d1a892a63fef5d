package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Pattern is a JSON value with matchers in it.
type Pattern struct {
	text  string
	value any
}

// ParsePattern reads a pattern and checks its matchers.
func ParsePattern(text string) (*Pattern, error) {
	v, err := decode([]byte(text))
	if err != nil {
		return nil, err
	}
	if err := checkPattern(v); err != nil {
		return nil, err
	}
	return &Pattern{text: text, value: v}, nil
}

func (p *Pattern) String() string { return p.text }

// Names returns the members that the pattern's object has.
func (p *Pattern) Names() []string {
	m, _ := p.value.(map[string]any)
	return slices.Sorted(maps.Keys(m))
}

// isText reports whether the pattern is an expression for a text.
func (p *Pattern) isText() bool {
	s, _ := p.value.(string)
	return strings.HasPrefix(s, "$re:")
}

// Request reports whether the pattern can only match a control_request.
func (p *Pattern) Request() bool {
	m, _ := p.value.(map[string]any)
	return m["type"] == "control_request"
}

// ReplyTo returns the id of the request whose reply the pattern is for, "" if it is for something
// else.
func (p *Pattern) ReplyTo() string {
	m, _ := p.value.(map[string]any)
	response, _ := m["response"].(map[string]any)
	id, _ := response["request_id"].(string)
	if m["type"] != "control_response" || strings.HasPrefix(id, "$") {
		return ""
	}
	return id
}

// Mismatch says where a value differs from a pattern.
type Mismatch struct {
	Path string // JSON pointer
	Want string
	Got  string
}

func (m *Mismatch) Error() string {
	at := m.Path
	if at == "" {
		at = "the value"
	}
	return fmt.Sprintf("%s is %s, want %s", at, m.Got, m.Want)
}

// Match compares a JSON text with the pattern. When it fits, what the pattern binds is in vars.
// When it does not, vars is unchanged and the result says where. A pattern that is a "$re:" and
// nothing else is for the text of an object as it is written.
func (p *Pattern) Match(doc []byte, vars Vars) *Mismatch {
	v, err := decode(doc)
	if err != nil {
		return &Mismatch{Want: "JSON", Got: err.Error()}
	}
	if _, isObject := v.(map[string]any); isObject && p.isText() {
		v = string(doc)
	}
	trial := maps.Clone(vars)
	if trial == nil {
		trial = Vars{}
	}
	if m := match(p.value, v, "", trial); m != nil {
		return m
	}
	maps.Copy(vars, trial)
	return nil
}

// Words of a pattern that stand alone.
var kinds = map[string]func(any) bool{
	"$any":    func(any) bool { return true },
	"$string": func(v any) bool { _, ok := v.(string); return ok },
	"$number": func(v any) bool { _, ok := v.(json.Number); return ok },
	"$bool":   func(v any) bool { _, ok := v.(bool); return ok },
	"$object": func(v any) bool { _, ok := v.(map[string]any); return ok },
	"$array":  func(v any) bool { _, ok := v.([]any); return ok },
	"$uuid":   func(v any) bool { s, ok := v.(string); return ok && uuid.MatchString(s) },
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func match(want, got any, at string, vars Vars) *Mismatch {
	miss := func(w string) *Mismatch { return &Mismatch{Path: at, Want: w, Got: show(got)} }
	switch w := want.(type) {
	case string:
		return matchString(w, got, at, vars)
	case map[string]any:
		if ok, m := matchOperator(w, got, at, vars); ok {
			return m
		}
		g, ok := got.(map[string]any)
		if !ok {
			return miss("an object")
		}
		return matchObject(w, g, at, vars)
	case []any:
		g, ok := got.([]any)
		if !ok {
			return miss("an array")
		}
		return matchArray(w, g, at, vars)
	case json.Number:
		if g, ok := got.(json.Number); ok && sameNumber(w, g) {
			return nil
		}
	default: // bool, null
		if want == got {
			return nil
		}
	}
	return miss(show(want))
}

func matchString(w string, got any, at string, vars Vars) *Mismatch {
	miss := func(w string) *Mismatch { return &Mismatch{Path: at, Want: w, Got: show(got)} }
	word, arg, hasArg := strings.Cut(w, ":")
	switch {
	case !strings.HasPrefix(w, "$"), strings.HasPrefix(w, "$$"), strings.HasPrefix(w, "${"):
		literal := strings.TrimPrefix(w, "$")
		if !strings.HasPrefix(w, "$$") {
			literal = w
		}
		if vars.Expand(literal) != got {
			return miss(strconv.Quote(literal))
		}
	case word == "$bind":
		name, kind, _ := strings.Cut(arg, ":")
		if kind != "" && !kinds["$"+kind](got) {
			return miss("a " + kind)
		}
		vars[name] = got
	case word == "$ref":
		v, ok := vars[arg]
		if !ok {
			return miss(arg + ", which nothing has bound")
		}
		if !same(v, got) {
			return miss(show(v) + " (" + arg + ")")
		}
	case word == "$re":
		s, ok := got.(string)
		if !ok || !regexp.MustCompile(vars.expandQuoted(arg)).MatchString(s) {
			return miss("text that matches " + strconv.Quote(arg))
		}
	case w == "$absent":
		return miss("absent")
	case !hasArg && kinds[w] != nil:
		if !kinds[w](got) {
			return miss("a " + w[1:])
		}
	}
	return nil
}

func matchObject(w, g map[string]any, at string, vars Vars) *Mismatch {
	for _, k := range memberOrder(w) {
		path := at + "/" + strings.ReplaceAll(strings.ReplaceAll(k, "~", "~0"), "/", "~1")
		v, there := g[k]
		switch {
		case w[k] == "$absent" && !there:
		case w[k] == "$absent":
			return &Mismatch{Path: path, Want: "absent", Got: show(v)}
		case !there && isNot(w[k]):
		case !there:
			return &Mismatch{Path: path, Want: show(w[k]), Got: "absent"}
		default:
			if m := match(w[k], v, path, vars); m != nil {
				return m
			}
		}
	}
	return nil
}

// memberOrder returns the names of an object's members, the tags first, so that a mismatch of the
// type is found before any other.
func memberOrder(w map[string]any) []string {
	rank := func(k string) int {
		switch k {
		case "type", "report":
			return 0
		case "subtype":
			return 1
		case "request_id":
			return 2
		}
		return 3
	}
	return slices.SortedFunc(maps.Keys(w), func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
}

// isNot reports whether a pattern is a $not, which an absent member fits.
func isNot(w any) bool {
	m, _ := w.(map[string]any)
	_, ok := m["$not"]
	return ok
}

func matchArray(w, g []any, at string, vars Vars) *Mismatch {
	switch {
	case len(w) > 0 && w[0] == "$contains":
		for _, want := range w[1:] {
			if !slices.ContainsFunc(g, func(v any) bool { return fits(want, v, at, vars) }) {
				return &Mismatch{Path: at, Want: "an element like " + show(want), Got: show(g)}
			}
		}
		return nil
	case len(w) > 0 && w[0] == "$unordered":
		if len(w)-1 != len(g) || !fitsUnordered(w[1:], g, at, vars) {
			return &Mismatch{Path: at, Want: "in any order " + show(w[1:]), Got: show(g)}
		}
		return nil
	}
	if len(w) != len(g) {
		want := fmt.Sprintf("%d elements", len(w))
		if len(w) == 1 {
			want = "1 element"
		}
		return &Mismatch{Path: at, Want: want, Got: fmt.Sprintf("%d: %s", len(g), show(g))}
	}
	for i := range w {
		if m := match(w[i], g[i], at+"/"+strconv.Itoa(i), vars); m != nil {
			return m
		}
	}
	return nil
}

// fits reports whether a value matches, and leaves vars unchanged when it does not.
func fits(want, got any, at string, vars Vars) bool {
	trial := maps.Clone(vars)
	if match(want, got, at, trial) != nil {
		return false
	}
	maps.Copy(vars, trial)
	return true
}

// fitsUnordered reports whether each pattern matches an element of its own. A pattern that takes
// what another one needs gives way.
func fitsUnordered(w, g []any, at string, vars Vars) bool {
	if len(w) == 0 {
		return true
	}
	for i, v := range g {
		trial := maps.Clone(vars)
		rest := slices.Delete(slices.Clone(g), i, i+1)
		if match(w[0], v, at, trial) == nil && fitsUnordered(w[1:], rest, at, trial) {
			maps.Copy(vars, trial)
			return true
		}
	}
	return false
}

// matchOperator handles an object with one member whose name starts with "$".
func matchOperator(w map[string]any, got any, at string, vars Vars) (bool, *Mismatch) {
	if len(w) != 1 {
		return false, nil
	}
	for name, arg := range w {
		switch name {
		case "$exact":
			if m := match(arg, got, at, vars); m != nil {
				return true, m
			}
			if a, g := arg.(map[string]any), got.(map[string]any); len(a) != len(g) {
				return true, &Mismatch{Path: at, Want: "no other members than " + show(arg), Got: show(got)}
			}
			return true, nil
		case "$or":
			for _, p := range arg.([]any) {
				if fits(p, got, at, vars) {
					return true, nil
				}
			}
			return true, &Mismatch{Path: at, Want: "one of " + show(arg), Got: show(got)}
		case "$not":
			if match(arg, got, at, maps.Clone(vars)) == nil {
				return true, &Mismatch{Path: at, Want: "not " + show(arg), Got: show(got)}
			}
			return true, nil
		}
	}
	return false, nil
}

// checkPattern reports a matcher that does not exist.
func checkPattern(v any) error {
	switch v := v.(type) {
	case string:
		return checkWord(v)
	case []any:
		for i, e := range v {
			if i == 0 && (e == "$contains" || e == "$unordered") {
				continue
			}
			if err := checkPattern(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, e := range v {
			if strings.HasPrefix(k, "$") && !strings.HasPrefix(k, "$$") {
				if err := checkOperator(k, e, len(v)); err != nil {
					return err
				}
			}
			if err := checkPattern(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkOperator(name string, arg any, members int) error {
	_, isList := arg.([]any)
	_, isObject := arg.(map[string]any)
	switch {
	case members != 1:
		return fmt.Errorf("%s must be the only member of its object", name)
	case name == "$exact" && isObject, name == "$or" && isList, name == "$not":
		return nil
	}
	return fmt.Errorf("unknown operator %s, or its operand is of the wrong kind", name)
}

func checkWord(w string) error {
	if !strings.HasPrefix(w, "$") || strings.HasPrefix(w, "$$") || strings.HasPrefix(w, "${") {
		return nil
	}
	word, arg, hasArg := strings.Cut(w, ":")
	switch {
	case w == "$absent", !hasArg && kinds[w] != nil, word == "$ref" && arg != "":
		return nil
	case word == "$bind" && arg != "":
		name, kind, has := strings.Cut(arg, ":")
		if name == "" || has && kinds["$"+kind] == nil {
			return fmt.Errorf("unknown kind in %q", w)
		}
		return nil
	case word == "$re" && arg != "":
		_, err := regexp.Compile(arg)
		return err
	}
	return fmt.Errorf("unknown matcher %q ($$ starts a text that begins with $)", w)
}

func decode(doc []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the JSON value")
	}
	return v, nil
}

func same(a, b any) bool {
	if x, ok := a.(json.Number); ok {
		y, ok := b.(json.Number)
		return ok && sameNumber(x, y)
	}
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	return err1 == nil && err2 == nil && x == y
}

// show writes a value for a message, cut to a readable length.
func show(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	s := strings.TrimSpace(b.String())
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}
