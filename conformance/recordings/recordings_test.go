package recordings

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/conformance/inventory"
	"github.com/ccwire/ccwire/conformance/recording"
	"github.com/ccwire/ccwire/conformance/scenarios"
	"github.com/ccwire/ccwire/gen/wire"
)

func TestEveryLineOfEveryRecordingDecodes(t *testing.T) {
	versions, err := Versions()
	if err != nil {
		t.Fatal(err)
	}
	if len(versions) < 6 {
		t.Errorf("there are recordings of %d versions, want six or more", len(versions))
	}
	for _, v := range versions {
		names, err := Names(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			entries, err := Read(v, name)
			if err != nil {
				t.Fatal(err)
			}
			if entries[0].Scenario != name || entries[0].Version != v.String() {
				t.Errorf("%s %s: the header says %s %s", v, name, entries[0].Version, entries[0].Scenario)
			}
			for i := range entries {
				if entries[i].Dir != recording.ToSDK {
					continue
				}
				if _, err := wire.Decode([]byte(entries[i].Line)); err != nil {
					t.Errorf("%s %s: entry %d: %v", v, name, i+1, err)
				}
			}
		}
	}
}

func TestTheSchemasNameEverythingOfTheNewestVersion(t *testing.T) {
	newest, err := Newest()
	if err != nil {
		t.Fatal(err)
	}
	fsys, err := FS(newest)
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
	newest, err := Newest()
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	names, err := Names(newest)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		i := slices.Index(names, s.Name)
		switch applies := s.Versions.Contains(newest); {
		case applies && i < 0:
			t.Errorf("%s is not recorded: run protogen record", s.Name)
		case !applies && i >= 0:
			t.Errorf("%s is recorded, but not for %s", s.Name, newest)
		}
		if i >= 0 {
			names = slices.Delete(names, i, i+1)
		}
	}
	if len(names) > 0 {
		t.Errorf("recordings without a scenario: %v", names)
	}
}

func TestRecordingsHoldNothingOfTheMachineTheyWereMadeOn(t *testing.T) {
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
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
