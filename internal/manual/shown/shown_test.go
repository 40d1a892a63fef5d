package shown_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/manual/shown"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

var update = flag.Bool("update", false, "write the files of the folder data")

func TestWhatIsKeptIsWhatTheRecordingsShow(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all recordings; make test-all runs it")
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	all, err := shown.Read(sessions)
	if err != nil {
		t.Fatal(err)
	}
	want, err := shown.Files(all)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		file := filepath.Join("data", name+".gz")
		if *update {
			packed, err := gztext.Pack(text)
			if err := errors.Join(err, os.WriteFile(file, packed, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := gztext.Read(packed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(kept)); diff != "" {
			t.Errorf("%s is stale; run make reference\n%.2000s", file, diff)
		}
	}
}

// session is what the newest CLI did in a scenario.
func session(t *testing.T, scenario string) *corpus.Session {
	t.Helper()
	entries, err := corpus.Read(corpus.Newest(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := recording.Lines(entries)
	if err != nil {
		t.Fatal(err)
	}
	version := corpus.Newest()
	return &corpus.Session{Path: version + "/" + scenario, Version: version, Scenario: scenario, Entries: entries, Lines: lines}
}

func TestAnExampleIsTheOneThatTellsMost(t *testing.T) {
	sessions := []*corpus.Session{session(t, "permission/allow"), session(t, "permission/allow-without-input"), session(t, "permission/allow-extra-members")}
	all, err := shown.Read(sessions)
	if err != nil {
		t.Fatal(err)
	}
	answer := all["permission/result.allow.json"]
	if answer == nil || answer.Example == nil || !answer.Example.Body {
		t.Fatalf("the answer is shown as %+v", answer)
	}
	// One has no input, and one has members that the schemas do not know.
	if got := string(answer.Example.Value); got != `{"behavior":"allow","updatedInput":{"file_path":"/scratch/cwd/a.txt","content":"hi"}}` {
		t.Errorf("the example is %s", got)
	}
	want := []string{"permission/allow", "permission/allow-extra-members", "permission/allow-without-input"}
	if diff := cmp.Diff(want, answer.Scenarios); diff != "" || answer.Total != 3 {
		t.Errorf("%d scenarios, -want +got\n%s", answer.Total, diff)
	}
	if all["control/interrupt.json#/$defs/Request"] != nil {
		t.Error("a request is shown that nobody made")
	}
}
