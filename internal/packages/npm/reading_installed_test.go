//go:build packages

package npm_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/fuzz"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/vectors"
	"github.com/ccwire/ccwire/schema"
)

// A sample is a recorded line.
type sample struct {
	At   string `json:"at"`
	From string `json:"from"` // cli or sdk
	Line []byte `json:"line"`
}

// A reading is what the installed package makes of a sample.
type reading struct{ Type, Written, Path, Reason string }

func samples(t *testing.T) (list []sample) {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		for i := range s.Lines {
			l := &s.Lines[i]
			from := "sdk"
			if l.Dir == recording.ToSDK {
				from = "cli"
			}
			list = append(list, sample{s.At(l), from, l.Text})
		}
	}
	return list
}

func ndjson[T any](t *testing.T, list []T) []byte {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for i := range list {
		if err := e.Encode(list[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestInstalledReadersReadEveryRecordedLineIntoItsArmAndWriteItBack(t *testing.T) {
	judgeAll(t, samples(t), func(m *model.Model, s *sample, r *reading) string {
		if problem := s.verdict(r); problem != "" || r.Reason != "" {
			return problem
		}
		return s.compare(m, r)
	})
}

// judgeAll reads all samples with the installed package, and fails the test for each problem.
func judgeAll(t *testing.T, list []sample, judge func(*model.Model, *sample, *reading) string) {
	t.Helper()
	dir := project(t)
	m, err := model.New(schema.Default())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "samples.ndjson", ndjson(t, list))
	out := bufio.NewScanner(bytes.NewReader(run(t, dir, "node", "samples.mjs", "samples.ndjson")))
	out.Buffer(nil, 64<<20)
	count := 0
	for ; out.Scan(); count++ {
		s := &list[count]
		var r reading
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if problem := judge(m, s, &r); problem != "" {
			t.Errorf("%s: %s", s.At, problem)
		}
	}
	if count != len(list) {
		t.Errorf("%d of %d lines were read", count, len(list))
	}
}

// verdict says how a line was judged otherwise than by the schemas.
func (s *sample) verdict(r *reading) string {
	from := schema.FromSDK
	if s.From == "cli" {
		from = schema.FromCLI
	}
	err := schema.Default().Open().ValidateFrame(from, s.Line)
	if (err == nil) != (r.Reason == "") {
		return fmt.Sprintf("the schemas say %v, the package %q at %q: %s", err, r.Reason, r.Path, s.Line)
	}
	var invalid *schema.Error
	if errors.As(err, &invalid) && !strings.HasPrefix(r.Path, "/") && invalid.Violations[0].Path != "" {
		return fmt.Sprintf("%v has no path: %s", err, r.Reason)
	}
	return ""
}

// compare says how a reading differs from that of the Go codec, legacy shapes in their modern form.
func (s *sample) compare(m *model.Model, r *reading) string {
	legacy := false
	frame, err := wire.DecodeFrame(s.Line, &codec.Options{Report: func(d codec.Deviation) { legacy = legacy || d.Kind == codec.LegacyShape }})
	if err != nil {
		return err.Error()
	}
	arm := reflect.TypeOf(frame).Elem().Name()
	lines, unknown := m.FromSDK, "UnknownFromSDK"
	if s.From == "cli" {
		lines, unknown = m.FromCLI, "UnknownFromCLI"
	}
	if !slices.ContainsFunc(lines.Union.Arms, func(a *model.Arm) bool { return slices.Contains(a.Values, frame.Type()) }) {
		arm = unknown // of the other direction, or of none
	}
	if r.Type != arm {
		return fmt.Sprintf("it is a %s, in Go a %s", r.Type, arm)
	}
	want := s.Line
	if legacy {
		if want, err = wire.Append(nil, frame); err != nil {
			return err.Error()
		}
	}
	return cmp.Diff(exact(want), exact([]byte(r.Written)))
}

// rounded reports whether a line has a fraction that is a whole number as a float64.
func rounded(line []byte) bool {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		text, ok := token.(json.Number)
		if !ok {
			continue
		}
		n, ok := new(big.Rat).SetString(text.String())
		if !ok || n.IsInt() {
			continue
		}
		if f, _ := n.Float64(); f == math.Trunc(f) {
			return true
		}
	}
}

// exact returns JSON as Go values, with exact numbers.
func exact(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return numbers(v)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, ok := new(big.Rat).SetString(string(v)); ok {
			return n.String()
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = numbers(v[name])
		}
	}
	return v
}

func TestInstalledReadersJudgeTheVectorsAsTheSchemasDo(t *testing.T) {
	dir := project(t)
	var file bytes.Buffer
	list, err := vectors.All()
	if err != nil {
		t.Fatal(err)
	}
	if err := vectors.Write(&file, list); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "vectors.ndjson", file.Bytes())
	got := string(run(t, dir, "node", "vectors.mjs", "vectors.ndjson"))
	if want := fmt.Sprintf("%d vectors\n", len(list)); got != want {
		t.Error(got)
	}
}

func TestInstalledReadersJudgeGeneratedLinesAsTheSchemasDo(t *testing.T) {
	var list []sample
	for name, from := range map[string]schema.Direction{"cli": schema.FromCLI, "sdk": schema.FromSDK} {
		frames, mutants := fuzz.Frames(from), fuzz.Mutants(from)
		for i := range 1500 {
			list = append(list, sample{fmt.Sprintf("frame %d from %s", i, name), name, frames.Example(i)},
				sample{fmt.Sprintf("mutant %d from %s", i, name), name, mutants.Example(i).JSON})
		}
	}
	judgeAll(t, list, func(_ *model.Model, s *sample, r *reading) string {
		if rounded(s.Line) {
			return "" // JSON.parse makes a whole number of a fraction
		}
		return s.verdict(r)
	})
}
