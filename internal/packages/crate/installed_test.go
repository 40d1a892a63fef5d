//go:build packages

package crate_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/vectors"
	"github.com/ccwire/ccwire/schema"
)

// A user is a project that takes the packed crate.
type user struct {
	t                      testing.TB
	crate, project, target string
}

func (u *user) command(dir, name string, args ...string) *exec.Cmd {
	cmd := packagestest.Command(u.t, dir, name, args...)
	cmd.Env = append(cmd.Env, "CARGO_TARGET_DIR="+u.target, "CARGO_INCREMENTAL=0")
	return cmd
}

func (u *user) run(dir, name string, args ...string) []byte {
	u.t.Helper()
	out, err := u.command(dir, name, args...).CombinedOutput()
	if err != nil {
		const most = 8000
		u.t.Fatalf("%s %v: %v\n%s", name, args, err, out[:min(len(out), most)])
	}
	return out
}

// install unpacks the packed crate beside a project that needs it, and compiles that.
func install(t *testing.T) *user {
	t.Helper()
	shared.once.Do(func() { shared.dir = unpack(t) })
	if shared.dir == "" {
		t.Fatal("the crate is not installed")
	}
	return &user{t, filepath.Join(shared.dir, "ccwire-"+packagestest.Version), filepath.Join(shared.dir, "user"), filepath.Join(shared.dir, "target")}
}

// shared is the project of all tests: it takes a while to compile.
var shared struct {
	once sync.Once
	dir  string
}

func unpack(t *testing.T) string {
	files := packagestest.Pack(t, "crate")
	dir, err := os.MkdirTemp("", "crate")
	if err != nil {
		t.Fatal(err)
	}
	copyFile(t, files[0], filepath.Join(dir, "packed.crate"))
	packed, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if err := untar(dir, packed); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "user")
	if err := os.CopyFS(project, os.DirFS("testdata/user")); err != nil {
		t.Fatal(err)
	}
	typesOf(t, load(t), definitions(), filepath.Join(project, "src", "types.rs"))
	u := &user{t, "", project, filepath.Join(dir, "target")}
	u.run(project, "cargo", "build", "--quiet", "--locked")
	return dir
}

func untar(dir string, r io.Reader) error {
	plain, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for files := tar.NewReader(plain); ; {
		h, err := files.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
}

var load = func() func(*testing.T) *model.Model {
	once := sync.OnceValues(func() (*model.Model, error) { return model.New(schema.Default()) })
	return func(t *testing.T) *model.Model {
		t.Helper()
		m, err := once()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}()

// definitions returns the names of all definitions of the protocol.
func definitions() (names []string) {
	for _, d := range schema.Default().Definitions() {
		names = append(names, d.Name())
	}
	return names
}

// TestTheInstalledCrateIsCompiledSoon counts processor time, which a busy machine makes longer, too:
// 20 s of two quiet processors leave some room.
func TestTheInstalledCrateIsCompiledSoon(t *testing.T) {
	const most = 30 * time.Second
	installed := install(t)
	u := &user{t, installed.crate, t.TempDir(), filepath.Join(t.TempDir(), "target")}
	u.run(u.project, "cargo", "init", "--quiet", "--name", "agent")
	u.run(u.project, "cargo", "add", "--quiet", "--path", u.crate)
	u.run(u.project, "cargo", "fetch", "--quiet")
	cmd := u.command(u.project, "cargo", "build", "--quiet", "--offline")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > most {
		t.Errorf("it took %v of processor time, with serde and serde_json, want at most %v", took, most)
	} else {
		t.Logf("%v of processor time", took)
	}
}

func TestTheInstalledCrateAgreesWithTheVectors(t *testing.T) {
	u := install(t)
	all, err := vectors.All()
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	for i := range all {
		v := &all[i]
		if v.Source == vectors.Framing {
			samples = append(samples, framing(t, v)...)
			continue
		}
		s := sample{ID: v.ID, Definition: v.Definition, Valid: *v.Valid, Text: string(v.Value)}
		if v.Value == nil {
			text, err := v.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			s.setText(text)
		}
		if v.At != nil {
			s.At = *v.At
		}
		if v.Source == vectors.Recording && v.Value != nil { // such a line may be wrong in several places
			s.At = "?"
		}
		s.Kept = kept(load(t), v.Definition, s.Text)
		samples = append(samples, s)
	}
	u.judge(samples)
}

// setText sets the text, which may be no UTF-8.
func (s *sample) setText(text []byte) {
	s.Text = string(text)
	if utf8.Valid(text) {
		return
	}
	s.Text = ""
	for _, b := range text {
		s.Bytes = append(s.Bytes, int(b))
	}
}

// framing returns the lines of a stream, each of which is read as any object.
func framing(t *testing.T, v *vectors.Vector) (list []sample) {
	stream, err := v.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	frames := map[int]string{}
	open := map[int]bool{}
	for _, f := range v.Frames {
		frames[f.Line], open[f.Line] = string(f.Value), f.Value == nil
	}
	for i, line := range bytes.Split(stream, []byte("\n")) {
		want, ok := frames[i+1]
		if open[i+1] {
			continue
		}
		s := sample{ID: v.ID, Valid: ok, At: "?", Kept: []string{want}}
		s.setText(line)
		list = append(list, s)
	}
	return list
}

func TestTheInstalledCrateReadsEveryRecordedLine(t *testing.T) {
	u := install(t)
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	m := load(t)
	var samples []sample
	seen := map[string]bool{}
	add := func(id, definition string, text []byte, err error) {
		if seen[definition+string(text)] {
			return
		}
		seen[definition+string(text)] = true
		s := sample{ID: id, Definition: definition, Valid: err == nil, At: "?"}
		s.setText(text)
		var broken *codec.Error
		if err == nil {
			s.Kept = kept(m, definition, s.Text)
		} else if errors.As(err, &broken) && broken.Kind == codec.TooDeep {
			return
		}
		if frame, decoded := wire.Decode(text); err == nil && decoded == nil && strings.HasPrefix(definition, "envelope/from_") {
			from := model.SDK
			if definition == schema.FromCLI.Definition() {
				from = model.CLI
			}
			s.Arms = armsOf(m, from, frame)
		}
		samples = append(samples, s)
	}
	for _, s := range sessions {
		for i := range s.Lines {
			l := &s.Lines[i]
			from := schema.FromSDK
			if l.Dir == recording.ToSDK {
				from = schema.FromCLI
			}
			add(s.At(l), from.Definition(), l.Text, schema.Default().Open().ValidateFrame(from, l.Text))
			if response := schema.Default().Response(l.Answers); l.Body != nil && response != nil {
				add(s.At(l), response.Name(), l.Body, schema.Default().Open().Validate(response.Name(), l.Body))
			}
		}
	}
	u.judge(samples)
}

// kept returns what may be written back: the text, or the modern form of it. That of what is nested
// in a line is as the Go codec has it.
func kept(m *model.Model, definition, text string) []string {
	list := []string{text, modern(m, definition, text)}
	if !strings.HasPrefix(definition, "envelope/f") {
		return list
	}
	frame, err := wire.Decode([]byte(text))
	if err != nil {
		return list
	}
	if again, err := wire.Append(nil, frame); err == nil {
		list = append(list, string(again))
	}
	return list
}

// modern returns the modern form of a legacy shape, and other texts as they are.
func modern(m *model.Model, definition, text string) string {
	e := m.Definition(definition)
	if e == nil || e.Type == nil || e.Type.Union == nil {
		return text
	}
	for _, a := range e.Type.Union.Arms {
		if !a.Legacy || a.Type.Struct == nil || len(a.Type.Struct.Modern) == 0 {
			continue
		}
		if schema.Default().Open().Validate(a.Type.Definition, []byte(text)) == nil {
			return patched(a.Type.Struct.Modern, text)
		}
	}
	return text
}

// patched applies the steps of a JSON patch.
func patched(steps []schema.PatchOp, text string) string {
	var doc any
	if json.Unmarshal([]byte(text), &doc) != nil {
		return text
	}
	for _, s := range steps {
		value := any(nil)
		if s.Op == "move" {
			value = at(&doc, s.From, nil, true)
		} else if json.Unmarshal(s.Value, &value) != nil {
			return text
		}
		at(&doc, s.Path, value, false)
	}
	out, err := json.Marshal(doc)
	if err != nil {
		return text
	}
	return string(out)
}

// at takes out what is at a path, or puts a value there.
func at(doc *any, path string, value any, take bool) any {
	if path == "" {
		*doc = value
		return nil
	}
	names := strings.Split(path[1:], "/")
	inner, _ := (*doc).(map[string]any)
	for _, name := range names[:len(names)-1] {
		inner, _ = inner[name].(map[string]any)
	}
	last := names[len(names)-1]
	if !take {
		inner[last] = value
		return nil
	}
	value = inner[last]
	delete(inner, last)
	return value
}

func TestTheExamplesOfTheInstalledCrateRun(t *testing.T) {
	u := install(t)
	u.run(u.crate, "cargo", "test", "--quiet", "--doc")
}

func TestTheInstalledCrateKeepsWhatIsOdd(t *testing.T) {
	u := install(t)
	u.run(u.project, "cargo", "test", "--quiet", "--locked", "--test", "kept")
}

func TestTheInstalledCrateHasNoWarnings(t *testing.T) {
	u := install(t)
	for _, args := range [][]string{
		{"clippy", "--quiet", "--all-features", "--", "--deny", "warnings"},
		{"doc", "--quiet", "--all-features", "--no-deps"},
	} {
		cmd := u.command(u.crate, "cargo", args...)
		cmd.Env = append(cmd.Env, "RUSTDOCFLAGS=--deny warnings")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("cargo %v: %v\n%.4000s", args, err, out)
		}
	}
}
