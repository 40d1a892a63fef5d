package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

var once = sync.OnceValues(All)

func all(t testing.TB) []Vector {
	t.Helper()
	if testing.Short() {
		t.Skip("the vectors are made of all recordings; make test-all runs it")
	}
	list, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// output returns what Write writes.
func output(t testing.TB, list []Vector) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, list); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read returns the vectors of an output, as a user gets them.
func read(t testing.TB, text []byte) (h Header, list []Vector) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&h); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		var v Vector
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return h, list
}

func TestSchemasAgreeWithEveryVector(t *testing.T) {
	_, list := read(t, output(t, all(t)))
	judged := 0
	for _, v := range list {
		if v.Source == Framing {
			continue
		}
		judged++
		doc := []byte(v.Value)
		if doc == nil {
			var err error
			if doc, err = v.Bytes(); err != nil {
				t.Fatal(err)
			}
		}
		err := schema.Default().Open().Validate(v.Definition, doc)
		if (err == nil) != *v.Valid {
			t.Errorf("%s: valid is %v, and the schemas say %v", v.ID, *v.Valid, err)
		}
		if err != nil && !slices.Contains(places(t, err), *v.At) {
			t.Errorf("%s: it is said to be wrong at %q, and the schemas say %v", v.ID, *v.At, err)
		}
	}
	if judged < 2500 {
		t.Errorf("only %d vectors", judged)
	}
}

// places returns the pointers that an error names.
func places(t testing.TB, err error) (list []string) {
	t.Helper()
	var broken *codec.Error
	var invalid *schema.Error
	switch {
	case errors.As(err, &broken):
		return []string{broken.Path}
	case errors.As(err, &invalid):
		for _, v := range invalid.Violations {
			list = append(list, v.Path)
		}
		return list
	}
	t.Fatal(err)
	return nil
}

// chunks reads a stream as it was cut.
type chunks struct {
	data []byte
	cuts []int
	at   int
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.at == len(c.data) {
		return 0, io.EOF
	}
	for len(c.cuts) > 0 && c.cuts[0] <= c.at {
		c.cuts = c.cuts[1:]
	}
	end := len(c.data)
	if len(c.cuts) > 0 {
		end = c.cuts[0]
	}
	n := copy(p, c.data[c.at:end])
	c.at += n
	return n, nil
}

// objects returns what the reader of package codec finds in a stream: the JSON objects by line.
func objects(t testing.TB, r io.Reader) map[int]string {
	t.Helper()
	found := map[int]string{}
	lines := codec.NewReader(r, nil)
	for n := 1; ; n++ {
		l, err := lines.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if l.Kind == codec.ObjectLine && json.Valid(l.Bytes) {
			found[n] = compact(t, l.Bytes)
		}
	}
}

func compact(t testing.TB, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReaderFindsTheFramesOfEveryStream(t *testing.T) {
	_, list := read(t, output(t, all(t)))
	streams := 0
	for _, v := range list {
		if v.Source != Framing {
			continue
		}
		streams++
		data, err := v.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{
			"as it was cut": &chunks{data: data, cuts: v.Cuts},
			"byte by byte":  iotest.OneByteReader(bytes.NewReader(data)),
		} {
			got := objects(t, r)
			want := map[int]string{}
			for _, f := range v.Frames {
				switch {
				case f.Value != nil:
					want[f.Line] = string(f.Value)
				case got[f.Line] != "":
					want[f.Line] = got[f.Line] // it may
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (%s), %s (-want +got):\n%s", v.ID, v.Title, name, diff)
			}
		}
	}
	if streams < 150 {
		t.Errorf("only %d streams", streams)
	}
}

func TestOutputIsTheSameOnEveryRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it judges all recordings once more; make test-all runs it")
	}
	again, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(output(t, all(t)), output(t, again)) {
		t.Error("two runs differ")
	}
}

func TestFolderHasAFileForEachSource(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if err := WriteFolder(dir, all(t)); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, source := range Sources {
		text, err := os.ReadFile(filepath.Join(dir, string(source)+".ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		h, list := read(t, text)
		if h.Vectors != len(list) || slices.ContainsFunc(list, func(v Vector) bool { return v.Source != source }) {
			t.Errorf("%s: the header says %d, and there are %d, or some of other sources", source, h.Vectors, len(list))
		}
		total += len(list)
	}
	if total != len(all(t)) {
		t.Errorf("%d vectors, want %d", total, len(all(t)))
	}
}

func TestHeaderSaysWhatFollows(t *testing.T) {
	h, list := read(t, output(t, all(t)))
	if diff := cmp.Diff(Header{Format, schema.Default().Revision(), len(list)}, h); diff != "" {
		t.Error(diff)
	}
}

func TestEveryVectorHasAnIDOfItsOwnAndOneInput(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range all(t) {
		if seen[v.ID] || !strings.HasPrefix(v.ID, string(v.Source)+"/") {
			t.Errorf("the id %s is another's too, or does not begin with the source", v.ID)
		}
		seen[v.ID] = true
		inputs := 0
		for _, has := range []bool{v.Value != nil, v.Line != nil, v.Line64 != "", v.Stream != nil, v.Stream64 != ""} {
			if has {
				inputs++
			}
		}
		if inputs != 1 {
			t.Errorf("%s has %d inputs", v.ID, inputs)
		}
	}
}

func TestVectorsCoverTheSchemasAndTheRecordings(t *testing.T) {
	examples, rejects := 0, 0
	touched := map[string]bool{} // by version and definition
	counts := map[Source]int{}
	for _, v := range all(t) {
		counts[v.Source]++
		if v.Source == Recording && *v.Valid {
			names, err := schema.Default().Touched(v.Definition, v.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				touched[v.Version+" "+name] = true
			}
		}
	}
	for _, d := range schema.Default().Definitions() {
		examples += len(d.Examples)
		rejects += len(d.Rejects)
	}
	if counts[Example] != examples || counts[Reject] != rejects {
		t.Errorf("%v, want %d examples and %d rejects", counts, examples, rejects)
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{} // lines of a version
	for n, s := range sessions {
		if testing.Short() && n%10 != 0 {
			continue // every tenth session is a sample of this rule
		}
		for i := range s.Lines {
			key := s.Version + " " + string(s.Lines[i].Text)
			if seen[key] {
				continue
			}
			seen[key] = true
			names, err := schema.Default().Touched(schema.Either.Definition(), s.Lines[i].Text)
			if err != nil {
				continue
			}
			for _, name := range names {
				if !touched[s.Version+" "+name] && !strings.HasPrefix(name, schema.Either.Definition()) {
					t.Errorf("%s has %s, and no vector of that version does", s.At(&s.Lines[i]), name)
				}
			}
		}
	}
}

const documentation = "../../docs/vectors.md"

func TestDocumentHasARowForEveryMember(t *testing.T) {
	text, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Header](), reflect.TypeFor[Vector](), reflect.TypeFor[Frame]()} {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(string(text), "\n| `"+name+"` |") {
				t.Errorf("no row for %s of %s", name, typ)
			}
		}
	}
	for _, s := range Sources {
		if !strings.Contains(string(text), "| `"+string(s)+"` |") {
			t.Errorf("no row for the source %s", s)
		}
	}
}
