package baseline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// members returns the differences of two items of the same kind.
func (c *comparison) members(was, is *item) []Difference {
	a, errA := decode(was.text)
	b, errB := decode(is.text)
	if errA != nil || errB != nil {
		if was.text == is.text {
			return nil
		}
		return []Difference{{Path: "/", Was: short(was.text), Is: short(is.text)}}
	}
	m := memberwise{comparison: c, kind: was.kind}
	m.compare("", a, b)
	if len(m.list) == 0 && was.masked != is.masked && sameValue(was.masked, is.masked) { // the same members in another order or form
		return []Difference{{Path: "/", Was: short(was.text), Is: short(is.text)}}
	}
	return m.list
}

func sameValue(a, b string) bool {
	x, errX := decode(a)
	y, errY := decode(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func decode(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// memberwise compares two lines of a kind.
type memberwise struct {
	*comparison
	kind string
	list []Difference
}

func (m *memberwise) add(d Difference) {
	if !scenario.MemberVaries(m.varies, m.kind, d.Path) {
		m.list = append(m.list, d)
	}
}

func (m *memberwise) compare(path string, a, b any) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		names := slices.Collect(maps.Keys(x))
		for name := range y {
			if _, ok := x[name]; !ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			at := path + "/" + escaper.Replace(name)
			was, inA := x[name]
			is, inB := y[name]
			switch {
			case inA && inB && (environment[name] || estimates[name] && near(was, is)):
			case !inB:
				m.add(Difference{Path: at, Was: text(was)})
			case !inA:
				m.add(Difference{Path: at, Is: text(is)})
			default:
				m.compare(at, was, is)
			}
		}
		return
	case []any:
		y, ok := b.([]any)
		if ok && m.byName && m.named(path, x, y) {
			return
		}
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			m.compare(path+"/"+strconv.Itoa(i), x[i], y[i])
		}
		return
	}
	x, isText := a.(string)
	y, areTexts := b.(string)
	if isText && areTexts {
		if !m.ids.same(x, y) {
			m.add(Difference{Path: path, Was: text(a), Is: text(b)})
		}
		return
	}
	if !reflect.DeepEqual(a, b) {
		m.add(Difference{Path: path, Was: text(a), Is: text(b)})
	}
}

// chance finds what differs from run to run inside texts: ids of background tasks and of jobs,
// commits, durations, dates.
var chance = regexp.MustCompile(`\b(?:[0-9a-f]{7,8}|b[0-9a-z]{8}|\d+(?:\.\d+)?m?s|\d{4}-\d\d-\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+|\d+:\d\d(?:am|pm))\b`)

// settle makes texts equal that differ by chance only.
func settle(text string) string { return chance.ReplaceAllString(text, "#") }

// environment are members that tell what is installed on the machine.
var environment = map[string]bool{"dependencies": true}

// estimates are members with a number that the CLI makes of the length of texts, paths among them.
var estimates = map[string]bool{"post_tokens": true, "cumulative_dropped_tokens": true}

// near reports whether two numbers differ by less than the paths of two machines.
func near(a, b any) bool {
	const most = 100
	x, okX := a.(json.Number)
	y, okY := b.(json.Number)
	if !okX || !okY {
		return false
	}
	n, errN := x.Int64()
	m, errM := y.Int64()
	return errN == nil && errM == nil && max(n-m, m-n) <= most
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func text(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v) // never: it was decoded
	}
	return short(strings.TrimSuffix(b.String(), "\n"))
}

// short cuts a text for a message.
func short(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
