//go:build packages

package pypi_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/vectors"
	"github.com/ccwire/ccwire/schema"
)

// A recorded line, and what the schemas and the Go codec say of it.
type recorded struct {
	At    string   `json:"at"`
	CLI   bool     `json:"cli"` // the CLI wrote it
	Text  []byte   `json:"text"`
	Valid bool     `json:"valid"`
	Arms  []string `json:"arms"` // of unions, in it and its parts
	Want  string   `json:"want"` // how the codec writes it again

	// Of a body of an answer: the subtype of the request, and the body. The rest but At and Valid is
	// empty.
	Answers string          `json:"answers,omitempty"`
	Body    json.RawMessage `json:"body,omitempty"`
}

func TestInstalledReadersReadEveryRecordedLine(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(schema.Default())
	if err != nil {
		t.Fatal(err)
	}
	var lines []recorded
	for _, s := range sessions {
		for i := range s.Lines {
			l := &s.Lines[i]
			r := recorded{At: s.At(l), CLI: l.Dir == recording.ToSDK, Text: l.Text}
			from := schema.FromSDK
			if r.CLI {
				from = schema.FromCLI
			}
			if r.Valid = schema.Default().Open().ValidateFrame(from, l.Text) == nil; r.Valid {
				r.Want = string(l.Text)
				decode(t, m, &r)
			}
			lines = append(lines, r)
			if response := schema.Default().Response(l.Answers); l.Body != nil && response != nil {
				err := schema.Default().Open().Validate(response.Name(), l.Body)
				lines = append(lines, recorded{At: r.At, Answers: l.Answers, Body: l.Body, Valid: err == nil})
			}
		}
	}
	report(t, "recorded.py", ndjson(t, lines))
}

// decode sets what the Go codec says of a line: the arms, and how it is written. A line that only
// the other side sends is unknown here.
func decode(t *testing.T, m *model.Model, r *recorded) {
	frame, err := wire.Decode(r.Text)
	if err != nil {
		t.Errorf("%s: %v", r.At, err)
		return
	}
	if text, err := wire.Append(nil, frame); err == nil {
		r.Want = string(text)
	}
	direction := model.SDK
	if r.CLI {
		direction = model.CLI
	}
	if of := m.Type(reflect.TypeOf(frame).Elem().Name()); of == nil || of.Direction == model.Both || of.Direction == direction {
		walk(reflect.ValueOf(&frame).Elem(), &r.Arms)
	}
}

func TestInstalledReadersTakeAtMostFiveTimesAsLongAsTheParser(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	for _, s := range sessions {
		for i := range s.Lines {
			if l := &s.Lines[i]; l.Dir == recording.ToSDK && len(lines) < 10_000 {
				lines = append(lines, l.Text)
			}
		}
	}
	report(t, "speed.py", bytes.Join(lines, []byte("\n")))
}

// walk adds the names of the types in the interfaces of a value.
func walk(v reflect.Value, arms *[]string) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			*arms = append(*arms, v.Elem().Type().Elem().Name())
			walk(v.Elem(), arms)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), arms)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), arms)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Type().Field(i).IsExported() && name != "Extra" && name != "Err" {
				walk(v.Field(i), arms)
			}
		}
	}
}

func TestInstalledReadersPassTheVectors(t *testing.T) {
	m, err := model.New(schema.Default())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, d := range schema.Default().Definitions() {
		if e := m.Definition(d.Name()); e.Kind == model.Ref {
			names[d.Name()] = e.Type.Name
		}
	}
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(names); err != nil {
		t.Fatal(err)
	}
	all, err := vectors.All()
	if err != nil {
		t.Fatal(err)
	}
	if err := vectors.Write(&out, all); err != nil {
		t.Fatal(err)
	}
	report(t, "vectors.py", out.Bytes())
}

// report runs a program of testdata on a file, and fails for each line that it prints.
func report(t *testing.T, program string, input []byte) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "input"), input, 0o644); err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(filepath.Join("testdata", program))
	if err != nil {
		t.Fatal(err)
	}
	problems, last := "", strings.TrimSpace(python(t, dir, abs, "input"))
	if i := strings.LastIndexByte(last, '\n'); i >= 0 {
		problems, last = last[:i], last[i+1:]
	}
	if problems != "" {
		t.Errorf("%s", problems[:min(len(problems), 8000)])
	}
	t.Log(last)
}

func ndjson[T any](t *testing.T, values []T) []byte {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
