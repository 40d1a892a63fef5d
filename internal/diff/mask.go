package diff

import (
	"encoding/json"
	"hash/maphash"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An id is one that a peer made up. The scope is the name of its member if only that shows that it
// is an id: a task 1 is not the request 1.
type id struct{ scope, value string }

var (
	idForm = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|` +
		`\b(?:toolu|srvtoolu|msg|req)_[0-9A-Za-z_]+|\ba[0-9a-f]{16}\b|\b0[0-9a-z]{8}-[0-9a-f]{8}\b`)
	timeForm = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?`)
	idName   = regexp.MustCompile(`(?:_id|Id|ID|uuid|Uuid|UUID|_ids|Ids|uuids|Uuids)$|^signature$|^pid$|socket_path$`)
	timeName = regexp.MustCompile(`(?i)_ms$|[a-z]Ms$|_at$|[a-z]At$|timestamp$|^m?time$|_time$|[a-z]Time$|^ttft|seconds$|duration|^totalAPIDuration`)
	settings = regexp.MustCompile(`(?i)timeout|^model`) // what is set, not measured or made up
)

func isID(name string) bool   { return idName.MatchString(name) && !settings.MatchString(name) }
func isTime(name string) bool { return timeName.MatchString(name) && !settings.MatchString(name) }

// mask returns a text without ids and times, and the ids.
func mask(name, text string) (rest string, ids []id) {
	switch {
	case text == "":
		return "", nil
	case idForm.MatchString(text):
		rest = idForm.ReplaceAllStringFunc(text, func(found string) string {
			ids = append(ids, id{value: found})
			return "\x00id"
		})
	case isID(name):
		return "\x00id", []id{{strings.ToLower(strings.ReplaceAll(name, "_", "")), text}}
	default:
		rest = text
	}
	return timeForm.ReplaceAllString(rest, "\x00time"), ids
}

var seed = maphash.MakeSeed()

// digest returns a sum of what a line says without its ids and times, and its ids in the order of
// the names of members.
func digest(kind, text string) (uint64, []id) {
	var d digester
	d.hash.SetSeed(seed)
	d.write(kind)
	if v, ok := decode(text); ok {
		d.value("", v)
	} else {
		d.text("", text)
	}
	return d.hash.Sum64(), d.ids
}

// decode reads a JSON value; numbers stay as they are written.
func decode(text string) (v any, ok bool) {
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	return v, in.Decode(&v) == nil && !in.More()
}

type digester struct {
	hash maphash.Hash
	ids  []id
}

func (d *digester) write(s string) {
	d.hash.WriteString(s)
	d.hash.WriteByte(0)
}

func (d *digester) text(name, s string) {
	rest, ids := mask(name, s)
	d.ids = append(d.ids, ids...)
	d.write(rest)
}

func (d *digester) value(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		d.write("{")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			d.text("", key)
			d.value(key, v[key])
		}
	case []any:
		d.write("[")
		for _, e := range v {
			d.value(name, e)
		}
		d.write("]")
	case string:
		d.write(`"`)
		if isTime(name) {
			return
		}
		d.text(name, v)
	case json.Number:
		if isTime(name) {
			d.write("0")
			return
		}
		if isID(name) {
			d.text(name, v.String())
			return
		}
		d.write(v.String())
	case bool:
		d.write(map[bool]string{true: "true", false: "false"}[v])
	default:
		d.write("null")
	}
}
