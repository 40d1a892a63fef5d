package wire_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// manyUnknown is a line with n unknown members.
func manyUnknown(n int) string {
	var b strings.Builder
	b.WriteString(status)
	for i := range n {
		fmt.Fprintf(&b, `,"new%d":1`, i)
	}
	return b.String() + "}"
}

func TestDeviationsPastTheLimitAreCounted(t *testing.T) {
	for _, row := range []struct{ members, limit, reported, omitted int }{
		{99, 0, 99, 0}, {100, 0, 100, 0}, {101, 0, 100, 1}, {5000, 0, 100, 4900}, {50, 7, 7, 43}, {5000, -1, 5000, 0},
	} {
		var got []codec.Deviation
		o := reporting(&got)
		o.MaxDeviations = row.limit
		if _, err := wire.DecodeFrame([]byte(manyUnknown(row.members)), o); err != nil {
			t.Fatal(err)
		}
		if row.omitted > 0 {
			want := codec.Deviation{Kind: codec.Omitted, Detail: fmt.Sprintf("%d more", row.omitted), Count: row.omitted}
			if diff := cmp.Diff(want, got[len(got)-1]); diff != "" {
				t.Error(diff)
			}
			got = got[:len(got)-1]
		}
		if len(got) != row.reported {
			t.Errorf("%d reports for %d members and the limit %d", len(got), row.members, row.limit)
		}
		for i, d := range got {
			if name := fmt.Sprintf("new%d", i); d.Kind != codec.UnknownMember || d.Path != "/"+name || d.Detail != fmt.Sprintf("%q", name) {
				t.Fatalf("report %d is %v", i, d)
			}
		}
	}
}

func TestDeviationsInsideAKeptValueAreNotCounted(t *testing.T) {
	inside := strings.ReplaceAll(manyUnknown(300), status, `{"type":"tool_use"`) // without its id
	line := assistant + `{"type":"text","text":"","new":1},` + inside + `,{"type":"text","text":"","new":2}` + afterward
	var got []codec.Deviation
	if _, err := wire.DecodeFrame([]byte(line), reporting(&got)); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, d := range got {
		paths = append(paths, d.Path)
	}
	if diff := cmp.Diff([]string{"/message/content/0/new", "/message/content/1/id", "/message/content/2/new"}, paths); diff != "" {
		t.Error(diff)
	}
}

// hostile are lines of 216 kB or so that deviate as much as they can.
func hostile() map[string]string {
	nested := func(inner string, depth int) string {
		return strings.Repeat(`{"type":"tool_result","tool_use_id":"t","new":1,"content":[`, depth) + inner + strings.Repeat("]}", depth)
	}
	var b strings.Builder
	b.WriteString(`{"type":"text","text":""`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `,"%d":1`, i)
	}
	b.WriteString("}")
	long := strings.Repeat("x", 100_000)
	return map[string]string{
		"deep and wide":        assistant + nested(b.String(), 490) + afterward,
		"broken elements":      assistant + nested(strings.Repeat("7,", 90_000)+"7", 490) + afterward,
		"legacy tags":          assistant + nested(strings.Repeat(`{"type":"image"},`, 12_000)+"7", 300) + afterward,
		"a member of a member": strings.Replace(manyUnknown(0), `"status":null`, `"status":null,"`+long+`":1`, 1),
		"many members":         manyUnknown(18_000),
	}
}

func TestReportingAHostileLineIsCheap(t *testing.T) {
	for name, line := range hostile() {
		t.Run(name, func(t *testing.T) {
			read := func(o *codec.Options) (time.Duration, uint64) {
				fastest, least := time.Hour, ^uint64(0)
				for range 5 {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					start := time.Now()
					if _, err := wire.DecodeFrame([]byte(line), o); err != nil {
						t.Fatal(err)
					}
					fastest = min(fastest, time.Since(start))
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
				}
				return fastest, least
			}
			var got []codec.Deviation
			quiet, _ := read(nil)
			loud, bytes := read(reporting(&got))
			for i := 0; i < 10 && loud > 5*quiet+50*time.Millisecond; i++ { // other work on the machine must not decide
				again, _ := read(reporting(&got))
				loud = min(loud, again)
			}
			if len(got) == 0 {
				t.Fatal("nothing is reported")
			}
			if bytes > 20<<20 {
				t.Errorf("%d bytes are allocated for a line of %d", bytes, len(line))
			}
			if loud > 5*quiet+50*time.Millisecond {
				t.Errorf("%v with a report, %v without", loud, quiet)
			}
			for _, d := range got {
				if len(d.Path) > 1<<10+3 {
					t.Fatalf("a path of %d bytes", len(d.Path))
				}
			}
		})
	}
}

func TestAllBrokenElementsHaveAnErrorAndTheFirstHaveAPlace(t *testing.T) {
	const n = 1000
	frame, err := wire.Decode([]byte(assistant + strings.Repeat("7,", n-1) + "7" + afterward))
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range frame.(*wire.Assistant).Message.Content {
		var e *codec.Error
		path, offset := "", -1
		if i < codec.DefaultMaxDeviations {
			path, offset = fmt.Sprintf("/message/content/%d", i), len(assistant)+2*i
		}
		if !errors.As(block.(*wire.UnknownContentBlock).Err, &e) || e.Kind != codec.WrongKind || e.Path != path || e.Offset != offset {
			t.Fatalf("element %d: %v", i, e)
		}
	}
}

func TestPathsAreWholeWithoutALimit(t *testing.T) {
	name := strings.Repeat("x", 5000)
	line := status + `,"` + name + `":1}`
	for limit, want := range map[int]int{-1: 5001, 0: 1<<10 + 3} {
		var got []codec.Deviation
		o := reporting(&got)
		o.MaxDeviations = limit
		if _, err := wire.DecodeFrame([]byte(line), o); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(got, func(d codec.Deviation) bool { return len(d.Path) == want }) {
			t.Errorf("limit %d: %.2000v", limit, got)
		}
	}
}
