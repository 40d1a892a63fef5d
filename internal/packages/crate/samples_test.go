//go:build packages

package crate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/packages/crate"
	"github.com/ccwire/ccwire/internal/packages/model"
)

// A sample is a text that is read as the type of a definition.
type sample struct {
	ID         string   `json:"-"`
	Definition string   `json:"-"`
	Valid      bool     `json:"-"`
	At         string   `json:"-"` // of an invalid one: where it is wrong
	Kept       []string `json:"-"` // texts of which one is written back

	Type  string   `json:"type"`
	Text  string   `json:"text"`
	Bytes []int    `json:"bytes,omitempty"` // in the place of a text that is no UTF-8
	Arms  []string `json:"arms,omitempty"`
}

// A verdict is what the crate made of a sample.
type verdict struct {
	Read    bool
	At, Why string
	Text    string
	Missing string
}

// typesOf writes types.rs: which Rust type each definition is. It returns the names.
func typesOf(t *testing.T, m *model.Model, definitions []string, file string) {
	t.Helper()
	var out strings.Builder
	out.WriteString("fn check_type(name: &str, text: &[u8], arms: &[Value]) -> Option<Value> {\n    Some(match name {\n")
	for _, d := range definitions {
		name, err := crate.RustType(m, m.Definition(d))
		if err != nil {
			t.Fatal(err)
		}
		name = strings.NewReplacer("BTreeMap", "std::collections::BTreeMap").Replace(name)
		fmt.Fprintf(&out, "        %q => check::<%s>(text, arms),\n", d, name)
	}
	out.WriteString("        \"\" => check::<Map<String, Value>>(text, arms),\n        _ => return None,\n    })\n}\n")
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// judge has the samples read by the crate, and fails the test where it does not do as the sample
// says.
func (u *user) judge(samples []sample) {
	u.t.Helper()
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for i := range samples {
		samples[i].Type = samples[i].Definition
		if err := e.Encode(&samples[i]); err != nil {
			u.t.Fatal(err)
		}
	}
	cmd := u.command(u.project, filepath.Join(u.target, "debug", "check"))
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		u.t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(samples) {
		u.t.Fatalf("%d verdicts on %d samples", len(lines), len(samples))
	}
	for i, s := range samples {
		var v verdict
		if err := json.Unmarshal(lines[i], &v); err != nil {
			u.t.Fatal(err)
		}
		if problem := s.problem(v); problem != "" {
			u.t.Errorf("%s (%s): %s", s.ID, s.Definition, problem)
		}
	}
	u.t.Logf("%d samples", len(samples))
}

func (s *sample) problem(v verdict) string {
	switch {
	case s.Valid && !v.Read:
		return fmt.Sprintf("it is refused: %s: %s", v.At, v.Why)
	case !s.Valid && v.Read:
		return "it is read, though it is wrong at " + s.At
	case !s.Valid && s.At != "?" && s.At != v.At:
		return fmt.Sprintf("it is wrong at %q, and the error is at %q: %s", s.At, v.At, v.Why)
	case !s.Valid:
		return ""
	case v.Missing != "":
		return "it is not read as " + v.Missing
	case !slices.ContainsFunc(s.Kept, func(text string) bool { return same(text, v.Text) }):
		return fmt.Sprintf("it becomes %s", v.Text)
	}
	return ""
}

// same reports whether two texts are the same JSON; halves of surrogate pairs count.
func same(one, other string) bool {
	x, err := codec.Raw(one).Any()
	y, err2 := codec.Raw(other).Any()
	return err == nil && err2 == nil && reflect.DeepEqual(x, y)
}

// narrowed returns the arms of the unions that each side has arms of its own of.
func narrowed(m *model.Model) (list []*model.Type) {
	for _, name := range []string{"Frame", "Request", "Result"} {
		for _, a := range m.Type(name).Union.Arms {
			list = append(list, a.Type)
		}
	}
	return list
}

// armsOf returns the arms of unions that a value of the Go codec and its parts are of, as Rust
// prints them.
func armsOf(m *model.Model, from model.Direction, value any) (list []string) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				return
			}
			if v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer {
				name := v.Elem().Elem().Type().Name()
				if t := m.Type(name); t != nil && t.Direction != model.Both && t.Direction != from && slices.Contains(narrowed(m), t) {
					list = append(list, "Unknown(") // it is not for this side
				} else if t != nil && t.Struct != nil && !t.Legacy && !strings.HasPrefix(name, "Unknown") {
					rust := crate.RustName(t)
					if m.Type(name+"FromCLI") == nil { // there, it has the longer name
						rust += " {"
					}
					list = append(list, rust)
				} else if strings.HasPrefix(name, "Unknown") {
					list = append(list, "Unknown(")
				}
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				return
			}
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key))
			}
		}
	}
	walk(reflect.ValueOf(&value).Elem())
	slices.Sort(list)
	return slices.Compact(list)
}
