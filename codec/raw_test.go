package codec

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRawWorksInsideOtherStructs(t *testing.T) {
	type outer struct {
		A Raw  `json:"a"`
		B Raw  `json:"b,omitempty"`
		C *Raw `json:"c"`
	}
	var v outer
	if err := json.Unmarshal([]byte(`{"a": {"x":12345678901234567890, "y":1.0}, "c": "é"}`), &v); err != nil {
		t.Fatal(err)
	}
	if v.A.String() != `{"x":12345678901234567890, "y":1.0}` || v.B != nil || v.C.String() != `"é"` {
		t.Errorf("%s %s %s", v.A, v.B, v.C)
	}
	got, err := json.Marshal(v)
	if want := `{"a":{"x":12345678901234567890,"y":1.0},"c":"é"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if got, err = json.Marshal(outer{}); err != nil || string(got) != `{"a":null,"c":null}` {
		t.Errorf("got %s, %v", got, err)
	}
	var none *Raw
	if err := none.UnmarshalJSON([]byte("1")); err == nil {
		t.Error("a nil Raw takes a value")
	}
}

func TestRawUnmarshalKeepsACopy(t *testing.T) {
	var r Raw
	text := []byte(`"abc"`)
	if err := r.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	first := r
	clear(text)
	if err := r.UnmarshalJSON([]byte(`"xyz"`)); err != nil {
		t.Fatal(err)
	}
	if string(first) != `"abc"` || string(r) != `"xyz"` {
		t.Errorf("%s %s", first, r)
	}
}

func TestRawTellsNullAndText(t *testing.T) {
	for _, row := range []struct {
		raw    Raw
		null   bool
		text   string
		isText bool
	}{
		{nil, false, "", false},
		{Raw("null"), true, "", false},
		{Raw(" null\n"), true, "", false},
		{Raw(`"null"`), false, "null", true},
		{Raw(` "a\u0062" `), false, "ab", true},
		{Raw(`"\ud800"`), false, "\xed\xa0\x80", true},
		{Raw(`""`), false, "", true},
		{Raw(`"a" "b"`), false, "", false},
		{Raw(`"a`), false, "", false},
		{Raw(`["a"]`), false, "", false},
	} {
		text, ok := row.raw.Text()
		if row.raw.IsNull() != row.null || text != row.text || ok != row.isText {
			t.Errorf("%q: null %v, text %q, %v", row.raw, row.raw.IsNull(), text, ok)
		}
	}
}

func TestMembersGetTheFirstOfAName(t *testing.T) {
	m := Members{{"a", Raw("1")}, {"b", Raw("2")}, {"a", Raw("3")}}
	got := []string{m.Get("a").String(), m.Get("b").String(), m.Get("c").String()}
	if diff := cmp.Diff([]string{"1", "2", ""}, got); diff != "" {
		t.Error(diff)
	}
	if none := (*Members)(nil); m.Get("c") != nil || none.Get("a") != nil || len(none.List()) != 0 || len(m.List()) != 3 {
		t.Error("an absent member has a value")
	}
}

func TestMembersKnowARequiredMemberThatHasNoValue(t *testing.T) {
	m := &Members{{Name: "missing"}, {Name: "broken", Value: Raw("7")}}
	for name, want := range map[string]bool{"missing": true, "broken": true, "other": false} {
		if m.Has(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if m.Get("missing") != nil || (*Members)(nil).Has("missing") {
		t.Error("a member without a value has one, or nobody has it")
	}
}

func TestSomeOrNullIsNullForNil(t *testing.T) {
	text := "a"
	if got := SomeOrNull(&text); got != Some("a") {
		t.Errorf("got %+v", got)
	}
	if got := SomeOrNull[string](nil); got != Null[string]() {
		t.Errorf("got %+v", got)
	}
}
