package regenerate

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/recording/pack"
	"github.com/ccwire/ccwire/internal/typings"
)

// checkout returns a copy of this checkout's schemas and table of flags with a go.mod, and of the
// recordings of one area.
func checkout(t testing.TB) string {
	t.Helper()
	here, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+modulePath+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := copySchemas(filepath.Join(root, schemaDir), os.DirFS(filepath.Join(here, schemaDir))); err != nil {
		t.Fatal(err)
	}
	area := recordingsDir + "/2.1.325/turn"
	if err := os.CopyFS(filepath.Join(root, area), os.DirFS(filepath.Join(here, area))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{cliDir + "/flags.json", typings.File} {
		text, err := os.ReadFile(filepath.Join(here, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestThisCheckoutIsUpToDate(t *testing.T) {
	if testing.Short() {
		t.Skip("it generates everything; make test-all runs it")
	}
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	stale, err := Stale(root)
	if err != nil || len(stale) > 0 {
		t.Errorf("run make generate: %q is stale, %v", stale, err)
	}
}

func TestWriteChangesWhatStaleNamesAndNothingTheSecondTime(t *testing.T) {
	if testing.Short() {
		t.Skip("it generates everything several times; make test-all runs it")
	}
	root := checkout(t)
	first, err := Write(root)
	if err != nil || !slices.Contains(first, "gen/wire/frame_gen.go") {
		t.Fatalf("first: %q, %v", first, err)
	}
	if second, err := Write(root); err != nil || len(second) > 0 {
		t.Errorf("second: %q, %v", second, err)
	}
	addSubtype(t, root)
	changeFlag(t, root)
	addRecording(t, root)
	leftover := filepath.Join(root, "gen", "wire", "gone_gen.go")
	if err := os.MkdirAll(filepath.Dir(leftover), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(leftover, nil, 0o644); err != nil {
		t.Fatal(err)
	}

	before := newest(t, root)
	stale, err := Stale(root)
	if err != nil {
		t.Fatal(err)
	}
	if !newest(t, root).Equal(before) {
		t.Error("the look has written something")
	}
	for _, want := range []string{"gen/wire/control_gen.go", "gen/wire/gone_gen.go", "schema/envelope/control_request.json", "transport/cli/flags_gen.go", "docs/flags.md",
		"conformance/recordings/packed/2.1.325/turn.txtar.gz"} {
		if !slices.Contains(stale, want) {
			t.Errorf("%s is not among %q", want, stale)
		}
	}
	if got, err := Write(root); err != nil || !slices.Equal(stale, got) {
		t.Errorf("Write changed %q, want %q, %v", got, stale, err)
	}
	if _, err := os.Stat(leftover); !os.IsNotExist(err) {
		t.Errorf("%s is still there", leftover)
	}
	fsys, err := pack.Read(os.DirFS(filepath.Join(root, recordingsDir)), "2.1.325/turn")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(fsys, "turn/added.ndjson"); err != nil {
		t.Errorf("the recording is not in the pack: %v", err)
	}
}

// addSubtype adds a file to the schemas that no union lists yet.
func addSubtype(t testing.TB, root string) {
	t.Helper()
	dir := filepath.Join(root, schemaDir, "control")
	text, err := os.ReadFile(filepath.Join(dir, "interrupt.json"))
	if err != nil {
		t.Fatal(err)
	}
	added := strings.NewReplacer("control/interrupt.json", "control/new_thing.json", `"interrupt"`, `"new_thing"`).Replace(string(text))
	if err := os.WriteFile(filepath.Join(dir, "new_thing.json"), []byte(added), 0o644); err != nil {
		t.Fatal(err)
	}
}

// changeFlag gives a flag another meaning.
func changeFlag(t testing.TB, root string) {
	t.Helper()
	name := filepath.Join(root, cliDir, "flags.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), "Model is ", "Model is now ", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// addRecording adds a recording that is not packed yet.
func addRecording(t testing.TB, root string) {
	t.Helper()
	dir := filepath.Join(root, recordingsDir, "2.1.325", "turn")
	text, err := os.ReadFile(filepath.Join(dir, "text.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "added.ndjson"), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// newest returns when a file below root was last written.
func newest(t testing.TB, root string) (last time.Time) {
	t.Helper()
	err := filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return last
}

func TestFindRootWorksBelowTheRootAndFailsElsewhere(t *testing.T) {
	root := checkout(t)
	got, err := FindRoot(filepath.Join(root, schemaDir, "control"))
	if err != nil || got != root {
		t.Errorf("got %q, %v", got, err)
	}
	elsewhere := t.TempDir()
	if _, err := FindRoot(elsewhere); err == nil || !strings.Contains(err.Error(), "not in a checkout") {
		t.Errorf("got %v", err)
	}
}

func TestBrokenSchemaIsAnErrorThatNamesTheFile(t *testing.T) {
	root := checkout(t)
	if err := os.WriteFile(filepath.Join(root, schemaDir, "control", "broken.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Stale(root); err == nil || !strings.Contains(err.Error(), "control/broken.json") {
		t.Errorf("got %v", err)
	}
}

func TestBrokenTableOfFlagsIsAnErrorThatNamesItAndNothingIsWritten(t *testing.T) {
	root := checkout(t)
	if err := os.WriteFile(filepath.Join(root, cliDir, "flags.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := newest(t, root)
	for name, do := range map[string]func(string) ([]string, error){"Stale": Stale, "Write": Write} {
		if _, err := do(root); err == nil || !strings.Contains(err.Error(), "flags.json") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if !newest(t, root).Equal(before) {
		t.Error("something was written")
	}
}

func TestAWordThatARecordingContradictsIsPutRight(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at the recordings several times; make test-all runs it")
	}
	root := checkout(t)
	dir := filepath.Join(root, schemaDir)
	if _, err := updateSchemas(root, dir); err != nil {
		t.Fatal(err)
	}
	const name = "message/result.success.json"
	file := filepath.Join(dir, name)
	right, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, from, to string }{
		{"evidence", `"x-evidence": "observed"`, `"x-evidence": "declared"`},
		{"since", `"x-since": "2.1.325"`, `"x-since": "2.1.400"`},
		{"no since", "  \"x-since\": \"2.1.325\",\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wrong := strings.Replace(string(right), tt.from, tt.to, 1)
			if wrong == string(right) {
				t.Fatalf("%s has no %s", name, tt.from)
			}
			if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil {
				t.Fatal(err)
			}
			if changed, err := updateSchemas(root, dir); err != nil || !slices.Equal(changed, []string{name}) {
				t.Errorf("changed: %q, %v", changed, err)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != string(right) {
				t.Errorf("%v, it is now\n%s", err, got)
			}
		})
	}
}

func TestACheckoutWithoutRecordingsIsAnError(t *testing.T) {
	root := checkout(t)
	if err := os.RemoveAll(filepath.Join(root, recordingsDir)); err != nil {
		t.Fatal(err)
	}
	if _, err := Stale(root); err == nil || !strings.Contains(err.Error(), "no recordings") {
		t.Errorf("got %v", err)
	}
}
