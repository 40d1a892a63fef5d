package vendoring

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// withTypes is the small tree with a file of types.
func withTypes(text string) fstest.MapFS {
	tree := small()
	tree["gen/wire/hook_gen.go"] = &fstest.MapFile{Data: []byte("package wire\n\n" + text)}
	return tree
}

const oldTypes = `
const Revision = "one"

type StopInput struct {
	SessionID string ` + "`json:\"session_id\"`" + `
	Active    bool
	Gone      *int64
	hidden    int
}

type Handler interface {
	HookCallback(r *StopInput) error
	isHandler()
}

type Mode string

const (
	ModeFast Mode = "fast"
	ModeSlow Mode = "slow"
)

type Old struct{ A int }

type private struct{ A int }
`

const newTypes = `
const Revision = "two"

// A comment is not a change.
type StopInput struct {
	SessionID string ` + "`json:\"session_id\"`" + `
	Active    *bool
	Why       Mode
	hidden    string
}

type Handler interface {
	HookCallback(r *StopInput) error
	CanUseTool() error
	isHandler()
}

type Mode string

const (
	ModeFast Mode = "faster"
	ModeTurbo Mode = "turbo"
)

type New struct{ A, B int }
`

func TestAnUpdateSaysWhichTypesAndMembersAreDifferent(t *testing.T) {
	dir := filepath.Join(scratchModule(t), "wire")
	first := newCopy(t, dir, withTypes(oldTypes))
	if s, err := first.Summary(); s != nil || err != nil {
		t.Errorf("before the first copy: %v, %v", s, err)
	}
	write(t, first)
	got, err := newCopy(t, dir, withTypes(newTypes)).Summary()
	if err != nil {
		t.Fatal(err)
	}
	want := &Summary{
		From: "one", To: "two",
		Added:   []string{"Handler.CanUseTool", "Mode.ModeTurbo", "New", "StopInput.Why"},
		Removed: []string{"Mode.ModeSlow", "Old", "StopInput.Gone"},
		Changed: []string{`Mode.ModeFast: "faster", was "fast"`, "StopInput.Active: *bool, was bool"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestAnUpdateToTheSameTypesHasNothingToSay(t *testing.T) {
	dir := filepath.Join(scratchModule(t), "wire")
	write(t, newCopy(t, dir, withTypes(oldTypes)))
	for name, o := range map[string]Options{
		"same":          {},
		"other package": {Package: "claude"},
	} {
		o.Dir, o.Sources, o.Info = dir, withTypes(oldTypes), info
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := c.Summary(); err != nil || !s.None() {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

func TestAnUpdateOfABrokenCopyComparesWhatCanBeRead(t *testing.T) {
	dir := filepath.Join(scratchModule(t), "wire")
	write(t, newCopy(t, dir, withTypes(oldTypes)))
	writeTestFile(t, filepath.Join(dir, "hook_gen.go"), "package wire\n\ntype Old struct{ A int }\n\ntype {{{\n")
	s, err := newCopy(t, dir, withTypes(newTypes)).Summary()
	if err != nil || s.From != "" || !cmp.Equal(s.Removed, []string{"Old"}) {
		t.Errorf("%+v, %v", s, err)
	}
}
