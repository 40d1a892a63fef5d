package codec

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPutAppendsMembersOneAfterTheOther(t *testing.T) {
	var err error
	dst := []byte("before")
	start := len(dst)
	dst = PutString(dst, `,"s":`, "x\n", &err)
	dst = PutInt64(dst, `,"i":`, -1, &err)
	dst = PutFloat64(dst, `,"f":`, 0.5, &err)
	dst = PutBool(dst, `,"b":`, true, &err)
	dst = PutRaw(dst, `,"r":`, Raw("[1,\n2]"), &err)
	dst = PutValue(dst, `,"v":`, &item{ID: "a"}, &err)
	dst = Put(dst, `,"p":`, ptr("y"), WriteString, &err)
	dst = PutSlice(dst, `,"l":`, []int64{1, 2}, WriteInt64, &err)
	dst = PutMap(dst, `,"m":`, map[string]bool{"k": false}, WriteBool, &err)
	dst = PutNullable(dst, `,"n":`, ptr(Null[string]()), WriteString, &err)
	dst = PutNullable(dst, `,"o":`, ptr(Some("z")), WriteString, &err)
	dst, err = CloseObject(dst, start, &Members{{"x\u2028", Raw("{ }")}}, &err)
	want := `before{"s":"x\n","i":-1,"f":0.5,"b":true,"r":[1,2],"v":{"type":"item","id":"a"},"p":"y",` +
		`"l":[1,2],"m":{"k":false},"n":null,"o":"z","x\u2028":{ }}`
	if err != nil || string(dst) != want {
		t.Errorf("got  %s, %v\nwant %s", dst, err, want)
	}
}

func TestPutStopsAtTheFirstError(t *testing.T) {
	broken := func(p *string, dst []byte) ([]byte, error) { return dst, errors.New("custom") }
	bad := item{ID: "\xff"}
	for _, row := range []struct {
		name, path string
		kind       ErrorKind
		put        func(dst []byte, err *error) []byte
	}{
		{"string", "/k", Unencodable, func(b []byte, err *error) []byte { return PutString(b, `,"k":`, "\xff", err) }},
		{"number", "/k", Unencodable, func(b []byte, err *error) []byte { return PutFloat64(b, `,"k":`, math.Inf(1), err) }},
		{"raw", "/k", Unencodable, func(b []byte, err *error) []byte { return PutRaw(b, `,"k":`, Raw("{"), err) }},
		{"no raw", "/k", Missing, func(b []byte, err *error) []byte { return PutRaw(b, `,"k":`, nil, err) }},
		{"value", "/k/id", Unencodable, func(b []byte, err *error) []byte { return PutValue(b, `,"k":`, &bad, err) }},
		{"no value", "/k", Missing, func(b []byte, err *error) []byte { return PutValue(b, `,"k":`, nil, err) }},
		{"custom", "/k", Unencodable, func(b []byte, err *error) []byte { return Put(b, `,"k":`, ptr(""), broken, err) }},
		{"slice", "/k/1/id", Unencodable, func(b []byte, err *error) []byte {
			return PutSlice(b, `,"k":`, []item{{}, bad}, (*item).AppendJSON, err)
		}},
		{"map", "/k/m/id", Unencodable, func(b []byte, err *error) []byte {
			return PutMap(b, `,"k":`, map[string]item{"m": bad}, (*item).AppendJSON, err)
		}},
		{"nullable", "/k/id", Unencodable, func(b []byte, err *error) []byte {
			return PutNullable(b, `,"k":`, ptr(Some(bad)), (*item).AppendJSON, err)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var err error
			dst := row.put(nil, &err)
			wantError(t, err, row.kind, row.path, -1)
			first := err
			n := len(dst)
			for _, again := range []func([]byte) []byte{
				func(b []byte) []byte { return row.put(b, &err) },
				func(b []byte) []byte { return PutString(b, `,"z":`, "", &err) },
				func(b []byte) []byte { return PutInt64(b, `,"z":`, 0, &err) },
				func(b []byte) []byte { return PutBool(b, `,"z":`, true, &err) },
			} {
				if dst = again(dst); len(dst) != n || err != first {
					t.Errorf("it goes on: %s, %v", dst, err)
				}
			}
			if _, got := CloseObject(dst, 0, nil, &err); got != first {
				t.Errorf("%v, want %v", got, first)
			}
		})
	}
}

func TestCloseObjectPrefersWhatIsSet(t *testing.T) {
	for _, row := range []struct {
		name, members string
		extra         Members
		want          string
	}{
		{"nothing", ``, nil, `{}`},
		{"no extras", `,"a":1`, nil, `{"a":1}`},
		{"extras only", ``, Members{{"x", Raw("1")}, {"y", Raw("2")}}, `{"x":1,"y":2}`},
		{"a repeated member", `,"a":1,"b":"}"`, Members{{"x", Raw("1")}, {"b", Raw("2")}}, `{"a":1,"b":"}","x":1}`},
		{"the first, repeated", `,"a":{"x":"\""},"b":[]`, Members{{"a", Raw("2")}, {"x", Raw("3")}}, `{"a":{"x":"\""},"b":[],"x":3}`},
		{"all repeated", `,"a":1`, Members{{"a", Raw("2")}, {"a", Raw("3")}}, `{"a":1}`},
		{"names with escapes", `,"a\n":1`, Members{{"a\n", Raw("2")}, {"\"", Raw("3")}}, `{"a\n":1,"\"":3}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var err error
			got, e := CloseObject([]byte("["+row.members), 1, &row.extra, &err)
			if e != nil || string(got) != "["+row.want {
				t.Errorf("got %s, %v; want %s", got, e, row.want)
			}
			// The same among many.
			many := row.extra
			want := row.want[:len(row.want)-1]
			for i := range 20 {
				name := fmt.Sprintf("many%d", i)
				many = append(many, Member{name, Raw("0")})
				if want != "{" {
					want += ","
				}
				want += `"` + name + `":0`
			}
			got, e = CloseObject([]byte("["+row.members), 1, &many, &err)
			if e != nil || string(got) != "["+want+"}" {
				t.Errorf("got %s, %v; want %s}", got, e, want)
			}
		})
	}
}

func TestCloseObjectNamesWhatCannotBeWritten(t *testing.T) {
	for _, row := range []struct {
		name  string
		extra Members
		kind  ErrorKind
		path  string
	}{
		{"broken value", Members{{"a", Raw("1")}, {"b/c", Raw("{")}}, Unencodable, "/b~1c"},
		{"broken name", Members{{"\xff", Raw("1")}}, Unencodable, "/\xff"},
		{"repeated name", Members{{"a", Raw("1")}, {"b", Raw("1")}, {"a", Raw("1")}}, Duplicate, "/a"},
	} {
		var err error
		_, e := CloseObject(nil, 0, &row.extra, &err)
		wantError(t, e, row.kind, row.path, -1)
		var many Members
		for i := range 20 {
			many = append(many, Member{fmt.Sprintf("many%d", i), Raw("0")})
		}
		_, e = CloseObject(nil, 0, ptr(append(many, row.extra...)), &err)
		wantError(t, e, row.kind, row.path, -1)
	}
}

func TestWhatIsReadIsWrittenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawItem(t, 3)
		line, err := v.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		wantOneLine(t, line)
		got, err := readItem(string(line), nil)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := got.AppendJSON(nil)
		if err != nil || string(again) != string(line) {
			t.Fatalf("%s becomes %s, %v", line, again, err)
		}
		if diff := cmp.Diff(v, got); diff != "" {
			t.Fatalf("%s:\n%s", line, diff)
		}
	})
}

func drawItem(t *rapid.T, depth int) *item {
	v := &item{ID: rapid.String().Draw(t, "id")}
	if rapid.Bool().Draw(t, "has count") {
		v.Count = ptr(rapid.Int64().Draw(t, "count"))
	}
	if depth > 0 && rapid.Bool().Draw(t, "has sub") {
		v.Sub = drawItem(t, depth-1)
	}
	if depth > 0 && rapid.Bool().Draw(t, "has items") {
		v.Items = []item{}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			v.Items = append(v.Items, *drawItem(t, depth-1))
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "extra") {
		raw, err := AppendRaw(nil, Raw(jsonGen(2).Draw(t, "value")))
		if err != nil {
			t.Fatal(err)
		}
		d := decoderOf(string(raw), nil) // without the space around it
		if !d.Raw((*Raw)(&raw)) {
			t.Fatal(d.Err())
		}
		addMember(&v.Extra, fmt.Sprintf("x%d%s", i, rapid.String().Draw(t, "name")), raw)
	}
	return v
}

func TestEncodingIntoAReusedBufferDoesNotAllocate(t *testing.T) {
	v := &item{ID: "an id", Count: ptr(int64(7)), Sub: &item{ID: "b"}, Extra: &Members{{"x", Raw(`{"y":[1,2]}`)}}}
	buf, err := v.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { buf, _ = v.AppendJSON(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
