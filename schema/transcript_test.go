package schema

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// transcriptDefinitions returns the definitions of transcript files alone.
func transcriptDefinitions() (list []*Definition) {
	for _, d := range Transcripts().Definitions() {
		if path.Dir(d.File) == transcriptFolder {
			list = append(list, d)
		}
	}
	return list
}

// eachEntry calls do for every entry of the corpus: those of transcript files, and those that
// sessions with --session-mirror repeat.
func eachEntry(t *testing.T, do func(at string, entry []byte)) {
	t.Helper()
	for _, version := range corpus.TranscriptVersions() {
		entries, err := corpus.TranscriptEntries(version)
		if err != nil || len(entries) == 0 {
			t.Fatalf("%s: %d entries, %v", version, len(entries), err)
		}
		for i, entry := range entries {
			do(fmt.Sprintf("%s:%d", version, i+1), []byte(entry))
		}
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		for i := range s.Lines {
			for _, entry := range mirrored(s.Lines[i].Text) {
				do(s.Version+":"+s.At(&s.Lines[i]), entry)
			}
		}
	}
}

// mirrored returns the entries that a line repeats; most lines repeat none.
func mirrored(text []byte) []json.RawMessage {
	if m := recording.ReadMirror(text); m != nil {
		return m.Entries
	}
	return nil
}

func TestEveryRecordedTranscriptEntryValidates(t *testing.T) {
	set := Transcripts()
	eachEntry(t, func(at string, entry []byte) {
		if err := set.Open().Validate(TranscriptEntry, entry); err != nil {
			t.Errorf("%s: %v", at, err)
		}
		if err := set.Closed().Validate(TranscriptEntry, entry); err != nil {
			t.Errorf("%s, closed form: %v", at, err)
		}
		found, err := set.Lint(TranscriptEntry, entry)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", at, found, err)
		}
	})
}

func TestTheVerifiedVersionHasTranscriptEntries(t *testing.T) {
	if have := corpus.TranscriptVersions(); !slices.Contains(have, npm.Pinned()) {
		t.Errorf("there are entries of %s, not of %s: run make record", have, npm.Pinned())
	}
}

func TestEveryObservedTranscriptDefinitionIsInAnEntry(t *testing.T) {
	seen := map[string]string{} // the oldest version, by definition
	eachEntry(t, func(at string, entry []byte) {
		names, err := Transcripts().Touched(TranscriptEntry, entry)
		if err != nil {
			t.Errorf("%s: %v", at, err)
		}
		version, _, _ := strings.Cut(at, ":")
		for _, name := range names {
			if seen[name] == "" {
				seen[name] = version
			}
		}
	})
	for _, d := range transcriptDefinitions() {
		switch oldest := seen[d.Name()]; {
		case (d.Evidence == "observed") != (oldest != ""):
			t.Errorf("%s is %s; the first entry is of version %q", d.Name(), d.Evidence, oldest)
		case d.Since != "" && corpus.Compare(oldest, d.Since) < 0:
			t.Errorf("%s is said to be of %s; version %s has it", d.Name(), d.Since, oldest)
		}
	}
}

// Every member that a definition names was seen, but for those that all entries of the conversation
// share.
func TestEveryTranscriptMemberIsInAnEntry(t *testing.T) {
	shared := map[string]bool{"parentUuid": true, "logicalParentUuid": true, "agentId": true, "slug": true}
	seen := map[string]bool{}
	eachEntry(t, func(at string, entry []byte) {
		if _, err := Transcripts().Observe(TranscriptEntry, entry, func(o Observation) { seen[o.Definition+" "+o.Member] = true }); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	})
	for _, d := range transcriptDefinitions() {
		for i := range d.Properties {
			if name := d.Properties[i].Name; !d.Unknown && !shared[name] && !seen[d.Name()+" "+name] {
				t.Errorf("%s: no entry has %s", d.Name(), name)
			}
		}
	}
}

func TestTranscriptDefinitionsAreDocumented(t *testing.T) {
	for _, d := range transcriptDefinitions() {
		switch {
		case d.Description == "":
			t.Errorf("%s has no description", d.Name())
		case d.Evidence == "":
			t.Errorf("%s has no x-evidence", d.Name())
		case d.Direction != "":
			t.Errorf("%s has a direction, though nobody sends it", d.Name())
		case len(d.Examples) == 0:
			t.Errorf("%s has no example", d.Name())
		case len(d.Rejects) == 0:
			t.Errorf("%s has no must-reject vector", d.Name())
		}
	}
}

func TestTranscriptExamplesAndMustRejectVectorsAreWhatTheySay(t *testing.T) {
	set := Transcripts()
	for _, d := range transcriptDefinitions() {
		for i, example := range d.Examples {
			if err := set.Open().Validate(d.Name(), example); err != nil {
				t.Errorf("%s, example %d: %v", d.Name(), i, err)
			}
			if err := set.Closed().Validate(d.Name(), example); err != nil && !d.Unknown && d.OneOf == nil {
				t.Errorf("%s, example %d, closed form: %v", d.Name(), i, err)
			}
		}
		for i, reject := range d.Rejects {
			at := false
			for _, v := range violations(t, set.Open().Validate(d.Name(), reject.Value)) {
				at = at || v.Path == reject.At
			}
			if !at {
				t.Errorf("%s, vector %d (%s) is not rejected at %q", d.Name(), i, reject.Why, reject.At)
			}
		}
	}
}

// Transcripts are no part of the wire: no types, no bundle, no vectors.
func TestTranscriptSchemasAreNoPartOfTheWire(t *testing.T) {
	for _, d := range Default().Definitions() {
		if path.Dir(d.File) == transcriptFolder {
			t.Errorf("%s is in the default set", d.Name())
		}
	}
	if wire, all := len(Default().Definitions()), len(Transcripts().Definitions()); all != wire+len(transcriptDefinitions()) {
		t.Errorf("%d definitions with transcripts, %d without", all, wire)
	}
}
