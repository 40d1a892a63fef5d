package capture_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/replay"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/transport/cli"
)

func simulated(t *testing.T) suite.Target {
	t.Helper()
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// replayed returns a CLI that plays recordings.
func replayed(t *testing.T) *replay.Target {
	t.Helper()
	target, err := replay.NewTarget()
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func choose(t *testing.T, globs ...suite.Glob) []*scenario.Scenario {
	t.Helper()
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := suite.Select(all, globs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return chosen
}

// steady chooses scenarios that are the same in every run.
func steady(t *testing.T, globs ...suite.Glob) []*scenario.Scenario {
	t.Helper()
	return slices.DeleteFunc(choose(t, globs...), func(s *scenario.Scenario) bool { return len(s.Varies) > 0 })
}

// record plays the scenarios on the target and writes what holds to dir. It returns the errors of
// Write by scenario.
func record(t *testing.T, ctx context.Context, dir string, target suite.Target, chosen []*scenario.Scenario) map[string]error {
	t.Helper()
	var mu sync.Mutex // guards faults
	faults := map[string]error{}
	_, err := suite.Run(ctx, suite.Options{
		Scenarios: chosen, Targets: []suite.Target{target},
		Keep: func(target suite.Target, s *scenario.Scenario, p *suite.Played) {
			if err := capture.Write(dir, s, target.Version().String(), p); err != nil {
				mu.Lock()
				defer mu.Unlock()
				faults[s.Name] = err
			}
		},
	})
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return faults
}

// files returns the contents of all files below dir by their names.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRecordingTwiceGivesEqualFiles(t *testing.T) {
	target, first, second := simulated(t), t.TempDir(), t.TempDir()
	chosen := steady(t, "end/*")
	for _, dir := range []string{first, second} {
		if faults := record(t, t.Context(), dir, target, chosen); len(faults) > 0 {
			t.Fatal(faults)
		}
	}
	one := files(t, first)
	if diff := cmp.Diff(one, files(t, second)); diff != "" {
		t.Errorf("-first +second\n%s", diff)
	}
	// The simulated CLI says what the real one says, so the recordings are those of the real one.
	real, err := corpus.FS(target.Version().String())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, s := range chosen {
		if !s.Versions.Contains(target.Version()) {
			continue
		}
		data, err := fs.ReadFile(real, s.Name+".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		want[target.Version().String()+"/"+s.Name+".ndjson"] = string(data)
	}
	if diff := cmp.Diff(want, one); diff != "" {
		t.Errorf("-real +simulated\n%s", diff)
	}
}

func TestAScenarioThatDoesNotHoldIsWrittenWithTheReason(t *testing.T) {
	target := replayed(t).Changed(func(s *scenario.Scenario, entries []recording.Entry) []recording.Entry {
		if s.Name != "turn/text" {
			return entries
		}
		code := 9
		return append(entries[:len(entries)-1:len(entries)-1], recording.Entry{Dir: recording.Exit, Code: &code})
	})
	dir := t.TempDir()
	faults := record(t, t.Context(), dir, target, choose(t, "turn/text", "handshake/initialize"))
	if len(faults) > 0 {
		t.Errorf("Write says %v", faults)
	}
	version := target.Version().String()
	for name, want := range map[string]string{"handshake/initialize": "", "turn/text": "at the end: the CLI ended with code 9, want 0"} {
		entries, err := recording.ReadFile(os.DirFS(dir), version+"/"+name+".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		if entries[0].Failed != want {
			t.Errorf("%s failed with %q, want %q", name, entries[0].Failed, want)
		}
	}
}

func TestAnInterruptedRecordingLeavesNoFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	target := replayed(t).Changed(func(s *scenario.Scenario, entries []recording.Entry) []recording.Entry {
		cancel() // the session has begun
		return append(entries[:len(entries)-1:len(entries)-1], recording.Entry{Dir: replay.Hang}, entries[len(entries)-1])
	})
	dir := t.TempDir()
	faults := record(t, ctx, dir, target, choose(t, "turn/text"))
	if err := faults["turn/text"]; !errors.Is(err, context.Canceled) {
		t.Errorf("Write says %v", err)
	}
	if got := files(t, dir); len(got) > 0 {
		t.Errorf("written: %v", got)
	}
}

// played is a session with one line.
func played(line string) *suite.Played {
	code := 0
	return &suite.Played{
		Vars: scenario.Vars{"cwd": "/tmp/x1/cwd"},
		Entries: []recording.Entry{
			recording.Written(recording.ToSDK, []byte(line+"\n")),
			{Dir: recording.Exit, Code: &code, Stderr: "seen: no key\nsomething else\n"},
		},
	}
}

func parse(t *testing.T, script string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("area/name", []byte("It holds.\n\nlevel: required\nsince: 1.0.85\n-- script --\n"+script))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAFileIsReplacedInOneStep(t *testing.T) {
	dir, s := t.TempDir(), parse(t, "init\n")
	path := filepath.Join(dir, capture.File("2.1.325", s.Name))
	if err := capture.Write(dir, s, "2.1.325", played(`{"n":1}`)); err != nil {
		t.Fatal(err)
	}
	before, err := os.Open(path) // sees what happens to the old file
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	if err := capture.Write(dir, s, "2.1.325", played(`{"n":2}`)); err != nil {
		t.Fatal(err)
	}
	old, err := recording.Read(before)
	if err != nil || old[1].Line != `{"n":1}` {
		t.Errorf("the old file was written to: %v %v", old, err)
	}
	got := files(t, dir)
	if len(got) != 1 || !strings.Contains(got["2.1.325/area/name.ndjson"], `{\"n\":2}`) {
		t.Errorf("written: %v", got)
	}
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	dir, s := t.TempDir(), parse(t, "init\n")
	if err := os.MkdirAll(filepath.Join(dir, capture.File("2.1.325", s.Name), "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := capture.Write(dir, s, "2.1.325", played(`{}`)); err == nil {
		t.Error("no error")
	}
	if got := files(t, dir); len(got) > 0 {
		t.Errorf("written: %v", got)
	}
}

func TestWhatIsParticularToASessionIsNotRecorded(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, tt := range []struct{ name, line, want string }{
		{"folder", `{"cwd":"/tmp/x1/cwd/a"}`, `{"cwd":"/scratch/cwd/a"}`},
		{"version", `{"v":"2.1.325"}`, `{"v":"[version]"}`},
		{"id", `{"uuid":"6f1d2c3b-0a9e-4aaa-8bbb-5d6c7b8a9f01"}`, `{"uuid":"00000000-0000-4000-8000-000000000001"}`},
		{"duration", `{"duration_ms":17}`, `{"duration_ms":0}`},
		{"long text", `{"text":"` + long + `"}`, `{"text":"[prose]"}`},
		{"what the scenario looks for in a long text", `{"text":"` + long + `needle 7"}`, `{"text":"needle 7 [prose]"}`},
		{"order of members", `{"b":1,"a":2}`, `{"b":1,"a":2}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, `< {"text":"$re:needle [0-9]"}`+"\nstderr \"seen\"\n")
			entries := capture.Scrubbed(s, "2.1.325", played(tt.line))
			if h := entries[0]; h.Dir != recording.Header || h.Scenario != "area/name" || h.Version != "2.1.325" {
				t.Errorf("header %+v", h)
			}
			if diff := cmp.Diff(tt.want, entries[1].Line); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if got := entries[2].Stderr; got != "seen: no key" {
				t.Errorf("stderr %q", got)
			}
		})
	}
}

func TestUnrecordedSaysWhatIsJudgedWithoutARecording(t *testing.T) {
	newest := simulated(t)
	novel := &scenario.Scenario{File: scenario.File{Name: "turn/novel"}}
	later := &scenario.Scenario{File: scenario.File{Name: "turn/later"}, Versions: scenario.Range{Since: version(t, "9.0.0")}}
	for _, tt := range []struct {
		name   string
		target suite.Target
		chosen []*scenario.Scenario
		want   []string
	}{
		{"all are recorded", newest, append(choose(t, "turn/text"), later), nil},
		{"one is not", newest, append(choose(t, "turn/text"), novel, later),
			[]string{newest.Name() + ": not recorded, and judged by the steps and the laws of a session alone: turn/novel"}},
		{"the version is not", renamed{newest, version(t, "2.1.999")}, choose(t, "turn/text"),
			[]string{"2.1.999: not recorded, and judged by the nearest recordings, of 2.1.328: turn/text"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, capture.Unrecorded(tt.target, tt.chosen)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func version(t *testing.T, text string) cli.Version {
	t.Helper()
	v, err := cli.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// renamed is a target that says that it is another version.
type renamed struct {
	suite.Target
	version cli.Version
}

func (r renamed) Name() string         { return r.version.String() }
func (r renamed) Version() cli.Version { return r.version }
