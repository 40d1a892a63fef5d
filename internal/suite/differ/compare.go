package differ

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
)

// A Difference is one way in which what the simulated CLI shows is not what the real one shows.
type Difference struct {
	Kind      string // of the line: "result/success"
	Path      string // JSON pointer of the member; "" for the line as a whole
	Real      string // "" if it is not there
	Simulated string // "" if it is not there
	Prose     bool   // both are sentences that say the same facts

	line int // the number of the pair of lines that it is in
}

// String is the form that the list of known differences is matched with.
func (d Difference) String() string {
	real, simulated := d.Real, d.Simulated
	if real == "" {
		real = "absent"
	}
	if simulated == "" {
		simulated = "absent"
	}
	return strings.TrimSpace(d.Kind+" "+d.Path) + ": real " + real + "; simulated " + simulated
}

// compare returns how two sessions differ. mentions reports whether the session itself has a text;
// nil means that it has any.
func compare(real, simulated *view, mentions func(string) bool) (list []Difference) {
	c := comparison{mentions: mentions}
	channels := slices.Clone(real.names)
	for _, name := range simulated.names {
		if !slices.Contains(channels, name) {
			channels = append(channels, name)
		}
	}
	for _, name := range channels {
		a, b := real.channels[name], simulated.channels[name]
		for _, p := range pair(a, b) {
			c.line++
			switch {
			case p.b < 0:
				c.add(Difference{Kind: a[p.a].kind, Real: a[p.a].text})
			case p.a < 0:
				c.add(Difference{Kind: b[p.b].kind, Simulated: b[p.b].text})
			default:
				c.kind = a[p.a].kind
				c.members("", a[p.a].value, b[p.b].value)
			}
		}
	}
	return c.list
}

// comparison is what is known while two sessions are compared.
type comparison struct {
	mentions        func(string) bool
	line            int // the number of the pair of lines
	kind            string
	real, simulated map[string]string // ids, by that of the other
	list            []Difference
}

func (c *comparison) add(d Difference) {
	if d.Kind == "" {
		d.Kind = c.kind
	}
	d.line = c.line
	c.list = append(c.list, d)
}

// unordered are lists whose order means nothing to anybody.
var unordered = map[string]bool{
	"tools": true, "slash_commands": true, "skills": true, "agents": true, "commands": true, "mcp_servers": true, "plugins": true,
	"models": true, "available_output_styles": true, "output_styles": true, "capabilities": true, "memory_paths": true,
}

// members compares two values at a path.
func (c *comparison) members(path string, a, b any) {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			c.objects(path, x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			c.lists(path, x, y)
			return
		}
	case string:
		if y, ok := b.(string); ok {
			if !c.same(x, y) {
				c.add(Difference{Path: path, Real: textOf(a), Simulated: textOf(b), Prose: c.prose(path, x, y)})
			}
			return
		}
	}
	if x, y := textOf(a), textOf(b); x != y {
		c.add(Difference{Path: path, Real: x, Simulated: y})
	}
}

func (c *comparison) objects(path string, a, b map[string]any) {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		at := path + "/" + escaper.Replace(name)
		x, inA := a[name]
		y, inB := b[name]
		switch {
		case !inB:
			c.add(Difference{Path: at, Real: textOf(x)})
		case !inA:
			c.add(Difference{Path: at, Simulated: textOf(y)})
		default:
			c.members(at, x, y)
		}
	}
}

// lists compares lists: those that are sets by their elements, which are texts or have a name.
func (c *comparison) lists(path string, a, b []any) {
	if unordered[path[strings.LastIndexByte(path, '/')+1:]] {
		x, y := byName(a), byName(b)
		if x != nil && y != nil {
			c.sets(path, x, y)
			return
		}
	}
	if len(a) != len(b) {
		c.add(Difference{Path: path, Real: textOf(a), Simulated: textOf(b)})
		return
	}
	for i := range a {
		c.members(path+"/"+strconv.Itoa(i), a[i], b[i])
	}
}

// sets compares lists whose order means nothing: what one has alone is one difference.
func (c *comparison) sets(path string, a, b map[string]any) {
	var real, simulated []string
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if y, ok := b[name]; ok {
			c.members(path+"/"+escaper.Replace(name), a[name], y)
		} else {
			real = append(real, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[name]; !ok {
			simulated = append(simulated, name)
		}
	}
	if len(real)+len(simulated) > 0 {
		c.add(Difference{Path: path, Real: "alone has " + strings.Join(real, " "), Simulated: "alone has " + strings.Join(simulated, " ")})
	}
}

// byName returns the elements of a list by their names, nil if one has none or two have the same.
func byName(list []any) map[string]any {
	out := map[string]any{}
	for _, e := range list {
		name, ok := e.(string)
		if o, is := e.(map[string]any); is {
			for _, member := range []string{"name", "value", "path"} {
				if name, ok = o[member].(string); ok {
					break
				}
			}
		}
		if _, twice := out[name]; !ok || twice {
			return nil
		}
		out[name] = e
	}
	return out
}

// chance finds what differs from run to run inside texts: commits, durations, dates.
var chance = regexp.MustCompile(`\b(?:[0-9a-f]{7,8}|b[0-9a-z]{8}|\d+(?:\.\d+)?m?s|\d{4}-\d\d-\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+|\d+:\d\d(?::\d\d)?(?: ?[ap]m)?)\b`)

// same reports whether two texts are equal but for ids, and the ids are those that were paired
// before, or both new.
func (c *comparison) same(a, b string) bool {
	restA, idsA := recording.CutIDs(a)
	restB, idsB := recording.CutIDs(b)
	if len(idsA) != len(idsB) || restA != restB && chance.ReplaceAllString(restA, "#") != chance.ReplaceAllString(restB, "#") {
		return false
	}
	if c.real == nil {
		c.real, c.simulated = map[string]string{}, map[string]string{}
	}
	for i := range idsA {
		x, seenA := c.simulated[idsA[i]]
		y, seenB := c.real[idsB[i]]
		switch {
		case !seenA && !seenB:
			c.simulated[idsA[i]], c.real[idsB[i]] = idsB[i], idsA[i]
		case x != idsB[i] || y != idsA[i]:
			return false
		}
	}
	return true
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// pairing is a line of each session; -1 where one has none.
type pairing struct{ a, b int }

// pair pairs the lines of the same kind, in their order, as many as it can, and equal ones first.
func pair(a, b []line) (list []pairing) {
	const same, alike = 3, 2
	masked := func(lines []line) (out []string) {
		for i := range lines {
			text, _ := recording.CutIDs(lines[i].text)
			out = append(out, text)
		}
		return out
	}
	textA, textB := masked(a), masked(b)
	weight := func(i, j int) int {
		switch {
		case a[i].kind != b[j].kind || a[i].about != b[j].about:
			return 0
		case textA[i] == textB[j]:
			return same
		}
		return alike
	}
	// common[i][j] is the weight of the best pairs of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if w := weight(i, j); w > 0 {
				common[i][j] = max(common[i][j], w+common[i+1][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && weight(i, j) > 0 && common[i][j] == weight(i, j)+common[i+1][j+1]:
			list = append(list, pairing{i, j})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			list = append(list, pairing{i, -1})
			i++
		default:
			list = append(list, pairing{-1, j})
			j++
		}
	}
	return list
}

// short cuts a text for a message.
func short(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + fmt.Sprintf("… (%d bytes)", len(text))
}
