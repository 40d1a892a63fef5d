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
)

// members returns the differences of two lines of the same kind.
func members(was, is string) []Difference {
	a, errA := decode(was)
	b, errB := decode(is)
	if errA != nil || errB != nil {
		return []Difference{{Path: "/", Was: short(was), Is: short(is)}}
	}
	var list []Difference
	compare("", a, b, &list)
	if len(list) == 0 && !reflect.DeepEqual(a, b) { // by chance, or by what is installed
		return nil
	}
	if len(list) == 0 { // the same members in another order or form
		list = []Difference{{Path: "/", Was: short(was), Is: short(is)}}
	}
	return list
}

func decode(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func compare(path string, a, b any, list *[]Difference) {
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
			case inA && inB && environment[name]:
			case !inB:
				*list = append(*list, Difference{Path: at, Was: text(was)})
			case !inA:
				*list = append(*list, Difference{Path: at, Is: text(is)})
			default:
				compare(at, was, is, list)
			}
		}
		return
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			compare(path+"/"+strconv.Itoa(i), x[i], y[i], list)
		}
		return
	}
	x, isText := a.(string)
	y, areTexts := b.(string)
	if isText && areTexts && settle(x) == settle(y) {
		return
	}
	if was, is := text(a), text(b); was != is {
		*list = append(*list, Difference{Path: path, Was: was, Is: is})
	}
}

// chance finds what differs from run to run inside texts: ids of background tasks and of jobs,
// commits, durations, dates.
var chance = regexp.MustCompile(`\b(?:[0-9a-f]{7,8}|b[0-9a-z]{8}|\d+(?:\.\d+)?m?s|\d{4}-\d\d-\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+|\d+:\d\d(?:am|pm))\b`)

// settle makes texts equal that differ by chance only.
func settle(text string) string { return chance.ReplaceAllString(text, "#") }

// environment are members that tell what is installed on the machine.
var environment = map[string]bool{"dependencies": true}

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
