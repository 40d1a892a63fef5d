package run

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// released reports whether the garbage collector takes the line, which nobody may use afterwards,
// while what is to be kept stays.
func released(t *testing.T, keep any, line []byte) bool {
	t.Helper()
	gone := make(chan struct{})
	runtime.AddCleanup(&line[0], func(c chan struct{}) { close(c) }, gone)
	timeout := time.After(10 * time.Second)
	for {
		runtime.GC()
		select {
		case <-gone:
			runtime.KeepAlive(keep)
			return true
		case <-timeout:
			runtime.KeepAlive(keep)
			return false
		default:
			runtime.Gosched()
		}
	}
}

// longLine returns a line of 20 MB that begins with an array of the values.
func longLine(values string) []byte {
	return append([]byte("["+values+"]"), bytes.Repeat([]byte(" "), 20<<20)...)
}

func TestDecodedValuesDoNotKeepTheLineAlive(t *testing.T) {
	long := strings.Repeat("x", 10*maxShared)
	for _, row := range []struct {
		name, value string
		read        func(d *Decoder) (any, bool)
	}{
		{"string", `"short"`, func(d *Decoder) (any, bool) { var s string; ok := d.String(&s); return s, ok }},
		{"string with escapes", `"sh\u006frt"`, func(d *Decoder) (any, bool) { var s string; ok := d.String(&s); return s, ok }},
		{"long string", `"` + long + `"`, func(d *Decoder) (any, bool) { var s string; ok := d.String(&s); return s, ok }},
		{"long string with escapes", `"\n` + long + `"`, func(d *Decoder) (any, bool) { var s string; ok := d.String(&s); return s, ok }},
		{"optional string", `"short"`, func(d *Decoder) (any, bool) { var s *string; ok := d.OptionalString(&s); return s, ok }},
		{"repeated string", `"short"`, func(d *Decoder) (any, bool) { var s string; ok := d.Repeated(&s, 1); return s, ok }},
		{"long repeated string", `"` + long + `"`, func(d *Decoder) (any, bool) { var s string; ok := d.Repeated(&s, 1); return s, ok }},
		{"raw", `{"a":1}`, func(d *Decoder) (any, bool) { var v Raw; ok := d.Raw(&v); return v, ok }},
		{"long raw", `["` + long + `"]`, func(d *Decoder) (any, bool) { var v Raw; ok := d.Raw(&v); return v, ok }},
		{"known value", `"known"`, func(d *Decoder) (any, bool) {
			var s string
			ok := d.Enum(&s, &Enum{Values: []string{"known"}})
			return s, ok
		}},
		{"unknown value", `"short"`, func(d *Decoder) (any, bool) { var s string; ok := d.Enum(&s, &Enum{}); return s, ok }},
		{"strings", `["a","\u0062"]`, func(d *Decoder) (any, bool) { var l []string; ok := d.Strings(&l); return l, ok }},
		{"map", `{"a":"b"}`, func(d *Decoder) (any, bool) {
			m := map[string]string{}
			ok := d.Map(func(name string) (int, bool) {
				var s string
				ok := d.String(&s)
				m[name] = s
				return len(m), ok
			})
			return m, ok
		}},
		{"object with unknown members", `{"type":"item","id":"a","x":1,"\u0079":"y","count":"odd"}`,
			func(d *Decoder) (any, bool) { v := new(item); ok := v.read(d, false); return v, ok }},
	} {
		t.Run(row.name, func(t *testing.T) {
			line := longLine(row.value)
			d := new(Decoder)
			d.Reset(line, nil)
			if !d.OpenArray() || !d.More(0) {
				t.Fatal(d.Err())
			}
			v, ok := row.read(d)
			if !ok {
				t.Fatal(d.Err())
			}
			d.Reset(nil, nil) // the Decoder itself holds its line until then
			if !released(t, []any{v, d}, line) {
				t.Error("the line is still held")
			}
		})
	}
}

func TestADecoderLetsGoOfItsLine(t *testing.T) {
	var d Decoder
	for i := range 2 { // the second time with memory of the first
		line := longLine(`["a","b"],["a","b",1],{"type":"item","id":"c","x":1}`)
		var list []string
		d.Reset(line, &Options{Alias: true, Report: func(Deviation) {}})
		if !d.OpenArray() || !d.More(0) || !d.Strings(&list) || !d.More(1) {
			t.Fatal(d.Err())
		}
		m := d.Mark()
		if d.Strings(&list) {
			t.Fatal("a number is taken for a string")
		}
		if _, ok := d.Salvage(m); !ok || !d.More(2) || !new(item).read(&d, false) {
			t.Fatal(d.Err())
		}
		if i == 0 {
			d.Forget()
		} else {
			d.Reset(nil, nil)
		}
		if !released(t, &d, line) {
			t.Error("the line is still held")
		}
	}
}

func TestShortStringsKeepLittleMemoryAlive(t *testing.T) {
	const lines = 500
	line := []byte(`["` + strings.Repeat("x", 100<<10) + `","short","` + strings.Repeat("y", 400) + `",{"raw":1}]`)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := make([]string, lines)
	raws := make([]Raw, lines)
	for i := range kept {
		d := new(Decoder)
		d.Reset(line, nil)
		var long, other string
		ok := d.OpenArray() && d.More(0) && d.String(&long) && d.More(1) && d.String(&kept[i]) &&
			d.More(2) && d.String(&other) && d.More(3) && d.Raw(&raws[i])
		if !ok {
			t.Fatal(d.Err())
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > lines*2*maxChunk {
		t.Errorf("%d short strings hold %d bytes", lines, held)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(raws)
}

func TestCopiedValuesDoNotChangeWithTheLine(t *testing.T) {
	const text = `{"type":"item","id":"an id","sub":{"type":"item","id":"\u0061b","new":"x"},"more":[{"a":"b"}],"count":"odd"}`
	line := []byte(text)
	var d Decoder
	d.Reset(line, nil)
	var v item
	if !v.read(&d, false) || !d.Finish() {
		t.Fatal(d.Err())
	}
	clear(line)
	want, err := readOnce(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, &v); diff != "" {
		t.Error(diff)
	}
}

func TestValuesOfALineDoNotOverwriteEachOther(t *testing.T) {
	d := decoderOf(`[{"a":1},"b","\u0063",{"d":2}]`, nil)
	var first, last Raw
	var b, c string
	ok := d.OpenArray() && d.More(0) && d.Raw(&first) && d.More(1) && d.String(&b) &&
		d.More(2) && d.String(&c) && d.More(3) && d.Raw(&last)
	if !ok {
		t.Fatal(d.Err())
	}
	_ = append(first, "overflow"...)
	if b != "b" || c != "c" || string(last) != `{"d":2}` {
		t.Errorf("%q %q %s", b, c, last)
	}
}

func TestAliasSharesTheMemoryOfTheLine(t *testing.T) {
	line := []byte(`["text",{"a":1},"` + strings.Repeat("x", 10*maxShared) + `"]`)
	var d Decoder
	d.Reset(line, &Options{Alias: true})
	var s, long string
	var v Raw
	if !d.OpenArray() || !d.More(0) || !d.String(&s) || !d.More(1) || !d.Raw(&v) || !d.More(2) || !d.String(&long) {
		t.Fatal(d.Err())
	}
	if &v[0] != &line[8] || cap(v) != len(v) {
		t.Error("a raw value is a copy, or reaches into what follows")
	}
	copy(line, `["TEXT",`)
	if shared := s == "TEXT"; shared != sharesStrings {
		t.Errorf("the string shares memory: %v, want %v", shared, sharesStrings)
	}
	if n := testing.AllocsPerRun(10, func() {
		d.Reset(line, &Options{Alias: true})
		_ = d.OpenArray() && d.More(0) && d.String(&s) && d.More(1) && d.Raw(&v) && d.More(2) && d.String(&long)
	}); sharesStrings && n > 1 { // the Options
		t.Errorf("%v allocations", n)
	}
}

func TestLentMemoryIsUsedFirst(t *testing.T) {
	var d Decoder
	d.Reset([]byte(`["abc","\u0064ef","`+strings.Repeat("x", 40)+`"]`), nil)
	var text [8]byte
	var slots [2]string
	d.Lend(text[:], slots[:])
	var a, b, c string
	if !d.OpenArray() || !d.More(0) || !d.String(&a) || d.Slot() != &slots[0] || d.Slot() != &slots[1] || d.Slot() == nil {
		t.Fatal(d.Err())
	}
	if string(text[:3]) != "abc" {
		t.Errorf("lent memory holds %q", text)
	}
	if !d.More(1) || !d.String(&b) || !d.More(2) || !d.String(&c) || a != "abc" || b != "def" || c != strings.Repeat("x", 40) {
		t.Errorf("%q %q %q, %v", a, b, c, d.Err())
	}
}
