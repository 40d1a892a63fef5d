package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestFindFollowsAPointer(t *testing.T) {
	const text = ` {"a": {"b" : [1, 2] , "c":"x"}, "~/": null, "": {"": 7}, "\u0065": "é", "a": "second", "n":[{"a":1}]} `
	for pointer, want := range map[string]struct{ value, before string }{
		"":        {text[1 : len(text)-1], text[1:]},
		"/a":      {`{"b" : [1, 2] , "c":"x"}`, `{"a": {"b"`},
		"/a/b":    {`[1, 2]`, `{"b" `},
		"/a/c":    {`"x"`, ` , "c"`},
		"/~0~1":   {`null`, `, "~/"`},
		"/":       {`{"": 7}`, `, "": {`},
		"//":      {`7`, `{"": 7`},
		"/e":      {`"é"`, `, "\u0065"`},
		"/n":      {`[{"a":1}]`, `, "n"`},
		"/n/0":    {},
		"/n/0/a":  {},
		"/x":      {},
		"/a/x":    {},
		"/a/b/":   {},
		"/a/c/d":  {},
		"a":       {},
		"/~1":     {},
		"/a/b/c/": {},
	} {
		at, ok := Find([]byte(text), pointer)
		if ok != (want.value != "") {
			t.Errorf("%q: %v, %v", pointer, at, ok)
			continue
		}
		if got := text[at.Start:at.End]; got != want.value {
			t.Errorf("%q: %s, want %s", pointer, got, want.value)
		}
		if !strings.HasPrefix(text[at.Before:], want.before) {
			t.Errorf("%q: before it is %s, want %s", pointer, text[at.Before:], want.before)
		}
	}
	for _, text := range []string{"", "{", `{"a":1`, `{"a":1} x`, `{"a":1,"b":}`, "{\"a\":1,\"b\":\"\xff\"}", `{"a":1{"b":2}`, `["a"]`, `1`} {
		if at, ok := Find([]byte(text), "/a"); ok {
			t.Errorf("%q: %v", text, at)
		}
	}
}

func TestEditReplacesAddsAndRemoves(t *testing.T) {
	for _, row := range []struct{ text, pointer, value, want string }{ // no value: remove; no want: nil
		{`{"a":1}`, "", `[]`, `[]`},
		{`{"a": 1 ,"b":2}`, "/a", `[0]`, `{"a": [0] ,"b":2}`},
		{`{"a":{"b":1}}`, "/a/b", `2`, `{"a":{"b":2}}`},
		{`{"a":1}`, "/b", `2`, `{"a":1,"b":2}`},
		{` { "a" : 1 } `, "/b", `2`, ` { "a" : 1 ,"b":2} `},
		{`{}`, "/b", `2`, `{"b":2}`},
		{`{ }`, "/b", `2`, `{ "b":2}`},
		{`{"a":{}}`, "/a/~0~1\"", `2`, `{"a":{"~/\"":2}}`},
		{`{"a":1}`, "/a/b", `2`, ``},
		{`{"a":[]}`, "/a/0", `2`, ``},
		{`{}`, "/a/b", `2`, ``},
		{`{}`, "a", `2`, ``},
		{`{}`, "/\xff", `2`, ``},
		{`{`, "/a", `2`, ``},
		{`{"a":1,"b":2,"c":3}`, "/a", ``, `{"b":2,"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "/b", ``, `{"a":1,"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "/c", ``, `{"a":1,"b":2}`},
		{`{ "a" : 1 , "b":2}`, "/a", ``, `{ "b":2}`},
		{`{"a":1 , "b" : 2 }`, "/b", ``, `{"a":1 }`},
		{`{"a":{ "b":1 }}`, "/a/b", ``, `{"a":{}}`},
		{`{"a":1}`, "/b", ``, `{"a":1}`},
	} {
		var value []byte
		if row.value != "" {
			value = []byte(row.value)
		}
		text := []byte(row.text)
		got := Edit(text, row.pointer, value)
		if string(got) != row.want || (got == nil) != (row.want == "") {
			t.Errorf("%s, %q becomes %q: %s, want %s", row.text, row.pointer, row.value, got, row.want)
		}
		if string(text) != row.text {
			t.Errorf("%s became %s", row.text, text)
		}
	}
}

func TestEditOfAnyObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := []string{}
		for _, name := range rapid.Permutation([]string{"a", "b", "to"}).Draw(t, "order") {
			space := func() string { return jsontest.Space.Draw(t, "space") }
			members = append(members, space()+`"`+name+`"`+space()+":"+jsontest.JSON(2).Draw(t, "value"))
		}
		text := "{" + strings.Join(members, ",") + "}"
		pointer := rapid.SampledFrom([]string{"/a", "/b", "/to", "/new"}).Draw(t, "pointer")
		var value []byte
		if rapid.Bool().Draw(t, "set") {
			value = []byte(`"set"`)
		}
		want := objectOf(t, []byte(text))
		if value != nil {
			want[pointer[1:]] = "set"
		} else {
			delete(want, pointer[1:])
		}
		got := Edit([]byte(text), pointer, value)
		if diff := cmp.Diff(want, objectOf(t, got)); diff != "" {
			t.Fatalf("%s, %s set to %q, becomes %s:\n%s", text, pointer, value, got, diff)
		}
	})
}

// objectOf reads an object with encoding/json; numbers keep their text.
func objectOf(t rapid.TB, text []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func TestPointersAreEscapedAndBack(t *testing.T) {
	for name, step := range map[string]string{"": "", "a": "a", "a/b": "a~1b", "~": "~0", "~1": "~01", "~0/": "~00~1", "é~": "é~0"} {
		if got := EscapePointer(name); got != step {
			t.Errorf("%q is escaped as %q, want %q", name, got, step)
		}
		if got := UnescapePointer(step); got != name {
			t.Errorf("%q is read as %q, want %q", step, got, name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a~/01]{0,8}`).Draw(t, "name")
		step := EscapePointer(name)
		if strings.Contains(step, "/") || UnescapePointer(step) != name {
			t.Fatalf("%q is escaped as %q and read as %q", name, step, UnescapePointer(step))
		}
	})
}

func TestLocateFindsWhatFindDoes(t *testing.T) {
	const text = ` {"a" : {"b":[1,{"c":"}"}],"\u0063":"x, \"y\""} ,"d":null , "f": -1.5e3 }`
	for _, names := range [][]string{{"f"}, {"a"}, {"a", "b"}, {"a", "c"}, {"d"}, {"e"}, {"a", "e"}, {"d", "e"}} {
		want, wantOK := Find([]byte(text), "/"+strings.Join(names, "/"))
		got, ok := Locate([]byte(text), names...)
		if ok != wantOK || ok && got != want {
			t.Errorf("%v: %v, %v, want %v, %v", names, got, ok, want, wantOK)
		}
	}
}
