package schema

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// recordedLine is a line of the corpus.
type recordedLine struct {
	recording.Line
	session *corpus.Session
}

func (l *recordedLine) at() string { return l.session.At(&l.Line) }

func (l *recordedLine) direction() Direction {
	if l.Dir == recording.ToSDK {
		return FromCLI
	}
	return FromSDK
}

// definition is what the body of a reply is, "" if nothing is known of it.
func (l *recordedLine) definition() string {
	if d := Default().Response(l.Answers); d != nil {
		return d.Name()
	}
	return ""
}

// sample is of how many recorded lines the short tests judge one.
const sample = 5

// recorded returns the lines of the whole corpus.
func recorded(t testing.TB) (all []*recordedLine) {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil || len(sessions) < 1000 {
		t.Fatalf("%d recordings, %v", len(sessions), err)
	}
	for _, s := range sessions {
		for _, l := range s.Lines {
			all = append(all, &recordedLine{l, s})
		}
	}
	return all
}

// contents is what a recorded line says, wherever it is.
type contents struct {
	dir           recording.Dir
	answers, text string
}

func (l *recordedLine) contents() contents { return contents{l.Dir, l.Answers, string(l.Text)} }

// distinct leaves out lines that are equal to an earlier one: most are.
func distinct(lines []*recordedLine) (list []*recordedLine) {
	seen := map[contents]bool{}
	for _, l := range lines {
		if !seen[l.contents()] {
			seen[l.contents()] = true
			list = append(list, l)
		}
	}
	return list
}

// judged returns where a recorded line does not fit the open schemas; "-" is a line that is not a
// JSON object.
func judged(t testing.TB, l *recordedLine) (paths []string) {
	t.Helper()
	open := Default().Open()
	var input *codec.Error
	err := open.ValidateFrame(l.direction(), l.Text)
	either := open.ValidateFrame(Either, l.Text)
	if (err == nil) != (either == nil) && !foreign(t, l) {
		t.Errorf("%s: %v, as a frame of either direction %v", l.at(), err, either)
	}
	if errors.As(err, &input) {
		return []string{"-"}
	}
	for _, v := range violations(t, err) {
		paths = append(paths, v.Path)
	}
	if l.Body != nil && Default().Lookup(l.definition()) != nil {
		for _, v := range violations(t, open.Validate(l.definition(), l.Body)) {
			paths = append(paths, "/response/response"+v.Path)
		}
	}
	return paths
}

// foreign reports whether the SDK wrote a type that only the CLI has.
func foreign(t testing.TB, l *recordedLine) bool {
	t.Helper()
	names, err := Default().Touched(l.direction().Definition(), l.Text)
	return err == nil && slices.Contains(names, "envelope/from_sdk.json#/$defs/Unknown")
}

func TestEveryRecordedLineValidates(t *testing.T) {
	type place struct{ session, path string }
	broken := map[place]bool{} // whether a line has it
	listed := map[string]bool{}
	for _, cells := range readTable(t, "testdata/recordings_broken.txt", 3) {
		broken[place{cells[0], cells[1]}] = false
		listed[cells[0]] = true
	}
	name := func(l *recordedLine) string { return cmp.Or(l.session.Scenario, l.session.Path) }
	lines := recorded(t)
	wrong := map[contents][]string{}
	for i, l := range distinct(lines) {
		if testing.Short() && i%sample != 0 && !listed[name(l)] {
			continue
		}
		wrong[l.contents()] = judged(t, l)
	}
	bodies := 0
	for _, l := range lines {
		if l.Body != nil {
			bodies++
		}
		for _, path := range wrong[l.contents()] {
			at := place{name(l), path}
			if _, known := broken[at]; !known || l.direction() == FromCLI {
				t.Errorf("%s: it does not fit the schemas at %q: %s", l.at(), path, clip(string(l.Text)))
			} else {
				broken[at] = true
			}
		}
	}
	if bodies < 1000 {
		t.Errorf("only %d replies were matched with their requests", bodies)
	}
	for at, found := range broken {
		if !found {
			t.Errorf("%s is listed as broken at %q, which no line of it is", at.session, at.path)
		}
	}
}

func TestNewestCLIWritesNothingThatTheSchemasDoNotName(t *testing.T) {
	lines := recorded(t)
	lines = slices.DeleteFunc(lines, func(l *recordedLine) bool {
		return l.session.Version != corpus.Newest() || l.direction() != FromCLI
	})
	for i, l := range distinct(lines) {
		if testing.Short() && i%sample != 0 {
			continue
		}
		expectNoDeviations(t, l.at(), FromCLI.Definition(), l.Text)
		if l.Body != nil && Default().Lookup(l.definition()) != nil {
			expectNoDeviations(t, l.at()+", body", l.definition(), l.Body)
		}
	}
}

func expectNoDeviations(t *testing.T, at, definition string, doc []byte) {
	t.Helper()
	found, err := Default().Lint(definition, doc)
	if err != nil {
		t.Errorf("%s: %v", at, err)
	}
	for _, d := range found {
		t.Errorf("%s: %s", at, d)
	}
	if closed := Default().Closed().Validate(definition, doc); (closed == nil) != (len(found) == 0) {
		t.Errorf("%s: the lint and the closed form disagree: %v", at, closed)
	}
}

func TestEveryTranscriptShowsWhatNoScenarioDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at each member of all recordings; make test-all runs it")
	}
	type member struct {
		dir recording.Dir
		Observation
	}
	shown := map[member]bool{}           // by scenarios
	kept := map[string]map[member]bool{} // by transcript
	for _, l := range distinct(recorded(t)) {
		into := shown
		if l.session.Scenario == "" {
			if kept[l.session.Path] == nil {
				kept[l.session.Path] = map[member]bool{}
			}
			into = kept[l.session.Path]
		}
		observe := func(definition string, doc []byte) {
			if Default().Open().Validate(definition, doc) == nil {
				Default().Observe(definition, doc, func(o Observation) { into[member{l.Dir, o}] = true })
			}
		}
		observe(l.direction().Definition(), l.Text)
		if l.Body != nil {
			observe(l.definition(), l.Body)
		}
		for _, entry := range mirrored(l.Text) {
			if _, err := Transcripts().Observe(TranscriptEntry, entry, func(o Observation) { into[member{l.Dir, o}] = true }); err != nil {
				t.Errorf("%s: %v", l.at(), err)
			}
		}
	}
	for path, members := range kept {
		for m := range shown {
			delete(members, m)
		}
		if len(members) == 0 {
			t.Errorf("%s has no member, kind or value that the scenarios lack: remove it", path)
		}
	}
}
