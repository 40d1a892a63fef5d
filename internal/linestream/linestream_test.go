package linestream_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/schema"
)

// list reads an input and describes each line in a few words.
func list(t testing.TB, src io.Reader, o linestream.Options) (got []string) {
	t.Helper()
	r := linestream.NewReader(src, o)
	for {
		l, err := r.Next()
		if err == io.EOF {
			return got
		}
		if err != nil {
			return append(got, "error "+err.Error())
		}
		switch {
		case l.Skipped != "":
			got = append(got, fmt.Sprintf("%d skipped: %s", l.Number, l.Skipped))
		case l.Err != nil:
			got = append(got, fmt.Sprintf("%d bad: %v", l.Number, errors.Is(l.Err, linestream.ErrNotEntry)))
		}
		for _, p := range l.Parts {
			got = append(got, fmt.Sprintf("%d %d %v %s|%s", l.Number, p.Direction, p.Kind, p.Bytes, p.Text))
		}
	}
}

func TestInputIsPlainOrARecordingByItsFirstObject(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"empty", "", nil},
		{"plain", "{\"type\":\"a\"}\n\n text\t\r\n{\"dir\":\"cli->sdk\"}", []string{
			`1 2 object {"type":"a"}|{"type":"a"}`,
			`2 2 blank line |`,
			"3 2 text that is not a JSON object text| text\t\r",
			`4 2 object {"dir":"cli->sdk"}|{"dir":"cli->sdk"}`,
		}},
		{"plain that has a dir", `{"dir":"cli->sdk","type":"a"}`, []string{
			`1 2 object {"dir":"cli->sdk","type":"a"}|{"dir":"cli->sdk","type":"a"}`,
		}},
		{"byte-order mark", "\ufeff{\"type\":\"a\"}\r\n", []string{
			"1 2 object {\"type\":\"a\"}|\ufeff{\"type\":\"a\"}\r",
		}},
		{"recording", `{"dir":"header","version":"1"}` + "\n" + `{"dir":"sdk->cli", "line": "{\"a\":1}"}` + "\n" + `{"dir":"cli->sdk","line":"x"}` + "\n", []string{
			`1 skipped: not a line of the protocol`,
			`2 2 object {"a":1}|{"a":1}`,
			`3 1 text that is not a JSON object x|x`,
		}},
		{"several lines in an entry", `{"dir":"sdk->cli","line":"{\"a\":1}\n\n {\"b\":2}"}`, []string{
			`1 2 object {"a":1}|{"a":1}`,
			`1 2 blank line |`,
			`1 2 object {"b":2}| {"b":2}`,
		}},
		{"exact bytes", `{"dir":"sdk->cli","line_b64":"ev8=","line":"z?"}`, []string{"1 2 text that is not a JSON object z\xff|z\xff"}},
		{"entries without what was sent", `{"dir":"sdk->cli","cut":3}` + "\n" + `{"dir":"sdk->cli","truncated_from_chars":30,"line":"{"}`, []string{
			`1 skipped: without a line`, `2 skipped: shortened by the recorder`,
		}},
		{"lines that are no entries", "{\"dir\":\"x\"}\n{\"dir\":\nnoise\n{\"type\":\"a\"}\n{\"dir\":\"sdk->cli\",\"line_b64\":\"?\"}\n", []string{
			`1 skipped: not a line of the protocol`, `2 bad: true`, `3 bad: true`, `4 bad: true`, `5 bad: true`,
		}},
		{"noise before a recording", "npm notice\n{\"dir\":\"x\"}\n", []string{
			`1 2 text that is not a JSON object npm notice|npm notice`, `2 skipped: not a line of the protocol`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := linestream.Options{Direction: schema.FromSDK}
			if diff := cmp.Diff(tt.want, list(t, strings.NewReader(tt.input), o)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, list(t, iotest.OneByteReader(strings.NewReader(tt.input)), o)); diff != "" {
				t.Errorf("byte by byte (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinesOverTheLimitAreReportedAndTheNextOneIsFine(t *testing.T) {
	for _, length := range []int{10, 11, 12, 4000, 5000, 100_000, 200_000} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			long := strings.Repeat("x", length)
			for _, end := range []string{"\n", "\r\n"} {
				var spilled bytes.Buffer
				input := long + end + "{}\n" + long
				r := linestream.NewReader(strings.NewReader(input), linestream.Options{MaxLine: 10, Oversize: &spilled})
				var kinds []codec.LineKind
				var lengths []int64
				var out []byte
				for {
					l, err := r.Next()
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					kinds = append(kinds, l.Parts[0].Kind)
					lengths = append(lengths, l.Parts[0].Len)
					spilled.Write(l.Raw)
				}
				out = spilled.Bytes()
				kind := codec.OversizeLine
				if length <= 10 {
					kind = codec.TextLine
				}
				if diff := cmp.Diff([]codec.LineKind{kind, codec.ObjectLine, kind}, kinds); diff != "" {
					t.Error(diff)
				}
				if want := []int64{int64(length + len(end) - 1), 2, int64(length)}; !cmp.Equal(want, lengths) {
					t.Errorf("lengths %d, want %d", lengths, want)
				}
				if string(out) != input {
					t.Error("the bytes of the input are not all there")
				}
			}
		})
	}
}

func TestErrorOfTheSourceComesAfterTheLinesBeforeIt(t *testing.T) {
	src := io.MultiReader(strings.NewReader("{}\n{"), iotest.ErrReader(errors.New("gone")))
	want := []string{`1 0 object {}|{}`, `error gone`}
	if diff := cmp.Diff(want, list(t, src, linestream.Options{})); diff != "" {
		t.Error(diff)
	}
}

func TestAppendWithReplacesTheLineAndNothingElse(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"plain", "{ }\r\n", "NEW\n"},
		{"recording", "\ufeff{\"t\":1.50, \"dir\" : \"sdk->cli\",\"line\" :  \"{ }\" , \"z\":[ ]} \n", "\ufeff{\"t\":1.50, \"dir\" : \"sdk->cli\",\"line\" :  \"NEW\" , \"z\":[ ]} \n"},
		{"not UTF-8", `{"dir":"sdk->cli","line_b64":"/w==","line":"?"}` + "\n", `{"dir":"sdk->cli","line_b64":"/w==","line":"?"}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := linestream.NewReader(strings.NewReader(tt.input), linestream.Options{}).Next()
			if err != nil {
				t.Fatal(err)
			}
			got, err := l.AppendWith(nil, [][]byte{[]byte("NEW")})
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func zip(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpenReadsPlainAndGzipAndSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	zipped := zip(t, strings.Repeat("{}\n", 1000))
	damaged := bytes.Clone(zipped)
	damaged[len(damaged)-6] ^= 0xff
	files := map[string][]byte{
		"plain": []byte("{}\n"), "a.gz": zipped, "unnamed": zipped, "cut.gz": zipped[:len(zipped)-9], "sum.gz": damaged,
		"not.gz": []byte("{}\n"), "header.gz": {0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, "two.gz": {0x1f, 0x8b}, "empty": nil, "empty.gz": nil,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name  string
		bytes int
		err   string
	}{
		{"plain", 3, ""}, {"a.gz", 3000, ""}, {"unnamed", 3000, ""}, {"empty", 0, ""},
		{"cut.gz", -1, "cut off"}, {"sum.gz", -1, "damaged"}, {"header.gz", -1, "damaged"}, {"two.gz", -1, "cut off"},
		{"not.gz", -1, "not gzip data"}, {"empty.gz", -1, "not gzip data"},
		{"", -1, "is a folder"}, {"missing", -1, "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(dir, tt.name)
			f, err := linestream.Open(name, nil)
			var text []byte
			if err == nil {
				defer f.Close()
				text, err = io.ReadAll(f)
			}
			switch {
			case tt.err == "" && (err != nil || len(text) != tt.bytes):
				t.Errorf("got %d bytes, %v", len(text), err)
			case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || !strings.HasPrefix(err.Error(), name)):
				t.Errorf("got %v, want an error with %q", err, tt.err)
			}
		})
	}
}

func TestOpenReadsStandardInputAlsoZipped(t *testing.T) {
	for name, text := range map[string][]byte{"plain": []byte("{}\n"), "gzip": zip(t, "{}\n")} {
		f, err := linestream.Open(linestream.Stdin, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != "{}\n" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}
