// Package capture writes recordings of scenarios, one file each. Recording the same version twice
// gives equal files, but for what a scenario says varies. A file is there in full or not at all.
package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/baseline"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// File is the path of a scenario's recording, below the folder of recordings.
func File(version, name string) string {
	return filepath.Join(version, filepath.FromSlash(name)+".ndjson")
}

// Scrubbed returns the recording of a scenario. If it did not hold, the header says why.
func Scrubbed(s *scenario.Scenario, version string, p *suite.Played) []recording.Entry {
	cwd, _ := p.Vars["cwd"].(string)
	scrub := recording.Scrubber{
		Names:    recording.NewNames(version, filepath.Dir(cwd)),
		Mentions: func(text string) bool { return strings.Contains(s.Text, text) },
		Wanted:   wantedOf(s),
		Stderr:   stderrOf(s),
	}
	for _, arg := range s.Earlier {
		scrub.Names.Hide(arg) // the CLI may repeat an id that is there
	}
	header := recording.Entry{Dir: recording.Header, Scenario: s.Name, Version: version, Args: suite.Arguments(s, p.Vars)}
	if p.Err != nil {
		header.Failed = p.Err.Error()
	}
	return scrub.Entries(append([]recording.Entry{header}, p.Entries...))
}

var textMatcher = regexp.MustCompile(`"\$re:(?:[^"\\]|\\.)*"`)

// wantedOf returns the expressions with which the scenario looks into texts.
func wantedOf(s *scenario.Scenario) (list []*regexp.Regexp) {
	for _, quoted := range textMatcher.FindAllString(s.Text, -1) {
		var text string
		if json.Unmarshal([]byte(quoted), &text) != nil {
			continue
		}
		if re, err := regexp.Compile(strings.TrimPrefix(text, "$re:")); err == nil {
			list = append(list, re)
		}
	}
	return list
}

func stderrOf(s *scenario.Scenario) (list []*regexp.Regexp) {
	for _, step := range s.Steps {
		if op, ok := step.Op.(scenario.Stderr); ok {
			list = append(list, op.Re)
		}
	}
	return list
}

// Write writes the recording to its file below dir. A session that was interrupted is not written:
// the error wraps [suite.ErrInterrupted].
func Write(dir string, s *scenario.Scenario, version string, p *suite.Played) error {
	if errors.Is(p.Err, suite.ErrInterrupted) {
		return fmt.Errorf("%s is not recorded: %w", s.Name, p.Err)
	}
	var b bytes.Buffer
	if err := recording.Write(&b, Scrubbed(s, version, p)); err != nil {
		return err
	}
	path := filepath.Join(dir, File(version, s.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return replace(path, b.Bytes())
}

// Judge compares a session in which the scenario holds with the recording of the same scenario on
// the same version, if this repository has it. The error is a [*baseline.Error] if they differ. The
// transcript must have nothing that the schemas do not name.
func Judge(t suite.Target, s *scenario.Scenario, p *suite.Played) error {
	version := t.Version().String()
	recorded, err := corpus.Read(version, s.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
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

// Unrecorded says which of the scenarios [Judge] has no recording of for a target: a note, or none
// if there is one of each.
func Unrecorded(t suite.Target, all []*scenario.Scenario) (notes []string) {
	const alone = ": judged by the steps and the laws of a session alone"
	version := t.Version().String()
	if !slices.Contains(corpus.Versions(), version) {
		return []string{t.Name() + " is not recorded" + alone}
	}
	var names []string
	for _, s := range all {
		if s.Versions.Contains(t.Version()) && !corpus.Has(version, s.Name) {
			names = append(names, s.Name)
		}
	}
	if len(names) > 0 {
		notes = []string{fmt.Sprintf("%s: not recorded are %s%s", t.Name(), strings.Join(names, ", "), alone)}
	}
	return notes
}

// replace writes beside the file and then puts that in its place.
func replace(path string, data []byte) error {
	temp := path + ".tmp"
	err := os.WriteFile(temp, data, 0o644)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}
