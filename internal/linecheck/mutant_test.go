package linecheck_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// A reply is an answer in a recording, with the definition of its body.
type reply struct {
	entries    []recording.Entry
	asked      int // the index of the entry with the request
	index      int // of the entry with the answer
	definition string
	call       bool // it answers a JSON-RPC request
	body       []byte
}

// A mutant is a change of a body that its definition forbids.
type mutant struct {
	path  string
	what  string
	apply func() any // returns the body
}

// mutants lists the changes that a definition forbids in the place of a value. It reads the
// keywords of the schemas and asks neither a validator nor a decoder.
type mutants struct {
	set  *schema.Set
	call bool
	list []mutant
}

// jsonKinds has a value of each kind.
var jsonKinds = map[string]any{
	"string": "x", "number": json.Number("5"), "boolean": true, "null": nil, "array": []any{}, "object": map[string]any{},
}

// kinds returns the kinds of values that n allows; nil means all.
func (m *mutants) kinds(n *schema.Node) map[string]bool {
	n = m.set.Resolve(n)
	out := map[string]bool{}
	switch {
	case n.HasConst || n.Enum != nil:
		out["string"] = true
	case n.OneOf != nil:
		for _, arm := range m.arms(n) {
			inner := m.kinds(arm)
			if inner == nil {
				return nil
			}
			maps.Copy(out, inner)
		}
	case n.Types == nil:
		return nil
	}
	for _, t := range n.Types {
		if t == "integer" {
			t = "number"
		}
		out[t] = true
	}
	return out
}

// arms returns the arms that the closed form has.
func (m *mutants) arms(n *schema.Node) (arms []*schema.Node) {
	for _, arm := range n.OneOf {
		if r := m.set.Resolve(arm); !arm.Legacy() && !r.Legacy() && !r.Unknown {
			arms = append(arms, arm)
		}
	}
	return arms
}

// add lists the mutants of v, an instance of n. Put returns the body with another value in its
// place.
func (m *mutants) add(n *schema.Node, v any, at string, put func(v any) any) {
	n = m.set.Resolve(n)
	if allowed := m.kinds(n); allowed != nil {
		for _, kind := range slices.Sorted(maps.Keys(jsonKinds)) {
			if !allowed[kind] {
				m.list = append(m.list, mutant{at, "is of the kind " + kind, func() any { return put(jsonKinds[kind]) }})
			}
		}
	}
	if _, ok := v.(string); ok && (n.HasConst || n.Enum != nil || n.XEnum != nil && !n.Partial) {
		m.list = append(m.list, mutant{at, "is unknown", func() any { return put("x_no_such_value") }})
	}
	if n.Content != nil && m.call {
		m.add(n.Content, v, at, put)
	}
	if n.Opaque {
		return
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			if n.Items != nil {
				m.add(n.Items, v[i], at+"/"+strconv.Itoa(i), func(w any) any {
					list := slices.Clone(v)
					list[i] = w
					return put(list)
				})
			}
		}
	case map[string]any:
		m.object(n, v, at, put)
	}
}

func (m *mutants) object(n *schema.Node, v map[string]any, at string, put func(v any) any) {
	if n.OneOf != nil {
		var fit []*schema.Node
		for _, arm := range m.arms(n) {
			if r := m.set.Resolve(arm); r.HasType("object") && tagged(m.set, r, v) {
				fit = append(fit, arm)
			}
		}
		if len(fit) == 1 {
			m.object(m.set.Resolve(fit[0]), v, at, put)
		}
		return
	}
	inside := func(name string) string {
		return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	for _, name := range n.Required {
		m.list = append(m.list, mutant{inside(name), "is gone", func() any {
			rest := maps.Clone(v)
			delete(rest, name)
			return put(rest)
		}})
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		inner := n.AdditionalProperties
		if p := n.Property(name); p != nil && !p.Legacy() {
			inner = p.Node
		}
		if inner != nil {
			m.add(inner, v[name], inside(name), func(w any) any {
				other := maps.Clone(v)
				other[name] = w
				return put(other)
			})
		}
	}
}

// tagged reports whether v has the constants of an arm.
func tagged(set *schema.Set, arm *schema.Node, v map[string]any) bool {
	for _, p := range arm.Properties {
		if c := set.Resolve(p.Node); c.HasConst && v[p.Name] != c.Const {
			return false
		}
	}
	return true
}

// mutantsOf returns the mutants of a body.
func mutantsOf(t testing.TB, r *reply) []mutant {
	t.Helper()
	m := mutants{set: schema.Default(), call: r.call}
	m.add(m.set.Lookup(r.definition).Node, parse(t, r.body), "", func(v any) any { return v })
	return m.list
}

func parse(t testing.TB, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// with returns the recording with another body.
func (r *reply) with(t testing.TB, body any) string {
	t.Helper()
	frame := parse(t, []byte(r.entries[r.index].Line))
	frame.(map[string]any)["response"].(map[string]any)["response"] = body
	line, err := json.Marshal(frame)
	if err != nil {
		t.Fatal(err)
	}
	entries := slices.Clone(r.entries)
	entries[r.index].Line = string(line)
	return recorded(t, entries...)
}

// replies returns answers by what they answer: the subtype of a request, or "output of" and the
// event of a hook whose output they have. They are those of the recordings, and the schemas' own
// examples.
func replies(t testing.TB) map[string][]*reply {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	c := corpusOfReplies{replies: map[string][]*reply{}, seen: map[string]bool{}}
	for _, s := range sessions {
		c.session(t, s.Entries)
	}
	for _, group := range []string{"can_use_tool", "hook_callback", "initialize", "mcp_message", "output of PreToolUse"} {
		if len(c.replies[group]) < 5 {
			t.Errorf("the recordings have %d answers: %s", len(c.replies[group]), group)
		}
	}
	set := schema.Default()
	for _, d := range set.Definitions() {
		folder, name := path.Split(strings.TrimSuffix(d.File, ".json"))
		first := func(pointer string) string { return string(set.Lookup(d.File + "#/$defs/" + pointer).Examples[0]) }
		switch {
		case folder == "control/" && d.Pointer == "/$defs/Response":
			for _, body := range d.Examples {
				c.example(t, first("Request"), string(body))
			}
			c.wanted = append(c.wanted, name)
		case folder == "hook/" && d.Pointer == "/$defs/Output":
			for _, output := range d.Examples {
				request := fmt.Sprintf(`{"subtype":"hook_callback","callback_id":"h","input":%s}`, first("Input"))
				c.example(t, request, fmt.Sprintf(`{"hookSpecificOutput":%s}`, output))
			}
			c.wanted = append(c.wanted, "output of "+name)
		}
	}
	for _, group := range c.wanted {
		if len(c.replies[group]) == 0 {
			t.Errorf("there is no answer: %s", group)
		}
	}
	return c.replies
}

type corpusOfReplies struct {
	replies map[string][]*reply
	seen    map[string]bool // what they hold
	wanted  []string
}

func (c *corpusOfReplies) example(t testing.TB, request, body string) {
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(ask("1", request))); err != nil {
		t.Fatal(err)
	}
	asker, answerer := recording.ToCLI, recording.ToSDK
	if r := parse(t, []byte(request)).(map[string]any); schema.Default().Lookup(fmt.Sprintf("control/%s.json#/$defs/Request", r["subtype"])).Direction != "sdk-to-cli" {
		asker, answerer = answerer, asker
	}
	c.session(t, []recording.Entry{{Dir: asker, Line: line.String()}, {Dir: answerer, Line: answer("1", body)}})
}

// session adds the answers of a session whose requests have one id each.
func (c *corpusOfReplies) session(t testing.TB, entries []recording.Entry) {
	t.Helper()
	type frame struct {
		Type      string
		RequestID string `json:"request_id"`
		Request   struct {
			Subtype string
			Input   struct {
				Event string `json:"hook_event_name"`
			}
			Message json.RawMessage
		}
		Response struct {
			Subtype   string
			RequestID string `json:"request_id"`
			Response  json.RawMessage
		}
	}
	requests, indexes := map[string]frame{}, map[string]int{}
	for i, e := range entries {
		var f frame
		if e.Dir != recording.ToCLI && e.Dir != recording.ToSDK || json.Unmarshal([]byte(e.Line), &f) != nil {
			continue
		}
		if f.Type == "control_request" {
			if _, again := requests[f.RequestID]; again {
				return
			}
			requests[f.RequestID] = f
			indexes[f.RequestID] = i
		}
		asked, ok := requests[f.Response.RequestID]
		if f.Type != "control_response" || !ok || f.Response.Subtype != "success" || f.Response.Response == nil {
			continue
		}
		r := &reply{entries: entries, asked: indexes[f.Response.RequestID], index: i, body: f.Response.Response}
		d := schema.Default().Response(asked.Request.Subtype)
		if d == nil {
			continue
		}
		r.definition = d.Name()
		var message struct{ ID, Method json.RawMessage }
		r.call = json.Unmarshal(asked.Request.Message, &message) == nil && message.ID != nil && message.Method != nil
		c.add(asked.Request.Subtype, r)
		if event := asked.Request.Input.Event; bytes.Contains(r.body, []byte(`"hookSpecificOutput"`)) {
			c.add("output of "+event, r)
		}
	}
}

// add adds an answer, unless there is one like it.
func (c *corpusOfReplies) add(group string, r *reply) {
	if key := group + string(r.body); !c.seen[key] {
		c.seen[key] = true
		c.replies[group] = append(c.replies[group], r)
	}
}

func TestEveryMutantOfAnAnswerIsFound(t *testing.T) {
	groups := replies(t)
	for i, group := range slices.Sorted(maps.Keys(groups)) {
		list := groups[group]
		t.Run(group, func(t *testing.T) {
			if testing.Short() && i%16 != 0 {
				t.Skip("a part of them is enough here; make test-all runs them all")
			}
			t.Parallel()
			known := map[*reply][]mutant{}
			for _, r := range list {
				all := mutantsOf(t, r)
				if strings.HasPrefix(group, "output of ") {
					all = slices.DeleteFunc(all, func(m mutant) bool { return !strings.HasPrefix(m.path, "/hookSpecificOutput/") })
				}
				known[r] = all
			}
			list := slices.DeleteFunc(slices.Clone(list), func(r *reply) bool { return len(known[r]) == 0 })
			if len(list) == 0 {
				t.Fatal("no mutants")
			}
			rapid.Check(t, func(rt *rapid.T) {
				r := list[rapid.IntRange(0, len(list)-1).Draw(rt, "answer")]
				m := known[r][rapid.IntRange(0, len(known[r])-1).Draw(rt, "mutant")]
				lint := rapid.Bool().Draw(rt, "lint")
				input := r.with(t, m.apply())
				if !found(t, lint, input, r.index+1, m.path) {
					rt.Fatalf("lint %v: %s %s is not found: %s", lint, m.path, m.what, strings.Split(input, "\n")[r.index])
				}
			})
		})
	}
}

// found reports whether there is a finding in the body of an answer that is about the path.
func found(t testing.TB, lint bool, input string, line int, at string) bool {
	t.Helper()
	list, _ := findings(t, lint, input, 0)
	for _, f := range list {
		inBody, ok := strings.CutPrefix(f.Path, "/response/response")
		if ok && f.Line == line && (strings.HasPrefix(inBody+"/", at+"/") || strings.HasPrefix(at+"/", inBody+"/")) {
			return true
		}
	}
	return false
}
