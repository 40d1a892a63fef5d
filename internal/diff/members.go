package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Member is one that differs.
type Member struct {
	Path string `json:"path"`          // JSON pointer, "" for the line as a whole
	Was  string `json:"was,omitempty"` // as JSON; "" if it is not there
	Is   string `json:"is,omitempty"`
	ID   bool   `json:"id,omitempty"` // the text is the same, and it means another than before
}

// ids are the ids of two recordings that stand for each other.
type ids struct{ is, was map[id]id }

// same reports whether ids stand for each other, or are both new. If not, they do from now on: one
// that is another is told once.
func (d *ids) same(a, b []id) bool {
	if len(a) != len(b) {
		return false
	}
	if d.is == nil {
		d.is, d.was = map[id]id{}, map[id]id{}
	}
	same := true
	for i := range a {
		x, seenA := d.is[a[i]]
		y, seenB := d.was[b[i]]
		if seenA && x != b[i] || seenB && y != a[i] {
			same = false
			delete(d.was, x)
			delete(d.is, y)
		}
		d.is[a[i]], d.was[b[i]] = b[i], a[i]
	}
	return same
}

// known is same without a memory of what it is told.
func (d *ids) known(a, b []id) bool {
	for i := range a {
		x, seenA := d.is[a[i]]
		y, seenB := d.was[b[i]]
		if seenA && x != b[i] || seenB && y != a[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// members returns how two items of a kind differ.
func (d *ids) members(a, b *item) []Member {
	if a.sum == b.sum && d.known(a.ids, b.ids) {
		d.same(a.ids, b.ids)
		return nil
	}
	m := memberwise{ids: d}
	x, okA := decode(a.text)
	y, okB := decode(b.text)
	switch {
	case okA && okB:
		m.value("", "", x, y)
	case okA || okB:
		m.list = append(m.list, Member{Was: short(a.text), Is: short(b.text)})
	default:
		m.texts("", "", a.text, b.text)
	}
	return m.list
}

type memberwise struct {
	*ids
	list []Member
}

func (m *memberwise) add(path string, was, is any) {
	m.list = append(m.list, Member{Path: path, Was: inJSON(was), Is: inJSON(is)})
}

func (m *memberwise) value(path, name string, a, b any) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			m.objects(path, x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			m.lists(path, name, x, y)
			return
		}
	case string:
		if y, ok := b.(string); ok {
			if !isTime(name) {
				m.texts(path, name, x, y)
			}
			return
		}
	case json.Number:
		if y, ok := b.(json.Number); ok && (x == y || isTime(name)) {
			return
		} else if ok && isID(name) {
			m.texts(path, name, x.String(), y.String())
			return
		}
	default:
		if a == b {
			return
		}
	}
	m.add(path, a, b)
}

func (m *memberwise) texts(path, name, a, b string) {
	restA, idsA := mask(name, a)
	restB, idsB := mask(name, b)
	switch {
	case restA != restB:
		m.add(path, cutSame(a, b), cutSame(b, a))
	case !m.same(idsA, idsB):
		m.list = append(m.list, Member{Path: path, Was: inJSON(a), Is: inJSON(b), ID: true})
	}
}

// objects compares objects. A name that is an id is that of the other whose place it has.
func (m *memberwise) objects(path string, a, b map[string]any) {
	masked := map[string]string{}
	for name := range b {
		if _, there := a[name]; !there {
			if rest, ids := mask("", name); len(ids) > 0 {
				masked[rest] = name
			}
		}
	}
	taken := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		at := path + "/" + escaper.Replace(name)
		is, there := b[name]
		if !there {
			rest, _ := mask("", name)
			if other, ok := masked[rest]; ok && !taken[other] {
				taken[other] = true
				m.value(at, other, a[name], b[other])
				continue
			}
			m.add(at, a[name], missing{})
			continue
		}
		m.value(at, name, a[name], is)
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, there := a[name]; !there && !taken[name] {
			m.add(path+"/"+escaper.Replace(name), missing{}, b[name])
		}
	}
}

// lists compares lists. What one has more is where the elements before and after it end to be the
// same.
func (m *memberwise) lists(path, name string, a, b []any) {
	at := func(i int) string { return path + "/" + strconv.Itoa(i) }
	if len(a) != len(b) {
		head, tail := 0, 0
		for head < min(len(a), len(b)) && equal(name, a[head], b[head]) {
			head++
		}
		for tail < min(len(a), len(b))-head && equal(name, a[len(a)-1-tail], b[len(b)-1-tail]) {
			tail++
		}
		both := min(len(a), len(b)) - tail // those between are compared in their order
		for i := head; i < len(a)-tail || i < len(b)-tail; i++ {
			switch {
			case i < both:
				m.value(at(i), name, a[i], b[i])
			case i < len(a)-tail:
				m.add(at(i), a[i], missing{})
			default:
				m.add(at(i), missing{}, b[i])
			}
		}
		return
	}
	for i := range a {
		m.value(at(i), name, a[i], b[i])
	}
}

// equal reports whether two values are the same but for ids and times.
func equal(name string, a, b any) bool {
	m := memberwise{ids: new(ids)}
	m.value("", name, a, b)
	return len(m.list) == 0
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// missing is the value of a member that is not there.
type missing struct{}

func inJSON(v any) string {
	if v == (missing{}) {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v) // never: it was decoded
	}
	return short(strings.TrimSuffix(b.String(), "\n"))
}

// How much is shown of a value, and of what is the same before the place where long texts differ.
const (
	limit  = 240
	before = 40
)

// cutSame leaves out the long start that a text has in common with another.
func cutSame(text, other string) string {
	n := 0
	for n < min(len(text), len(other)) && text[n] == other[n] {
		n++
	}
	if n < limit/2 {
		return text
	}
	n -= before
	return "…" + strings.ToValidUTF8(text[n:], "")
}

func short(text string) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
