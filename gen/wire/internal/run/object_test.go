package run

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

// item is a type as the generator writes one.
type item struct {
	ID    string
	Count *int64
	Sub   *item
	Items []item
	Extra *Members
}

var itemShape = Shape{
	Keys:   []string{`"type":`, `"id":`, `"count":`, `"sub":`, `"items":`},
	Need:   Bits{3},
	Core:   Bits{2},
	Tags:   []int{0},
	Legacy: []string{"old_id"},
}

var itemTags = TagSet{First: "type", Open: `{"type":"`}

func (v *item) read(d *Decoder, tagged bool) bool {
	o := ReadObject(d, &itemShape, &v.Extra)
	for ok := o.Begin(tagged); o.Next(ok); {
		switch o.Member {
		case 0:
			ok = d.Const("item")
		case 1:
			ok = d.String(&v.ID)
		case 2:
			ok = d.OptionalInt64(&v.Count)
		case 3:
			p := new(item)
			if ok = p.read(d, false); ok {
				v.Sub = p
			}
		case 4:
			s := []item{}
			if ok = d.Array(func(i int) bool {
				s = append(s, item{})
				return s[i].read(d, false)
			}); ok {
				v.Items = s
			}
		}
	}
	return o.End()
}

func (v *item) AppendJSON(dst []byte) ([]byte, error) {
	if v == nil {
		return dst, ErrNil("item")
	}
	e := Encode(dst, v.Extra)
	e.Const(`,"type":"item"`)
	e.String(`,"id":`, v.ID)
	e.OptionalInt64(`,"count":`, v.Count)
	if v.Sub != nil {
		e.Value(`,"sub":`, v.Sub)
	}
	if v.Items != nil {
		e.List(`,"items":`, len(v.Items), func(dst []byte, i int) ([]byte, error) {
			return v.Items[i].AppendJSON(dst)
		})
	}
	return e.End()
}

// readItem reads an item, through its tag as an arm of a union is read, and directly.
func readItem(text string, o *Options) (*item, error) {
	d := decoderOf(text, o)
	v := new(item)
	if !d.Tag(&itemTags) || !v.read(d, true) || !d.Finish() {
		return nil, d.Err()
	}
	direct, err := readOnce(text, o)
	if err != nil {
		return nil, fmt.Errorf("through its tag it is read, directly not: %w", err)
	}
	if diff := cmp.Diff(v, direct); diff != "" {
		return nil, fmt.Errorf("directly it is another value: %s", diff)
	}
	return v, nil
}

// readOnce reads an item directly.
func readOnce(text string, o *Options) (*item, error) {
	d := decoderOf(text, o)
	v := new(item)
	if !v.read(d, false) || !d.Finish() {
		return v, d.Err()
	}
	return v, nil
}

func ptr[T any](v T) *T { return &v }

// extras returns members of pairs of a name and a value.
func extras(pairs ...string) Members {
	var m Members
	for i := 0; i < len(pairs); i += 2 {
		m = append(m, codec.Member{Name: pairs[i], Value: Raw(pairs[i+1])})
	}
	return m
}

func TestObjectTakesItsMembersInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := []string{`"type":"item"`, `"id":"a"`, `"count":3`, `"sub":{"type":"item","id":"b"}`, `"items":[{"id":"c","type":"item"}]`}
		extra := []string{`"x":1`, `"y":{"z":[]}`, `"":null`, `"Type":true`, `"ID":"é"`}
		extra = extra[:rapid.IntRange(0, len(extra)).Draw(t, "extra")]
		order := rapid.Permutation(append(members, extra...)).Draw(t, "order")
		text := "{" + strings.Join(order, jsontest.Space.Draw(t, "space")+","+jsontest.Space.Draw(t, "space")) + "}"
		got, err := readItem(text, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := &item{ID: "a", Count: ptr(int64(3)), Sub: &item{ID: "b"}, Items: []item{{ID: "c"}}}
		for _, m := range order {
			for _, e := range extra {
				if m == e {
					name, value, _ := strings.Cut(e, ":")
					addMember(&want.Extra, strings.Trim(name, `"`), Raw(value))
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s:\n%s", text, diff)
		}
	})
}

func TestObjectRejectsMembersThatRepeat(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"x%d":%d,`, i, i)
		}
		return b.String()
	}
	for _, row := range []struct {
		name, text, path string
	}{
		{"the tag", `{"type":"item","type":"item","id":"a"}`, "/type"},
		{"the tag, late", `{"id":"a","type":"item","type":"item"}`, "/type"},
		{"known", `{"type":"item","id":"a","id":"b"}`, "/id"},
		{"known, apart", `{"type":"item","id":"a","count":1,"x":1, "id": "a"}`, "/id"},
		{"known, with escapes", `{"type":"item","id":"a","\u0069d":"b"}`, "/id"},
		{"known and not decodable", `{"type":"item","id":"a","count":"x","count":"x"}`, "/count"},
		{"unknown", `{"type":"item","id":"a","x":1,"x":1}`, "/x"},
		{"unknown, with escapes", `{"type":"item","id":"a","x":1,"\u0078":1}`, "/x"},
		{"the last of 16 unknown", `{"type":"item","id":"a",` + many(16) + `"x15":1}`, "/x15"},
		{"the first of 17 unknown", `{"type":"item","id":"a",` + many(17) + `"x0":1}`, "/x0"},
		{"the first of 100 unknown", `{"type":"item",` + many(100) + `"id":"a","x0":1}`, "/x0"},
		{"the last of 100 unknown", `{"type":"item",` + many(100) + `"id":"a","x99":1}`, "/x99"},
		{"in a nested object", `{"type":"item","id":"a","sub":{"type":"item","id":"b",` + many(20) + `"x3":1}}`, "/sub/x3"},
		{"after a nested object with many", `{"type":"item","id":"a",` + many(20) + `"sub":{"type":"item","id":"b",` + many(20) + `"y":1},"x5":1}`, "/x5"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, o := range []*Options{nil, {Alias: true}} {
				_, err := readItem(row.text, o)
				at := strings.LastIndex(row.text, ":") + 1
				if strings.Contains(row.name, "known, apart") {
					at = strings.LastIndex(row.text, `: "a"`) + 1
				}
				if row.name == "the tag" {
					at = strings.LastIndex(row.text, `"item"`)
				}
				wantError(t, err, codec.Duplicate, row.path, at)
			}
		})
	}
}

func TestObjectKeepsNestedAndOuterUnknownMembersApart(t *testing.T) {
	// The same names in an outer and an inner object, more than are compared one by one, are not
	// duplicates of each other.
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `,"x%d":0`, i)
	}
	some := b.String()
	v, err := readItem(`{"type":"item","id":"a"`+some+`,"sub":{"type":"item","id":"b"`+some+`},"y":0,"items":[`+
		`{"type":"item","id":"c"`+some+`},{"type":"item","id":"d"`+some+`}],"count":"odd","z":0}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(*v.Extra) != 43 || len(*v.Sub.Extra) != 40 || len(*v.Items[1].Extra) != 40 {
		t.Errorf("%d, %d, %d members", len(*v.Extra), len(*v.Sub.Extra), len(*v.Items[1].Extra))
	}
	if last := (*v.Extra)[40:]; last[0].Name+last[1].Name+last[2].Name != "ycountz" {
		t.Errorf("the order is lost: %v", last)
	}
}

func TestObjectNamesTheMemberThatIsMissing(t *testing.T) {
	for text, path := range map[string]string{
		`{}`:                            "/type",
		`{"type":"item"}`:               "/id",
		`{"id":"a"}`:                    "/type",
		` {"type":"item","x":{"id":1}}`: "/id",
		`{"type":"item","count":1}`:     "/id",
	} {
		d := decoderOf(text, nil)
		v := new(item)
		if v.read(d, false) {
			t.Errorf("%s is taken", text)
			continue
		}
		wantError(t, d.Err(), codec.Missing, path, strings.IndexByte(text, '{'))
	}
	_, err := readItem(`{"type":"item","id":"a","sub":{"type":"item"}}`, &Options{Strict: true})
	wantError(t, err, codec.Missing, "/sub/id", 30)
	if got, want := err.Error(), "missing member at /sub/id (byte 30): a value is required"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOptionalMemberThatDoesNotDecodeIsKept(t *testing.T) {
	for _, row := range []struct {
		name, member, path, detail string
	}{
		{"wrong kind", `"count": "3"`, "/count", "want a number, got a string"},
		{"null", `"count":null`, "/count", "want a number, got null"},
		{"fraction", `"count":1.5`, "/count", "want an integer, got a number with a fraction"},
		{"out of range", `"count":99999999999999999999`, "/count", "an integer of 64 bits"},
		{"missing inside", `"sub":{"type":"item","x":[1]}`, "/sub/id", `no member "id"`},
		{"wrong tag inside", `"sub":{"type":"thing","id":"b"}`, "/sub/type", `want "item", got "thing"`},
		{"wrong kind inside", `"sub":{"type":"item","id":{"a":[]}}`, "/sub/id", "want a string, got an object"},
		{"in a list", `"items":[{"type":"item","id":"b"},7]`, "/items/1", "want an object, got a number"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := `{"type":"item","before":1,` + row.member + `,"id":"a","after":2}`
			var seen []Deviation
			v, err := readOnce(text, &Options{Report: func(v Deviation) { seen = append(seen, v) }})
			if err != nil {
				t.Fatal(err)
			}
			name, value, _ := strings.Cut(row.member, ":")
			want := &item{ID: "a", Extra: ptr(extras("before", "1", strings.Trim(name, `"`), strings.TrimSpace(value), "after", "2"))}
			if diff := cmp.Diff(want, v); diff != "" {
				t.Error(diff)
			}
			if len(seen) < 3 {
				t.Fatalf("reported: %v", seen)
			}
			kept := seen[len(seen)-2]
			at := row.path
			if row.name == "missing inside" {
				at = "/sub"
			}
			if kept.Kind != codec.Invalid || kept.Path != row.path || kept.Detail != row.detail || jsontext.PathAt([]byte(text), kept.Offset) != at {
				t.Errorf("reported: %v at byte %d", kept, kept.Offset)
			}
			out, err := v.AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := readItem(string(out), nil); err != nil || cmp.Diff(v, again) != "" {
				t.Errorf("written as %s: %v", out, err)
			}
			if _, err := readItem(text, &Options{Strict: true}); err == nil {
				t.Error("strict takes it")
			}
		})
	}
}

func TestBrokenTextIsNeverKept(t *testing.T) {
	for _, member := range []string{
		`"count":tru`, `"count":01`, `"count":"\x"`, "\"count\":\"\xff\"", `"sub":{"type":"item","id":"b"`, `"sub":{"a" 1}`,
		`"sub":{"type":"item","id":"b","id":"c"}`, `"count":` + strings.Repeat("[", 1100) + strings.Repeat("]", 1100), `"items":[1,]`, `"sub":{"a":1{}}`,
	} {
		v, err := readItem(`{"type":"item","id":"a",`+member+`}`, nil)
		if err == nil {
			t.Errorf("%.40s is kept: %v", member, v.Extra)
		}
	}
}

func TestStrictRejectsWhatTolerantReports(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, row := range []struct {
		text string
		want Deviation
	}{
		{`{"type":"item","id":"a","x":{"y":1}}`, Deviation{Kind: codec.UnknownMember, Path: "/x", Offset: 28, Detail: `"x"`}},
		{`{"type":"item","id":"a","a/b~":1}`, Deviation{Kind: codec.UnknownMember, Path: "/a~1b~0", Offset: 31, Detail: `"a/b~"`}},
		{`{"type":"item","id":"a","` + long + `":1}`, Deviation{Kind: codec.UnknownMember, Path: "/" + long, Offset: 127, Detail: `"` + long[:64] + `"`}},
		{`{"type":"item","id":"a","old_id":1}`, Deviation{Kind: codec.LegacyShape, Path: "/old_id", Offset: 33, Detail: `"old_id"`}},
		{`{"type":"item","id":"a","sub":{"type":"item","id":"a", "x" : 1}}`, Deviation{Kind: codec.UnknownMember, Path: "/sub/x", Offset: 60, Detail: `"x"`}},
	} {
		var seen []Deviation
		if _, err := readOnce(row.text, &Options{Report: func(v Deviation) { seen = append(seen, v) }}); err != nil {
			t.Errorf("%s: %v", row.text, err)
		}
		if diff := cmp.Diff([]Deviation{row.want}, seen); diff != "" {
			t.Errorf("%s:\n%s", row.text, diff)
		}
		_, err := readItem(row.text, &Options{Strict: true})
		wantError(t, err, codec.NotAllowed, row.want.Path, row.want.Offset)
		if got := row.want.String(); !strings.Contains(got, row.want.Kind.String()) || !strings.Contains(got, row.want.Path) {
			t.Errorf("%q", got)
		}
	}
	if got, want := (Deviation{Kind: codec.UnknownTag, Detail: "x"}).String(), "unknown tag at the whole value: x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestObjectSurvivesAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.NewReplacer(`"a`, `"id`, `"b`, `"sub`, `"c`, `"items`).Replace(jsontest.Broken.Draw(t, "text"))
		for _, o := range []*Options{nil, {Strict: true}, {Alias: true, Report: func(Deviation) {}}} {
			_, _ = readOnce(text, o)
			_, _ = readOnce(`{"type":"item","id":"a","sub":`+text+`}`, o)
		}
	})
}
