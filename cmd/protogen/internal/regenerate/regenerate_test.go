package regenerate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkout returns a copy of this checkout's schemas with a go.mod.
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
	return root
}

func TestThisCheckoutIsUpToDate(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	stale, err := Stale(root)
	if err != nil || len(stale) > 0 {
		t.Errorf("run make generate: %q is stale, %v", stale, err)
	}
}

func TestWriteTwiceChangesNothingTheSecondTime(t *testing.T) {
	root := checkout(t)
	first, err := Write(root)
	if err != nil || !slices.Contains(first, "gen/wire/frame_gen.go") {
		t.Fatalf("first: %q, %v", first, err)
	}
	if second, err := Write(root); err != nil || len(second) > 0 {
		t.Errorf("second: %q, %v", second, err)
	}
	if stale, err := Stale(root); err != nil || len(stale) > 0 {
		t.Errorf("stale: %q, %v", stale, err)
	}
}

func TestStaleNamesFilesAndWritesNothing(t *testing.T) {
	root := checkout(t)
	if _, err := Write(root); err != nil {
		t.Fatal(err)
	}
	interrupt := filepath.Join(root, schemaDir, "control", "interrupt.json")
	text, err := os.ReadFile(interrupt)
	if err != nil {
		t.Fatal(err)
	}
	added := strings.NewReplacer("control/interrupt.json", "control/new_thing.json", `"interrupt"`, `"new_thing"`).Replace(string(text))
	if err := os.WriteFile(filepath.Join(root, schemaDir, "control", "new_thing.json"), []byte(added), 0o644); err != nil {
		t.Fatal(err)
	}
	leftover := filepath.Join(root, "gen", "wire", "gone_gen.go")
	if err := os.WriteFile(leftover, nil, 0o644); err != nil {
		t.Fatal(err)
	}

	stale, err := Stale(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gen/wire/control_gen.go", "gen/wire/gone_gen.go"} {
		if !slices.Contains(stale, want) {
			t.Errorf("%s is not among %q", want, stale)
		}
	}
	if !slices.ContainsFunc(stale, func(name string) bool { return strings.HasPrefix(name, "schema/") }) {
		t.Errorf("no schema among %q", stale)
	}
	if again, err := Stale(root); err != nil || !slices.Equal(stale, again) {
		t.Errorf("the first look changed something: %q, then %q, %v", stale, again, err)
	}
	if got, err := Write(root); err != nil || !slices.Equal(stale, got) {
		t.Errorf("Write changed %q, want %q, %v", got, stale, err)
	}
	if _, err := os.Stat(leftover); !os.IsNotExist(err) {
		t.Errorf("%s is still there", leftover)
	}
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
