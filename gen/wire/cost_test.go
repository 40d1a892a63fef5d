package wire_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// nested returns a user line whose content is a text in as many blocks as depth says, which begin
// with before and end with after, beside a first block.
func nested(first, before, after string, depth int, text string) []byte {
	var b strings.Builder
	b.WriteString(`{"type":"user","message":{"role":"user","content":[` + first)
	b.WriteString(strings.Repeat(before, depth))
	b.WriteString(`{"type":"text","text":"` + text + `"}`)
	b.WriteString(strings.Repeat(after, depth))
	b.WriteString(`]},"session_id":"x","parent_tool_use_id":null}`)
	return []byte(b.String())
}

// nests are ways in which blocks that contain each other are read more than once.
var nests = map[string]struct{ first, before, after string }{
	"they lack an id":           {"", `{"type":"tool_result","content":[`, `]}`},
	"the id is of a wrong kind": {"", `{"type":"tool_result","content":[`, `],"tool_use_id":7}`},
	"the tag comes last":        {"", `{"content":[`, `],"tool_use_id":"x","type":"tool_result"}`},
	"it comes last, without id": {"", `{"content":[`, `],"type":"tool_result"}`},
	"they begin as another one": {`{"content":[],"tool_use_id":"x","type":"tool_result"},`, `{"content":[`, `],"tool_use_id":"x","type":"mcp_tool_result"}`},
	"two kinds in turn": {"", `{"content":[{"content":[`,
		`],"tool_use_id":"x","type":"mcp_tool_result"}],"tool_use_id":"x","type":"tool_result"}`},
	"an unknown kind": {"", `{"a":1,"content":[`, `],"type":"later"}`},
}

// A cost is what it takes to do something.
type cost struct {
	time  time.Duration
	bytes uint64
}

func costOf(do func()) cost {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	do()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return cost{took, after.TotalAlloc - before.TotalAlloc}
}

// checkCost fails if a line takes more than five times the time that encoding/json takes for it, or
// more memory than that does and than six times the line. What else the machine does is not the
// line's fault: it is read again until the time is right, thirty times at most.
func checkCost(t *testing.T, line []byte) {
	t.Helper()
	const some = 1 << 19 // bytes that do not matter to anybody, however short the line
	var plain, ours cost
	for i := range 30 {
		p := costOf(func() {
			var v any
			_ = json.Unmarshal(line, &v) // a line that is not JSON has its cost too
		})
		o := costOf(func() { _, _ = wire.Decode(line) })
		if i == 0 {
			plain, ours = p, o
		}
		plain = cost{min(plain.time, p.time), min(plain.bytes, p.bytes)}
		ours = cost{min(ours.time, o.time), min(ours.bytes, o.bytes)}
		if ours.time <= 5*plain.time+time.Millisecond {
			break
		}
	}
	if most := max(6*uint64(len(line)), plain.bytes) + some; ours.bytes > most {
		t.Errorf("a line of %d bytes takes %d bytes of memory, over %d", len(line), ours.bytes, most)
	}
	if most := 5*plain.time + time.Millisecond; ours.time > most {
		t.Errorf("a line of %d bytes takes %v, over %v", len(line), ours.time, most)
	}
}

func TestBlocksInBlocksTakeNoMoreThanTheirLength(t *testing.T) {
	text := strings.Repeat("a", 1<<20)
	for name, n := range nests {
		t.Run(name, func(t *testing.T) {
			line := nested(n.first, n.before, n.after, 200, text)
			checkCost(t, line)
			checkCost(t, line[:len(line)-1])
		})
	}
}

// What is read of a long line, some of it again and again, is what is read of a short one.
func TestALongLineIsReadAsAShortOne(t *testing.T) {
	const mark = "the text"
	for name, n := range nests {
		t.Run(name, func(t *testing.T) {
			read := func(text string) (string, []codec.Deviation) {
				line := nested(n.first, n.before, n.after, 40, text)
				var found []codec.Deviation
				frame, err := wire.DecodeFrame(line, &wire.Options{Report: func(d codec.Deviation) { found = append(found, d) }})
				if err != nil {
					t.Fatal(err)
				}
				for i := range line {
					line[i] = '#' // the frame has nothing of it
				}
				for i := range found {
					found[i].Offset = 0
				}
				out, err := wire.Append(nil, frame)
				if err != nil {
					t.Fatal(err)
				}
				return string(out), found
			}
			long := strings.Repeat("a", 1<<18)
			wantLine, want := read(mark)
			gotLine, got := read(long)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("deviations, -short +long\n%s", diff)
			}
			if gotLine = strings.Replace(gotLine, long, mark, 1); gotLine != wantLine {
				t.Errorf("got  %.300s\nwant %.300s", gotLine, wantLine)
			}
		})
	}
}

// FuzzCost looks for lines that take more than their length. Each byte opens one or two levels.
func FuzzCost(f *testing.F) {
	parts := [][2]string{
		{`{"type":"tool_result","content":[`, `]}`},
		{`{"type":"tool_result","tool_use_id":"x","content":[`, `]}`},
		{`{"content":[`, `],"tool_use_id":"x","type":"tool_result"}`},
		{`{"content":[`, `],"tool_use_id":"x","type":"mcp_tool_result"}`},
		{`{"content":[`, `],"type":"tool_result"}`},
		{`{"content":[`, `],"type":"later"}`},
		{`{"type":"tool_result","tool_use_id":7,"content":[`, `]}`},
		{`{"type":"tool_use","id":"x","name":"y","input":{"a":[`, `]}}`},
		{`{"type":"document","source":{"type":"content","content":[`, `]}}`},
		{`{"source":{"content":[`, `],"type":"content"},"type":"document"}`},
		{`{"x":{"y":[`, `]},"content":[],"type":"web_search_tool_result"}`},
		{`{"content":{"content":[`, `],"type":"document"},"type":"web_fetch_tool_result","tool_use_id":"x"}`},
		{`{"content":[],"tool_use_id":"x","type":"tool_result"},{"content":[`, `],"type":"text"}`},
		{`{"type":"text","text":[`, `]}`},
	}
	for i := range parts {
		f.Add([]byte{byte(i)}, uint16(1<<12), uint8(20))
	}
	f.Fuzz(func(t *testing.T, levels []byte, text uint16, times uint8) {
		var before, after strings.Builder
		levels = levels[:min(len(levels), 32)]
		for i := range levels {
			before.WriteString(parts[int(levels[i])%len(parts)][0])
			after.WriteString(parts[int(levels[len(levels)-1-i])%len(parts)][1])
		}
		depth := int(times) * 8 / (len(levels) + 1)
		checkCost(t, nested("", before.String(), after.String(), depth, strings.Repeat("a", 4*int(text))))
	})
}
