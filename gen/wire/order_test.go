package wire_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// reorder writes a JSON text with the members of all objects in another order and space around the
// tokens. Opaque payloads must not be compared after it.
func reorder(t testing.TB, text []byte, order func(names []string), space string) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	switch bytes.TrimLeft(text, " ")[0] {
	case '{':
		var members map[string]json.RawMessage
		if err := dec.Decode(&members); err != nil {
			t.Fatal(err)
		}
		var names []string
		for name := range members {
			names = append(names, name)
		}
		slices.Sort(names)
		order(names)
		out := []byte("{" + space)
		for i, name := range names {
			if i > 0 {
				out = append(out, space+","+space...)
			}
			key, _ := json.Marshal(name)
			out = append(append(out, key...), space+":"+space...)
			out = append(out, reorder(t, members[name], order, space)...)
		}
		return append(out, space+"}"...)
	case '[':
		var items []json.RawMessage
		if err := dec.Decode(&items); err != nil {
			t.Fatal(err)
		}
		out := []byte("[" + space)
		for i, item := range items {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(out, space...), reorder(t, item, order, space)...)
		}
		return append(out, space+"]"...)
	}
	return text
}

// TestTheUsualOrderOfMembersIsOnlyAGuess decodes each line of the corpus with its members sorted,
// reversed and shuffled.
func TestTheUsualOrderOfMembersIsOnlyAGuess(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	orders := map[string]func([]string){
		"sorted":   func([]string) {},
		"reversed": slices.Reverse[[]string],
		"shuffled": func(names []string) {
			random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		},
	}
	check := func(d wire.Definition, text []byte) {
		t.Helper()
		want, err := d.Decode(text, nil)
		if err != nil {
			return
		}
		for name, order := range orders {
			for _, space := range []string{"", " "} {
				shuffled := reorder(t, text, order, space)
				got, err := d.Decode(shuffled, nil)
				if err != nil {
					t.Errorf("%s: %s: %v\n%s", d.Name, name, err, shuffled)
					continue
				}
				if diff := compareUnordered(want.Value, got.Value); diff != "" {
					t.Errorf("%s: %s: %s\n%s", d.Name, name, diff, shuffled)
				}
			}
		}
	}
	frame := definition(t, "envelope/frame.json")
	step := 1
	if testing.Short() {
		step = 20
	}
	for i, l := range recordedLines(t) {
		if i%step == 0 {
			check(frame, []byte(l.text))
		}
	}
	for _, l := range seedLines(t) {
		check(frame, []byte(l.text))
	}
	for _, d := range wire.Definitions {
		for _, example := range schema.Default().Lookup(d.Name).Examples {
			check(d, example)
		}
	}
}

// TestADecoderReadsALineAsANewOneDoes gives one Decoder all sorts of lines in turn: what it has
// learned from those before changes nothing, in any mode, and no error and no deviation.
func TestADecoderReadsALineAsANewOneDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var lines [][]byte
	step, rounds := 7, 3
	if testing.Short() {
		step, rounds = 100, 1
	}
	for i, l := range recordedLines(t) {
		if i%step != 0 {
			continue
		}
		text := []byte(l.text)
		lines = append(lines, text)
		if _, err := wire.Decode(text); err != nil {
			continue
		}
		lines = append(lines,
			reorder(t, text, func([]string) {}, ""), // most tags are late
			bytes.Replace(text, []byte(`"type":"result"`), []byte(`"type":"assistant"`), 1),
			bytes.Replace(text, []byte(`"type":"result",`), nil, 1),
			bytes.Replace(text, []byte(`"type":"result"`), []byte(`"type":"result","type":"result"`), 1),
			bytes.Replace(text, []byte(`"subtype":"success"`), []byte(`"subtype":"new"`), 1),
			bytes.Replace(text, []byte(`"subtype":"success"`), []byte(`"subtype":"error_max_turns"`), 1),
			bytes.Replace(text, []byte(`"is_error":`), []byte(`"new":{"a":1,"a":2},"is_error":`), 1),
			bytes.Replace(text, []byte(`"id":"`), []byte(`"id":7,"x":"`), 1),
			text[:random.IntN(len(text))],
		)
	}
	for _, l := range seedLines(t) { // those of older peers too
		lines = append(lines, []byte(l.text), []byte(l.text))
		if json.Valid([]byte(l.text)) && strings.HasPrefix(l.text, "{") {
			lines = append(lines, reorder(t, []byte(l.text), func([]string) {}, ""))
		}
	}
	for range rounds {
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		for _, strict := range []bool{false, true} {
			var got, want []codec.Deviation
			old := wire.Decoder{Options: &codec.Options{Strict: strict, Report: func(d codec.Deviation) { got = append(got, d) }}}
			for _, line := range lines {
				got, want = nil, nil
				fresh := wire.Decoder{Options: &codec.Options{Strict: strict, Report: func(d codec.Deviation) { want = append(want, d) }}}
				gotFrame, gotErr := old.Decode(line)
				wantFrame, wantErr := fresh.Decode(line)
				if diff := cmp.Diff([]any{wantFrame, wantErr, want}, []any{gotFrame, gotErr, got}); diff != "" {
					t.Fatalf("%s\n%s", line, diff)
				}
			}
		}
	}
}

// compareUnordered compares decoded values but for the order of members in raw values, and for the
// offsets of errors.
func compareUnordered(a, b any) string {
	raw := cmp.Comparer(func(a, b codec.Raw) bool {
		if a == nil || b == nil {
			return a == nil && b == nil
		}
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
	})
	members := cmp.Transformer("members", func(m codec.Members) map[string]codec.Raw {
		out := map[string]codec.Raw{}
		for i := range m {
			out[m[i].Name] = m[i].Value
		}
		return out
	})
	offset := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Offset" }, cmp.Ignore())
	return cmp.Diff(a, b, raw, members, offset)
}

func TestATagMayStandAnywhere(t *testing.T) {
	for _, line := range []string{
		`{"subtype":7,"type":"keep_alive"}`,
		`{"type":"keep_alive","subtype":7}`,
		`{"subtype":"init","type":"keep_alive"}`,
		` { "type" : "keep_alive" , "subtype" : { } } `,
	} {
		frame, err := wire.Decode([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if k, ok := frame.(*wire.KeepAlive); !ok || k.Extra.Get("subtype") == nil {
			t.Errorf("%s: %#v", line, frame)
		}
	}
}
