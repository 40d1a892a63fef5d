package framing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/framing/internal/planted"
)

// plantedFunc returns a planted parser as a function.
func plantedFunc(t *testing.T, name string) Func {
	t.Helper()
	parser := planted.Parsers[name]
	if parser == nil {
		t.Fatalf("there is no parser %q", name)
	}
	return func(r io.Reader, yield func([]byte)) error {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		code := parser(r, w)
		w.Flush()
		for line := range bytes.Lines(out.Bytes()) {
			yield(bytes.TrimSuffix(line, []byte("\n")))
		}
		if code != 0 {
			return fmt.Errorf("code %d", code)
		}
		return nil
	}
}

// causes returns what the streams of up to a length find in a parser.
func causes(t *testing.T, p Func, most int) *Check {
	t.Helper()
	c := NewCheck(p)
	c.patience = time.Minute // the machine may be busy
	for _, s := range append(Nasties(), Edges()...) {
		if len(s.Data) <= most {
			c.Stream(s)
		}
	}
	return c
}

func TestCausesOfPlantedBugsInAFunction(t *testing.T) {
	for _, test := range []struct {
		parser string
		want   []string // the beginning of each cause
	}{
		{"correct", nil},
		{"ccwire", nil},
		{"scanner", nil},
		{"holds the line", nil},
		{"64 KiB scanner", []string{"line-limit: lines of 65536 bytes and more: lost: "}},
		{"64 KiB split", []string{"line-limit: lines of 65537 bytes and more: lost: "}},
		{"last line lost", []string{"lost: 1 frame did not come out: line 1, "}},
		{"read is a line", []string{"lost: 1 frame did not come out: line 1, "}},
		{"bytes to characters", []string{"changed: "}},
		{"CR kept", []string{"cr-kept: "}},
		{"repeats", []string{"repeated: "}},
		{"two panics", []string{`crash: it panicked: "panic: noise of `, `crash: it panicked: "panic: separator at `}},
		{"two crashes", nil}, // it returns an error, and nothing is lost
		{"U+2028 split", []string{"lost: 1 frame did not come out"}},
		{"crashes on noise", []string{"lost: 1 frame did not come out"}},
	} {
		t.Run(test.parser, func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"ccwire", "64 KiB scanner", "two panics", "U+2028 split"}, test.parser) {
				t.Skip("a few parsers are enough here; make test-all runs them all")
			}
			c := causes(t, plantedFunc(t, test.parser), 128<<10+100)
			var got []string
			for i, f := range c.report.Findings {
				text := f.Problem.String()
				if i < len(test.want) && strings.HasPrefix(text, test.want[i]) {
					text = test.want[i]
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s\n%s", diff, c.Summary())
			}
			if (c.Summary() == "") != (test.want == nil) {
				t.Errorf("the summary is %q", c.Summary())
			}
		})
	}
}

func TestEveryPlantedBugInAFunctionIsFound(t *testing.T) {
	for _, parser := range []string{"poisoned by noise", "stream of values", "reorders", "writes no JSON", "writes CR LF"} {
		t.Run(parser, func(t *testing.T) {
			if testing.Short() && parser != "poisoned by noise" {
				t.Skip("one parser is enough here; make test-all runs them all")
			}
			if causes(t, plantedFunc(t, parser), 4<<10).Summary() == "" {
				t.Error("nothing was found")
			}
		})
	}
}

// objectLines yields the lines of data that are objects.
func objectLines(data []byte, yield func([]byte)) {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			if _, ok := parseOutput(line); ok {
				yield(line)
			}
		}
	}
}

// losesAt is a parser that loses a line whose LF is the last byte of its buffer.
func losesAt(size int) Func {
	return func(r io.Reader, yield func([]byte)) error {
		buf, line := make([]byte, size), []byte(nil)
		for {
			n, err := io.ReadFull(r, buf)
			for part := range bytes.Lines(buf[:n]) {
				if line = append(line, part...); part[len(part)-1] == '\n' {
					if n < size || &part[len(part)-1] != &buf[size-1] {
						objectLines(line, yield)
					}
					line = line[:0]
				}
			}
			if err != nil {
				objectLines(line, yield)
				return nil
			}
		}
	}
}

func TestALineLostAtTheEdgeOfABufferIsCalledThat(t *testing.T) {
	sizes := []int{4 << 10, 1 << 10, 3000, 64 << 10}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		c := causes(t, losesAt(size), 128<<10)
		want := fmt.Sprintf("lost: a line that ends at byte %d of the stream, as a buffer of that size does: 1 frame did not come out", size)
		if len(c.report.Findings) != 1 || !strings.HasPrefix(c.report.Findings[0].Problem.String(), want) {
			t.Errorf("a buffer of %d bytes: %s", size, c.Summary())
		}
	}
}

// TestLayoutsShowABufferOfAnySize does what a fuzzer does, without its knowledge of what code is
// reached: it changes the data a little and takes any layout.
func TestLayoutsShowABufferOfAnySize(t *testing.T) {
	for _, size := range []int{300, 3000, 10_000} {
		c := NewCheck(losesAt(size))
		const most = 5000
		tries := 1
		for tries < most && c.Once(Layout(fmt.Appendf(nil, "{\"n\":%d}\n{}\n", tries), uint16(100+tries%50))) == "" {
			tries++
		}
		if tries == most {
			t.Errorf("a buffer of %d bytes is not found", size)
		}
		t.Logf("a buffer of %d bytes is found after %d streams", size, tries)
	}
}

func TestEdgesEndALineWhereTheySay(t *testing.T) {
	for i, s := range Edges() {
		size := edges[i/edgeStreams] + i%edgeStreams - 1
		if s.Name != fmt.Sprintf("line end at byte %d", size) || s.Data[size-1] != '\n' || !valid(s.traits()) {
			t.Errorf("%s: %s", s.Name, Quote(s.Data))
		}
	}
	for i, layout := range LayoutsAtEdges() {
		s := Layout([]byte("{}\n"), layout)
		if size := edges[i/edgeStreams] + i%edgeStreams - 1; s.Data[size-1] != '\n' || string(s.Data[size:]) != "{}\n" {
			t.Errorf("layout %d: %s", layout, Quote(s.Data))
		}
	}
}

func TestALayoutEndsWithItsData(t *testing.T) {
	data := []byte("{\"n\":1}\n{\"n\"")
	for layout := range 300 {
		s := Layout(data, uint16(layout))
		if !bytes.HasSuffix(s.Data, data) || len(s.Data) > 70<<10 {
			t.Fatalf("layout %d: %s", layout, Quote(s.Data))
		}
		if again := Layout(data, uint16(layout)); !bytes.Equal(again.Data, s.Data) || !slices.Equal(again.Cuts, s.Cuts) || again.AtEnd != s.AtEnd {
			t.Fatalf("layout %d is another one the second time", layout)
		}
		for _, e := range Expect(s.Data[:len(s.Data)-len(data)]) {
			if !e.Must {
				t.Fatalf("layout %d has before the data: %s", layout, Quote(e.Text))
			}
		}
	}
}

func TestAFunctionReadsOnePieceAtATime(t *testing.T) {
	for _, test := range []struct {
		name   string
		stream Stream
		want   []string // what the reads return, "EOF" with or after the last
	}{
		{"nothing", Stream{}, []string{"EOF"}},
		{"one read", Stream{Data: []byte("abc")}, []string{"abc", "EOF"}},
		{"pieces", Stream{Data: []byte("abcde"), Cuts: []int{1, 4}}, []string{"a", "bcd", "e", "EOF"}},
		{"end with the last bytes", Stream{Data: []byte("abcde"), Cuts: []int{1}, AtEnd: true}, []string{"a", "bcde", "EOF"}},
		{"nothing, and the end with it", Stream{AtEnd: true}, []string{"EOF"}},
		{"longer than the buffer", Stream{Data: []byte("abcdefghij"), AtEnd: true}, []string{"abcdefgh", "ij", "EOF"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			calls := 0
			Func(func(r io.Reader, _ func([]byte)) error {
				for buf := make([]byte, 8); ; {
					n, err := r.Read(buf)
					calls++
					if n > 0 {
						got = append(got, string(buf[:n]))
					}
					if err != nil {
						got = append(got, err.Error())
						return nil
					}
				}
			}).run(test.stream, time.Minute)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if together := calls < len(got); together != (test.stream.AtEnd && len(test.stream.Data) > 0) {
				t.Errorf("%d reads for %q", calls, got)
			}
		})
	}
}

func TestHowAFunctionIsJudged(t *testing.T) {
	two := Stream{Data: []byte("{\"n\":1}\r\nnoise\n{\"n\":2}\n")}
	for _, test := range []struct {
		name   string
		parser Func
		want   Kind // "" if all is well
	}{
		{"an error after all came out", func(_ io.Reader, yield func([]byte)) error {
			objectLines(two.Data, yield)
			return errors.New("there was noise")
		}, ""},
		{"an error before all came out", func(_ io.Reader, yield func([]byte)) error {
			yield([]byte(`{"n":1}`))
			return errors.New("there was noise")
		}, Lost},
		{"a slice that is used again", func(_ io.Reader, yield func([]byte)) error {
			object := []byte(`{"n":1}`)
			yield(object)
			object[5] = '2'
			yield(object)
			return nil
		}, ""},
		{"the LF and other space kept", func(_ io.Reader, yield func([]byte)) error {
			yield([]byte(" {\"n\":1}\n"))
			yield([]byte("{\n\t\"n\": 2\n}\n"))
			return nil
		}, ""},
		{"CR LF kept", func(_ io.Reader, yield func([]byte)) error {
			yield([]byte("{\"n\":1}\r\n"))
			yield([]byte("{\"n\":2}\n"))
			return nil
		}, CRKept},
		{"nothing is not an object", func(_ io.Reader, yield func([]byte)) error {
			yield(nil)
			objectLines(two.Data, yield)
			return nil
		}, Invented},
		{"panic with nil", func(io.Reader, func([]byte)) error { panic(nil) }, Crash},
		{"Goexit", func(io.Reader, func([]byte)) error { runtime.Goexit(); return nil }, Crash},
		{"without end", func(_ io.Reader, yield func([]byte)) error {
			for {
				yield([]byte(`{"n":1}`))
			}
		}, Invented},
		{"never returns", func(r io.Reader, _ func([]byte)) error {
			for {
				r.Read(make([]byte, 1))
			}
		}, Hang},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewCheck(test.parser)
			if test.want == Hang {
				c.deadline = 50 * time.Millisecond
			}
			var got Kind
			if failed := c.judge(two); failed != nil {
				got = failed.Kind
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestOneOfTwoCarriageReturnsMayStay(t *testing.T) {
	c := NewCheck(func(r io.Reader, yield func([]byte)) error {
		yield([]byte("{}\r"))
		return nil
	})
	if text := c.Once(Stream{Data: []byte("{}\r\r\n")}); text != "" {
		t.Error(text)
	}
}

// TestAFunctionThatHungIsEnded checks that no goroutine is left of a parser that goes on reading or
// yielding.
func TestAFunctionThatHungIsEnded(t *testing.T) {
	ended := make(chan struct{})
	Func(func(_ io.Reader, yield func([]byte)) error {
		defer close(ended)
		for {
			time.Sleep(time.Millisecond)
			yield(nil)
		}
	}).run(Stream{}, 20*time.Millisecond)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("it still runs")
	}
}

func TestObjectsAfterTheReturnDoNotCount(t *testing.T) {
	late := make(chan struct{})
	o := Func(func(_ io.Reader, yield func([]byte)) error {
		go func() {
			<-late
			yield([]byte("{}"))
			close(late)
		}()
		return nil
	}).run(Stream{}, time.Minute)
	late <- struct{}{}
	<-late
	if len(o.objects) != 0 {
		t.Errorf("got %q", o.objects)
	}
}
