package run

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestFindFollowsAPointer(t *testing.T) {
	const doc = ` {"a": {"b" : [1, 2] , "c":"x"}, "~/": null, "": {"": 7}, "\u0065": "é", "a": "second", "n":[{"a":1}]} `
	for pointer, want := range map[string]string{
		"":        doc[1 : len(doc)-1],
		"/a":      `{"b" : [1, 2] , "c":"x"}`,
		"/a/b":    `[1, 2]`,
		"/a/c":    `"x"`,
		"/~0~1":   `null`,
		"/":       `{"": 7}`,
		"//":      `7`,
		"/e":      `"é"`,
		"/n":      `[{"a":1}]`,
		"/n/0":    "-",
		"/n/0/a":  "-",
		"/x":      "-",
		"/a/x":    "-",
		"/a/b/":   "-",
		"/a/c/d":  "-",
		"a":       "-",
		"type":    "-",
		"/~1":     "-",
		"/a/b/c/": "-",
	} {
		got := codec.Raw(doc).Find(pointer)
		if want == "-" && got != nil || want != "-" && string(got) != want {
			t.Errorf("%q: %s, want %s", pointer, got, want)
		}
		if cap(got) != len(got) {
			t.Errorf("%q: the value reaches into what follows", pointer)
		}
	}
	for _, doc := range []string{"", "{", `{"a":1`, `{"a":1} x`, `{"a":1,"b":}`, "{\"a\":1,\"b\":\"\xff\"}", `{"a":1{"b":2}`} {
		if got := codec.Raw(doc).Find("/a"); got != nil {
			t.Errorf("%q: %s", doc, got)
		}
	}
}

func TestModernize(t *testing.T) {
	move := func(from, path string) []PatchOp { return []PatchOp{{Op: "move", From: from, Path: path}} }
	add := func(path, value string) []PatchOp { return []PatchOp{{Op: "add", Path: path, Value: value}} }
	for _, row := range []struct {
		name  string
		rule  Legacy
		line  string
		want  string // "" where the rule does not apply
		patch []PatchOp
	}{
		{"add to the end", Legacy{}, `{"type":"t","a":1}`, `{"type":"t","a":1,"b":2}`, add("/b", "2")},
		{"add with spaces", Legacy{}, ` { "type" : "t" } `, ` { "type" : "t" ,"b":2} `, add("/b", "2")},
		{"add to an empty object", Legacy{}, `{"type":"t","a":{ }}`, `{"type":"t","a":{ "b":2}}`, add("/a/b", "2")},
		{"add replaces", Legacy{}, `{"type":"t","a": 1 ,"b":0}`, `{"type":"t","a": [2] ,"b":0}`, add("/a", "[2]")},
		{"add a name with escapes", Legacy{}, `{"type":"t"}`, `{"type":"t","~/\"":2}`, add("/~0~1\"", "2")},
		{"add where there is no object", Legacy{}, `{"type":"t","a":1}`, "", add("/a/b", "2")},
		{"add below nothing", Legacy{}, `{"type":"t"}`, "", add("/a/b", "2")},
		{"add with no pointer", Legacy{}, `{"type":"t"}`, "", add("a", "2")},
		{"move the first", Legacy{}, `{"a":1,"type":"t","c":{}}`, `{"type":"t","c":{"a":1}}`, move("/a", "/c/a")},
		{"move the first, spaces", Legacy{}, `{ "a" : 1 , "type":"t","c":{}}`, `{ "type":"t","c":{"a":1}}`, move("/a", "/c/a")},
		{"move from the middle", Legacy{}, `{"type":"t","a":[1, 2],"c":{"d":0}}`, `{"type":"t","c":{"d":0,"a":[1, 2]}}`, move("/a", "/c/a")},
		{"move from the middle, spaces", Legacy{}, `{"type":"t" , "a" : 1 , "c":{}}`, `{"type":"t" , "c":{"a":1}}`, move("/a", "/c/a")},
		{"move the last", Legacy{}, `{"type":"t","c":{},"a":1}`, `{"type":"t","c":{"a":1}}`, move("/a", "/c/a")},
		{"move the last, spaces", Legacy{}, `{"type":"t","c":{} , "a" : 1 }`, `{"type":"t","c":{"a":1} }`, move("/a", "/c/a")},
		{"move the only one", Legacy{}, `{"type":"t","c":{ "a":1 }}`, `{"type":"t","c":{},"a":1}`, move("/c/a", "/a")},
		{"move out to the whole", Legacy{}, `{"type":"t","m":{"type":"u"}}`, `{"type":"u"}`, move("/m", "")},
		{"move over another", Legacy{}, `{"type":"t","a":1,"b":2}`, `{"type":"t","b":1}`, move("/a", "/b")},
		{"move what is not there", Legacy{}, `{"type":"t","b":2}`, "", move("/a", "/b")},
		{"move into itself", Legacy{}, `{"type":"t","a":{}}`, "", move("/a", "/a/b")},
		{"move the whole", Legacy{}, `{"type":"t"}`, "", move("", "/a")},
		{"two steps", Legacy{}, `{"type":"t","content":"x"}`, `{"type":"t","message":{"role": "user","content":"x"}}`,
			append(add("/message", `{"role": "user"}`), move("/content", "/message/content")...)},
		{"another tag", Legacy{}, `{"type":"u"}`, "", add("/b", "2")},
		{"no tag", Legacy{}, `{"a":1}`, "", add("/b", "2")},
		{"no string for a tag", Legacy{}, `{"type":1}`, "", add("/b", "2")},
		{"the tag with escapes", Legacy{}, `{"type":"\u0074"}`, `{"type":"\u0074","b":2}`, add("/b", "2")},
		{"present", Legacy{Present: []string{"/a", "/c/d"}}, `{"type":"t","a":null,"c":{"d":1}}`, `{"type":"t","a":null,"c":{"d":1},"b":2}`, add("/b", "2")},
		{"not present", Legacy{Present: []string{"/a", "/c/d"}}, `{"type":"t","a":null,"c":{}}`, "", add("/b", "2")},
		{"absent", Legacy{Absent: []string{"/c/d"}}, `{"type":"t","c":{}}`, `{"type":"t","c":{},"b":2}`, add("/b", "2")},
		{"not absent", Legacy{Absent: []string{"/c/d"}}, `{"type":"t","c":{"d":null}}`, "", add("/b", "2")},
		{"broken", Legacy{}, `{"type":"t","a":}`, "", add("/b", "2")},
		{"more than one value", Legacy{}, `{"type":"t"}{}`, "", add("/b", "2")},
		{"no object", Legacy{}, `["type"]`, "", add("/b", "2")},
		{"nothing", Legacy{}, ``, "", add("/b", "2")},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.rule.Tag, row.rule.Patch = "t", row.patch
			line := []byte(row.line)
			got, ok := row.rule.Modernize(line)
			if ok != (row.want != "") || string(got) != row.want {
				t.Errorf("got %s, %v; want %s", got, ok, row.want)
			}
			if string(line) != row.line {
				t.Errorf("the line became %s", line)
			}
			if ok && !json.Valid(got) {
				t.Errorf("not JSON: %s", got)
			}
		})
	}
}

func TestModernizeMovesAnyMemberOfAnyObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "{"
		names := rapid.Permutation([]string{"type", "a", "b", "to"}).Draw(t, "order")
		for i, name := range names {
			value := map[string]string{"type": `"t"`, "to": "{}"}[name]
			if value == "" {
				value = jsontest.JSON(2).Draw(t, "value")
			}
			if i > 0 {
				text += ","
			}
			text += jsontest.Space.Draw(t, "space") + `"` + name + `"` + jsontest.Space.Draw(t, "space") + ":" + value + jsontest.Space.Draw(t, "space")
		}
		text += "}"
		want := membersOf(t, []byte(text))
		want["to"] = map[string]any{"x": want["a"]}
		delete(want, "a")
		rule := Legacy{Tag: "t", Patch: []PatchOp{{Op: "move", From: "/a", Path: "/to/x"}}}
		out, ok := rule.Modernize([]byte(text))
		if !ok {
			t.Fatalf("%s is not taken", text)
		}
		if diff := cmp.Diff(want, membersOf(t, out)); diff != "" {
			t.Fatalf("%s becomes %s:\n%s", text, out, diff)
		}
	})
}

// membersOf reads an object with encoding/json; numbers keep their text.
func membersOf(t rapid.TB, text []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func TestModernizeOfAnyTextIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := `{"type":"t","a":` + jsontest.Broken.Draw(t, "text") + `,"to":{}}`
		rule := Legacy{Tag: "t", Patch: []PatchOp{{Op: "move", From: "/a", Path: "/to/x"}}}
		if out, ok := rule.Modernize([]byte(text)); ok && !json.Valid(out) {
			t.Fatalf("%q becomes %q", text, out)
		}
	})
}
