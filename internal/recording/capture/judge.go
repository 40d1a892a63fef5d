package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/baseline"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// Judge compares a session in which the scenario holds with the recording of the same scenario on
// the same version, or, if there is none, with those of its neighbours. The error is a
// [*baseline.Error] if it differs from the former, or breaks what both neighbours agree on. How
// else it differs from its neighbours is added to what was played. The transcript must have nothing
// that the schemas do not name.
func Judge(t suite.Target, s *scenario.Scenario, p *suite.Played) error {
	return JudgeBy(corpus.Versions())(t, s, p)
}

// JudgeBy returns a function that does what [Judge] does with the recordings of these versions,
// which are sorted.
func JudgeBy(versions []string) func(suite.Target, *scenario.Scenario, *suite.Played) error {
	return func(t suite.Target, s *scenario.Scenario, p *suite.Played) error {
		version := t.Version().String()
		if !slices.Contains(versions, version) || !corpus.Has(version, s.Name) {
			return judgeByNeighbours(versions, version, s, p)
		}
		recorded, err := corpus.Read(version, s.Name)
		if err != nil {
			return err
		}
		if d := baseline.Compare(recorded, Scrubbed(s, version, p), s.Varies...); len(d) > 0 {
			return &baseline.Error{Version: version, Differences: d}
		}
		if !slices.Contains(corpus.TranscriptVersions(), version) {
			return nil
		}
		return judgeTranscripts(p.Transcripts)
	}
}

func judgeByNeighbours(versions []string, version string, s *scenario.Scenario, p *suite.Played) error {
	names := neighbours(versions, version, s.Name)
	var list []baseline.Neighbour
	for _, name := range names {
		entries, err := corpus.Read(name, s.Name)
		if err != nil {
			return err
		}
		if entries[0].Dir == recording.Header && entries[0].Failed != "" {
			return nil // it tells how the scenario fails there
		}
		list = append(list, baseline.Neighbour{Version: name, Newer: corpus.Compare(name, version) > 0, Entries: entries})
	}
	var agreed []baseline.Difference
	p.Changes, agreed = baseline.Changes(Scrubbed(s, version, p), list, s.Varies...)
	if len(agreed) > 0 {
		return &baseline.Error{Version: strings.Join(names, " and "), Differences: agreed}
	}
	return nil
}

// neighbours returns the nearest of the versions that have a recording of the scenario: an older
// and a newer one, or one of them, or none.
func neighbours(versions []string, version, name string) (near []string) {
	older, newer := "", ""
	for _, v := range versions {
		switch order := corpus.Compare(v, version); {
		case !corpus.Has(v, name):
		case order < 0:
			older = v
		case order > 0 && newer == "":
			newer = v
		}
	}
	return slices.DeleteFunc([]string{older, newer}, func(v string) bool { return v == "" })
}

// Unrecorded says by what [Judge] judges the scenarios that it has no recording of for a target: a
// note, or none if there is one of each.
func Unrecorded(t suite.Target, all []*scenario.Scenario) (notes []string) {
	version := t.Version().String()
	by := map[string][]string{} // the scenarios, by the neighbours
	var groups []string
	for _, s := range all {
		if !s.Versions.Contains(t.Version()) || corpus.Has(version, s.Name) {
			continue
		}
		near := strings.Join(neighbours(corpus.Versions(), version, s.Name), " and ")
		if by[near] == nil {
			groups = append(groups, near)
		}
		by[near] = append(by[near], s.Name)
	}
	for _, near := range groups {
		names := strings.Join(by[near], ", ")
		if len(by[near]) > 5 {
			names = fmt.Sprintf("%d scenarios", len(by[near]))
		}
		how := "the steps and the laws of a session alone"
		if near != "" {
			how = "the nearest recordings, of " + near
		}
		notes = append(notes, fmt.Sprintf("%s: not recorded, and judged by %s: %s", t.Name(), how, names))
	}
	return notes
}
