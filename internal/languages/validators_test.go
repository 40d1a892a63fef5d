//go:build languages

package languages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/workshop"
	"github.com/ccwire/ccwire/schema"
)

// A brokenLine is a line with one mistake.
type brokenLine struct {
	At   string `json:"at"`   // what it is
	Text string `json:"text"` // the line
	Want string `json:"want"` // the JSON pointer of the mistake
}

// mistakes are lines whose mistake is in a tag, or far from one.
var mistakes = []brokenLine{
	{"a list", `[]`, ""},
	{"no type", `{"request_id":"1"}`, "/type"},
	{"a type that is not a string", `{"type":7}`, "/type"},
	{"a request without a subtype", `{"type":"control_request","request_id":"1","request":{}}`, "/request/subtype"},
	{"a request that is a string", `{"type":"control_request","request_id":"1","request":"interrupt"}`, "/request"},
	{"a system line without a subtype", `{"type":"system"}`, "/subtype"},
	{"a block without its text", `{"type":"user","message":{"role":"user","content":[{"type":"text"}]}}`, "/message/content/0/text"},
	{"a block without a type", `{"type":"user","message":{"role":"user","content":["hi"]}}`, "/message/content/0"},
	{"a list of blocks in a result", `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":1}]}]}}`, "/message/content/0/content/0/text"},
	{"the input of a hook", `{"type":"control_request","request_id":"1","request":{"subtype":"hook_callback","callback_id":"c","input":{"hook_event_name":"PreToolUse"}}}`, "/request/input/tool_name"},
}

// broken returns the lines: the mistakes, and what the definitions of lines and of requests reject,
// but for other tags, which other definitions have.
func broken(t testing.TB) (list []brokenLine) {
	t.Helper()
	list = append(list, mistakes...)
	add := func(union, at, format string) {
		u, ok := schema.Default().Union(schema.Default().Lookup(union).Node)
		if !ok {
			t.Fatalf("%s is not a union", union)
		}
		for _, arm := range u.Arms {
			if arm.Unknown || arm.Legacy {
				continue
			}
			for _, r := range arm.Definition.Rejects {
				if r.At == "" || strings.HasSuffix(r.At, "/type") || strings.HasSuffix(r.At, "/subtype") {
					continue
				}
				var text bytes.Buffer
				if err := json.Compact(&text, fmt.Appendf(nil, format, r.Value)); err != nil {
					t.Fatal(err)
				}
				list = append(list, brokenLine{arm.Definition.Name() + ": " + r.Why, text.String(), at + r.At})
			}
		}
	}
	add(schema.Either.Definition(), "", "%s")
	add("envelope/control_request.json#/$defs/Request", "/request", `{"type":"control_request","request_id":"1","request":%s}`)
	if len(list) < 150 {
		t.Errorf("%d broken lines, want 150 or more", len(list))
	}
	return list
}

// validators writes what validators read and returns the files.
func (b *bench) validators() (bundle, lines, bad string) {
	b.t.Helper()
	text, err := schema.Default().Bundle(schema.BundleOptions{})
	if err != nil {
		b.t.Fatal(err)
	}
	dir := filepath.Dir(b.samples)
	bundle, lines, bad = filepath.Join(dir, "validation.json"), filepath.Join(dir, "lines.ndjson"), filepath.Join(dir, "broken.ndjson")
	workshop.Write(b.t, bundle, text)
	good := slices.DeleteFunc(samples(b.t), func(s sample) bool { return !strings.HasPrefix(s.Type, "From") })
	workshop.Write(b.t, lines, ndjson(b.t, good))
	workshop.Write(b.t, bad, ndjson(b.t, broken(b.t)))
	return bundle, lines, bad
}

func TestAjvNeedsNoOptionsAndItsFirstErrorIsTheOneThatMatters(t *testing.T) {
	b := newBench(t)
	bundle, lines, bad := b.validators()
	b.judge(workshop.Run(t, workshop.Node(t, "node"), "node", "ajv.mjs", bundle, lines, bad), nil)
}

func TestPythonJSONSchemaNeedsNoOptionsAndItsBestMatchIsTheOneThatMatters(t *testing.T) {
	b := newBench(t)
	bundle, lines, bad := b.validators()
	b.judge(workshop.Run(t, workshop.Python(t, "python"), "bin/python", "validate.py", bundle, lines, bad), nil)
}

// ndjson writes values one to a line.
func ndjson[T any](t testing.TB, values []T) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return text.Bytes()
}
