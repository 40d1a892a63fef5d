package sdk

import (
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// A Rehearsal is a driver with a simulated CLI, without a scenario.
type Rehearsal struct {
	Program driver.Program // without whom it tells
	CLI     string         // the path of the simulated CLI
	Cwd     string         // the folder that a session has

	stage *stage
}

// Rehearse makes the folders of a session whose CLI plays a script. The caller calls Remove in the
// end.
func (s *Subject) Rehearse(script []byte) (*Rehearsal, error) {
	st, err := s.newStage(&Scenario{Script: script})
	if err != nil {
		return nil, err
	}
	return &Rehearsal{
		Program: driver.Program{Args: s.Args, Serve: s.Serve, Dir: st.Cwd, Env: s.environment([]string{
			"CCWIRE_CLAUDE=" + st.cli, "CLAUDE_CONFIG_DIR=" + st.Config, "TMPDIR=" + st.Tmp,
		})},
		CLI: st.cli, Cwd: st.Cwd, stage: st,
	}, nil
}

// Entries returns what the CLIs have noted so far, one after the other.
func (r *Rehearsal) Entries() (all []journal.Entry, err error) {
	names, err := filepath.Glob(filepath.Join(r.stage.logs, "*.ndjson"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		list, _ := journal.Read(file) // a CLI that was killed may leave half an entry
		file.Close()
		all = append(all, list...)
	}
	return all, nil
}

// Remove ends the CLIs that are left and removes the folders.
func (r *Rehearsal) Remove() error {
	for _, pid := range r.stage.running() {
		endProcess(pid)
	}
	return r.stage.Remove()
}
