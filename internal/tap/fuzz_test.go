package tap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
)

// streams are what has bytes in a session.
var streams = [...]recording.Dir{recording.ToCLI, recording.ToSDK, recording.Stderr}

// A passed is what passed a tap in one stream: bytes that the recorder got, or that it did not.
type passed struct {
	text    []byte
	at      time.Duration
	dropped bool
}

// decodePassed reads steps of three bytes: what happens, how long the text is that follows, how
// often it comes. The streams are in the order of streams; eof says when the first has its end.
func decodePassed(data []byte, do func(stream int, p passed), eof func(at time.Duration)) {
	for n := 1; len(data) >= 3; n++ {
		op, size, times := data[0], int(data[1]), int(data[2])
		data = data[3:]
		size = min(size, len(data))
		text := bytes.Repeat(data[:size], 1+times%40)
		data = data[size:]
		at := time.Duration(n) * time.Millisecond
		if op%16 == 15 {
			eof(at)
		} else if len(text) > 0 {
			do(int(op)%len(streams), passed{text, at, op%16 >= 12})
		}
	}
}

// expected returns what a recording says of a stream, in the plainest form.
func expected(all []passed, limit int) (want []string) {
	var line []byte
	lost, missing, skips := 0, 0, false // dropped since the last bytes, and not told yet
	say := func(unterminated bool, more int, at time.Duration) {
		text, length := line, 0
		if len(line) > limit || more > 0 {
			text, length = bytes.ToValidUTF8(line[:min(len(line), headLine)], nil), len(line)+more
		}
		if unterminated {
			at = 0
		}
		want = append(want, fmt.Sprintf("%q %v %d %v", text, unterminated, length, at))
		line = nil
	}
	tell := func() {
		if missing > 0 && !skips {
			want = append(want, fmt.Sprintf("lost %d", missing))
			missing = 0
		}
	}
	gap := func() {
		if lost > 0 {
			if len(line) > 0 {
				say(true, lost, 0)
			}
			missing, lost = missing+lost, 0
		}
		tell()
	}
	for _, p := range all {
		if p.dropped {
			lost += len(p.text)
			skips = p.text[len(p.text)-1] != '\n'
			continue
		}
		gap()
		for _, c := range p.text {
			switch {
			case skips:
				missing++
				skips = c != '\n'
				tell()
			case c == '\n':
				say(false, 0, p.at)
			default:
				line = append(line, c)
			}
		}
	}
	gap()
	skips = false
	tell()
	if len(line) > 0 {
		say(true, 0, 0)
	}
	return want
}

// FuzzRecord holds a recording to what passed the tap, however the bytes came: every line is in it
// as it was, or cut where it is too long, and every byte that is not is counted.
func FuzzRecord(f *testing.F) {
	f.Add(uint16(0), []byte("\x00\x05\x00{}\n{}\x01\x03\x00a\nb\x02\x04\x00oops\x00\x02\x00x\n"))
	f.Add(uint16(5), []byte("\x01\x02\x27xy\x0d\x03\x01a\nb\x01\x05\x00end\nz\x0c\x02\x00ab\x0f\x00\x00"))
	f.Add(uint16(0), []byte("\x01\x40\x1f{\"type\":\"x\",\"text\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}\x01\x01\x00\n"))
	f.Add(uint16(9), []byte("\x00\x04\x00\xff\xfe\n\xc3\x00\x02\x00\xa9\n\x0f\x00\x00"))
	f.Fuzz(func(t *testing.T, over uint16, data []byte) {
		limit := headLine + int(over)%3000
		var out bytes.Buffer
		q := newQueue(1<<20, 0)
		s := &session{queue: q, begin: time.Now()}
		r := &Recorder{Out: &out}
		r.begin(s, nil, Limits{Line: limit})
		var all [len(streams)][]passed
		ended, total := false, 0
		decodePassed(data, func(stream int, p passed) {
			if stream == 0 && ended || total+len(p.text) > batchBytes {
				return
			}
			total += len(p.text)
			all[stream] = append(all[stream], p)
			if p.dropped {
				q.mu.Lock()
				q.drop(streams[stream], p.text)
				q.mu.Unlock()
				return
			}
			q.put(streams[stream], p.at, p.text)
		}, func(at time.Duration) {
			if !ended {
				ended = true
				q.note(event{dir: recording.EOF, at: at})
			}
		})
		s.finish(Exit{})
		r.run()

		got := map[recording.Dir][]string{}
		var dirs []recording.Dir
		for line := range bytes.Lines(out.Bytes()) {
			var e recording.Entry
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			dirs = append(dirs, e.Dir)
			switch {
			case e.Dir == recording.Lost:
				got[e.Of] = append(got[e.Of], fmt.Sprintf("lost %d", e.Lost))
				dirs[len(dirs)-1] = e.Of
			case slices.Contains(streams[:], e.Dir):
				unterminated, at := e.Unterminated, time.Duration(e.Time*float64(time.Millisecond))
				if unterminated {
					at = 0
				}
				e.Unterminated = true // without the LF
				text, err := e.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				got[e.Dir] = append(got[e.Dir], fmt.Sprintf("%q %v %d %v", text, unterminated, e.Truncated, at))
			}
		}
		for i, dir := range streams {
			if diff := cmp.Diff(expected(all[i], limit), got[dir]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", dir, diff)
			}
		}
		if n := len(dirs); n < 3 || dirs[0] != recording.Header || dirs[n-2] != recording.Summary || dirs[n-1] != recording.Exit {
			t.Errorf("the entries are %q", dirs)
		}
		if i := slices.Index(dirs, recording.EOF); (i >= 0) != ended || ended && slices.Contains(dirs[i:], recording.ToCLI) {
			t.Errorf("the end of the input is not after all of it: %q", dirs)
		}
	})
}
