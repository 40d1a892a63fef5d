package program

import (
	"fmt"
	"io"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// exitStrict is the exit code of a session that has departed from a script that is strict.
const exitStrict = 3

// verdict says at the end of a session how it has departed from its script.
type verdict struct {
	model  *script.Model
	strict script.Strictness
	faults func() []string // those that have not happened; nil: there are none
	stderr io.Writer
	log    *journal.Session
}

// failed tells of all departures, in the log and those that are errors on stderr, too. It reports
// whether there are errors. A fault that did not happen is told in any case.
func (v *verdict) failed() (failed bool) {
	for _, text := range v.model.Unmatched() {
		v.tell(journal.Unmatched, text, text, v.strict != script.Lax)
		failed = failed || v.strict != script.Lax
	}
	for _, text := range v.model.Unused() {
		v.tell(journal.Unused, text, text+" was never used", v.strict == script.All)
		failed = failed || v.strict == script.All
	}
	if v.faults != nil {
		for _, text := range v.faults() {
			v.tell(journal.Unused, "fault "+text, "the fault "+text+" did not happen", true)
			failed = failed || v.strict == script.All
		}
	}
	return failed
}

// tell notes a departure in the log, and aloud on stderr.
func (v *verdict) tell(dir journal.Dir, entry, sentence string, aloud bool) {
	v.log.Note(dir, entry)
	if aloud {
		fmt.Fprintf(v.stderr, "protogen sim: %s\n", sentence)
	}
}
