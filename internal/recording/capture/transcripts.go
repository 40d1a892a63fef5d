package capture

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
)

// Transcripts collects entries of the transcripts that CLIs kept of scenarios. The zero value is
// ready to use, by several goroutines.
type Transcripts struct {
	mu      sync.Mutex                     // guards entries
	entries map[string]map[string][]string // scrubbed, by version and scenario
}

// Add takes the entries of a scenario that was played to its end.
func (t *Transcripts) Add(s *scenario.Scenario, version string, p *suite.Played) {
	lines := transcriptOf(s, version, p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.entries == nil {
		t.entries = map[string]map[string][]string{}
	}
	if t.entries[version] == nil {
		t.entries[version] = map[string][]string{}
	}
	t.entries[version][s.Name] = lines
}

// Write writes a file for each version, DIR/VERSION.jsonl: of all entries, in the order of the
// scenarios, those with a type, a member or a value that none before has.
func (t *Transcripts) Write(dir string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for version, scenarios := range t.entries {
		var text strings.Builder
		seen := map[string]bool{}
		for _, name := range slices.Sorted(maps.Keys(scenarios)) {
			for _, line := range scenarios[name] {
				if shows(line, seen) {
					text.WriteString(line + "\n")
				}
			}
		}
		if err := replace(filepath.Join(dir, version+".jsonl"), []byte(text.String())); err != nil {
			return err
		}
	}
	return nil
}

// A TranscriptError says that an entry of a transcript has what the schemas do not name.
type TranscriptError struct {
	Path  string // of the file, below the folder of all transcripts
	Line  int    // from 1
	Found []codec.Deviation
}

func (e *TranscriptError) Error() string {
	return fmt.Sprintf("the transcript has what the schemas do not: %s:%d: %v", e.Path, e.Line, e.Found[0])
}

// judgeTranscripts looks for a [*TranscriptError]. A CLI that is killed may leave the last line of
// a file torn.
func judgeTranscripts(files []suite.Transcript) error {
	for _, file := range files {
		for i, line := range file.Lines {
			odd, err := schema.Transcripts().Lint(schema.TranscriptEntry, []byte(line))
			switch {
			case err != nil && i < len(file.Lines)-1:
				return fmt.Errorf("the transcript is broken: %s:%d: %w", file.Path, i+1, err)
			case len(odd) > 0:
				return &TranscriptError{file.Path, i + 1, odd}
			}
		}
	}
	return nil
}

// shows reports whether an entry has something that is not among what was seen, and adds it.
func shows(line string, seen map[string]bool) (fresh bool) {
	note := func(what string) {
		fresh = fresh || !seen[what]
		seen[what] = true
	}
	odd, err := schema.Transcripts().ObserveValid(schema.TranscriptEntry, []byte(line), func(o schema.Observation) {
		if strings.HasPrefix(o.Definition, "transcript/") {
			note(fmt.Sprint(o))
		}
	})
	for _, d := range odd {
		note(fmt.Sprint(d.Kind, d.Path, d.Detail))
	}
	return fresh && err == nil
}

// transcriptText is the longest text of an entry that is kept. Entries hold the prompts of the CLI,
// in many pieces.
const transcriptText = 40

// transcriptLists are lists of what is built into a CLI.
var transcriptLists = []string{"addedLines", "addedNames", "addedTypes", "availableCommandNames", "builtInTypes", "digests", "names", "systemPrompt", "tail"}

// standIns are for what differs from run to run, beside what a [recording.Scrubber] knows.
var standIns = []struct {
	re *regexp.Regexp
	by string
}{
	{regexp.MustCompile(`"(?:[0-9a-f]{64}|[0-9a-f]{16})\b`), `"0000000000000000`},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`), "2000-01-01"},
	{regexp.MustCompile(`"slug":"[^"]*"`), `"slug":"some-random-words"`},
}

// transcriptOf returns the scrubbed entries of a session.
func transcriptOf(s *scenario.Scenario, version string, p *suite.Played) (lines []string) {
	cwd, _ := p.Vars["cwd"].(string)
	scrub := recording.Scrubber{
		Names:    recording.NewNames(version, filepath.Dir(cwd)),
		Mentions: func(text string) bool { return strings.Contains(s.Text, text) },
		MaxText:  transcriptText,
		Lists:    transcriptLists,
	}
	for _, file := range p.Transcripts {
		for _, line := range file.Lines {
			for _, in := range standIns {
				line = in.re.ReplaceAllString(line, in.by)
			}
			lines = append(lines, scrub.Line(line))
		}
	}
	return lines
}
