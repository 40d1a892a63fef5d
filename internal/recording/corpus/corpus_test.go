package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/recording/pack"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

func all(t testing.TB) []*Session {
	t.Helper()
	sessions, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return sessions
}

func TestEveryLineOfEveryRecordingDecodes(t *testing.T) {
	if len(Versions()) < 6 {
		t.Errorf("there are recordings of %v, want six versions or more", Versions())
	}
	for _, s := range all(t) {
		for _, l := range s.Lines {
			if l.Dir != recording.ToSDK {
				continue
			}
			if _, err := wire.Decode(l.Text); err != nil {
				t.Errorf("%s: %v", s.At(&l), err)
			}
		}
	}
}

func TestHeadersSayWhatTheFileIs(t *testing.T) {
	for _, s := range all(t) {
		name := s.Scenario
		if name == "" {
			name = path.Base(s.Path)
		}
		if h := s.Entries[0]; h.Scenario != name || h.Version != s.Version {
			t.Errorf("%s: the header says %s %s", s.Path, h.Version, h.Scenario)
		}
		if v, err := cli.ParseVersion(s.Version); err != nil || v.String() != s.Version {
			t.Errorf("%s: %q is not a version: %v", s.Path, s.Version, err)
		}
	}
}

func TestVersionsAreInTheOrderOfTheirNumbers(t *testing.T) {
	list := []string{"2.1.200", "2.1.90", "10.0.1", "1.0.128", "2.0.77"}
	slices.SortFunc(list, Compare)
	if want := []string{"1.0.128", "2.0.77", "2.1.90", "2.1.200", "10.0.1"}; !slices.Equal(list, want) {
		t.Errorf("got %v, want %v", list, want)
	}
	if slices.Contains(Versions(), transcripts) || Newest() != Versions()[len(Versions())-1] {
		t.Errorf("versions %v, the newest is %s", Versions(), Newest())
	}
}

func TestEveryRecordedScenarioHolds(t *testing.T) {
	sessions, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		if why := s.Entries[0].Failed; why != "" {
			t.Errorf("%s does not hold: %s", s.Path, why)
		}
	}
}

func TestTheSchemasNameEverythingOfTheNewestVersion(t *testing.T) {
	fsys, err := FS(Newest())
	if err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range inv.Scenarios {
		for _, u := range c.Unknown {
			t.Errorf("%s: %s", name, u)
		}
	}
}

func TestEveryScenarioOfTheNewestVersionIsRecorded(t *testing.T) {
	newest, err := cli.ParseVersion(Newest())
	if err != nil {
		t.Fatal(err)
	}
	list, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]bool{}
	for _, s := range all(t) {
		if s.Version == Newest() && s.Scenario != "" {
			recorded[s.Scenario] = true
		}
	}
	for _, s := range list {
		switch applies := s.Versions.Contains(newest); {
		case applies && !recorded[s.Name]:
			t.Errorf("%s is not recorded: run protogen record", s.Name)
		case !applies && recorded[s.Name]:
			t.Errorf("%s is recorded, but not for %s", s.Name, newest)
		}
		delete(recorded, s.Name)
	}
	for name := range recorded {
		t.Errorf("%s is recorded, but not a scenario", name)
	}
}

// plain is the folder of the files that are packed, plainTranscripts that of transcript entries.
const (
	plain            = "../../../conformance/recordings"
	plainTranscripts = "../../../conformance/transcripts"
)

func TestThePacksHoldThePlainFiles(t *testing.T) {
	for _, dir := range []string{plain, plainTranscripts} {
		stale, err := pack.Stale(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range stale {
			t.Errorf("%s does not hold what is beside it in %s: run make generate", name, path.Base(dir))
		}
	}
}

func TestTranscriptEntriesAreThoseOfThePlainFiles(t *testing.T) {
	for _, version := range TranscriptVersions() {
		text, err := os.ReadFile(path.Join(plainTranscripts, version+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		entries, err := TranscriptEntries(version)
		if got := strings.Join(entries, "\n") + "\n"; err != nil || got != string(text) {
			t.Errorf("%s has other entries, %v", version, err)
		}
	}
	if _, err := TranscriptEntries("1.2.3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a version without entries: %v", err)
	}
}

func TestWhatIsNotRecordedDoesNotExist(t *testing.T) {
	if _, err := FS("1.2.3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("FS of a version that is not recorded: %v", err)
	}
	for _, tt := range []struct {
		version, scenario string
		want              bool
	}{
		{Newest(), "turn/text", true},
		{Newest(), "turn/none", false},
		{Newest(), "turn", false},
		{"1.2.3", "turn/text", false},
	} {
		if got := Has(tt.version, tt.scenario); got != tt.want {
			t.Errorf("Has(%s, %s) = %v", tt.version, tt.scenario, got)
		}
		if _, err := Read(tt.version, tt.scenario); errors.Is(err, fs.ErrNotExist) == tt.want {
			t.Errorf("Read(%s, %s): %v", tt.version, tt.scenario, err)
		}
	}
}

func TestRecordingsHoldNothingOfTheMachineTheyWereMadeOn(t *testing.T) {
	files := os.DirFS(plain)
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && path == pack.Folder {
			return fs.SkipDir // of the same files
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		for _, bad := range []string{"/tmp/ccwire-", "-tmp-ccwire", "/home/", "/root", "/Users/"} {
			if strings.Contains(string(data), bad) {
				t.Errorf("%s has %q", path, bad)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
