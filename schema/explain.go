package schema

import (
	"cmp"
	"fmt"
	"maps"
	neturl "net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// explain turns the compiler's tree of failures into violations in our words, without offsets.
func (v *Validator) explain(failure *jsonschema.ValidationError, doc any) *Error {
	e := &Error{}
	v.collect(e, failure, doc)
	slices.SortFunc(e.Violations, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Detail, b.Detail))
	})
	e.Violations = slices.Compact(e.Violations)
	return e
}

// collect adds the violations of the leaves; what is above them only says that something below
// failed.
func (v *Validator) collect(e *Error, failure *jsonschema.ValidationError, doc any) {
	if len(failure.Causes) > 0 {
		for _, cause := range failure.Causes {
			v.collect(e, cause, doc)
		}
		return
	}
	at := percentDecode(failure.InstanceLocation)
	place := ownKeywords.Replace(strings.TrimPrefix(percentDecode(failure.AbsoluteKeywordLocation), Base))
	kind := codec.Invalid
	add := func(at, format string, args ...any) {
		if len(e.Violations) < MaxDeviations {
			d := codec.Deviation{Kind: kind, Path: at, Detail: fmt.Sprintf(format, args...)}
			e.Violations = append(e.Violations, Violation{d, place})
		}
	}
	keyword := place[strings.LastIndexByte(place, '/')+1:]
	node := v.set.byPlace[strings.TrimSuffix(strings.TrimSuffix(place, "/"+keyword), "#")]
	value := find(doc, at)
	if node == nil || keyword == "oneOf" {
		if _, isTag := value.(string); isTag && v.closed && node != nil && v.set.unions[node] != nil {
			kind = codec.UnknownTag
		}
		add(at, "%s", failure.Message)
		return
	}
	members, _ := value.(map[string]any)
	switch keyword {
	case "required":
		for _, name := range node.Required {
			if _, ok := members[name]; !ok && !(v.closed && v.set.legacy(node.Property(name).Node)) {
				add(at+"/"+jsontext.EscapePointer(name), "%s", missing(name))
			}
		}
	case "additionalProperties":
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if p := node.Property(name); p == nil {
				kind = codec.UnknownMember
				add(at+"/"+jsontext.EscapePointer(name), "%q", clip(name))
			} else if v.drops(p.Node) {
				kind = codec.LegacyShape
				add(at+"/"+jsontext.EscapePointer(name), "%q", clip(name))
			}
		}
	case "not":
		if node.NotEnum != nil {
			add(at, "got %s, which has a definition of its own", show(value))
		} else {
			name := node.NotRequired[len(node.NotRequired)-1]
			add(at+"/"+jsontext.EscapePointer(name), "member %q must not be here", name)
		}
	case "type":
		add(at, "%s", wrongKind(node, value))
	case "const":
		add(at, "got %s, want %s", show(value), show(node.Const))
	case "enum":
		if node.XEnum != nil {
			kind = codec.UnknownValue
		}
		add(at, "got %s, want %s", show(value), alternatives(values(node)))
	case "minimum", "maximum":
		add(at, "got a number outside the range of 64-bit integers")
	case "exclusiveMinimum", "exclusiveMaximum":
		add(at, "got a number outside the range of 64-bit floating point")
	default:
		add(at, "%s", failure.Message)
	}
}

// ownKeywords puts back the keywords of the files.
var ownKeywords = strings.NewReplacer(
	"/"+unionKeyword+"/arms/", "/oneOf/",
	"/"+itemsKeyword+"/", "/items/",
	"/"+valuesKeyword+"/", "/additionalProperties/",
)

func wrongKind(n *Node, value any) string {
	var want []string
	for _, t := range n.Types {
		want = append(want, article(t))
	}
	got := article(kindOf(value))
	if got == "a number" {
		got = "a fraction" // a whole number is of both types
		if !n.HasType("integer") {
			got = "a number"
		}
	}
	return fmt.Sprintf("got %s, want %s", got, alternatives(want))
}

func values(n *Node) (shown []string) {
	for _, v := range n.Enum {
		shown = append(shown, show(v))
	}
	for _, v := range n.XEnum {
		shown = append(shown, show(v))
	}
	return shown
}

// show writes a value for a message: scalars as they are, others by kind.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(clip(v))
	case bool:
		return strconv.FormatBool(v)
	default:
		return article(kindOf(v))
	}
}

// pathEscape writes a name as a segment of a pointer in the encoding of the compiler.
func pathEscape(name string) string { return neturl.PathEscape(jsontext.EscapePointer(name)) }

// percentDecode undoes the encoding of the compiler.
func percentDecode(s string) string {
	if plain, err := neturl.PathUnescape(s); err == nil {
		return strings.ReplaceAll(plain, "\xff", "")
	}
	return s
}

// find returns the value at a JSON pointer, nil if there is none.
func find(doc any, pointer string) any {
	for _, segment := range strings.Split(pointer, "/")[1:] {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[jsontext.UnescapePointer(segment)]
		case []any:
			i, err := strconv.Atoi(segment)
			if err != nil || i >= len(v) {
				return nil
			}
			doc = v[i]
		default:
			return nil
		}
	}
	return doc
}
