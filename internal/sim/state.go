package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/ccwire/ccwire/internal/sim/script"
)

// progress keeps how far the script has come in the session, for the next process that goes on with
// it.
type progress struct {
	file string // "": beside the transcript
	told sync.Once
	mu   sync.Mutex // held while it is kept: a later state is not overwritten by an earlier one
}

// statePath is where the state of a session is kept beside its transcript.
func (s *Session) statePath(session string) string {
	return filepath.Join(s.place.ProjectDir(), filepath.Base(session)+".script.json")
}

// keepProgress has the state kept from now on.
func (s *Session) keepProgress() {
	if s.KeepState && (s.State != "" || !s.transcript.Off) {
		s.progress.file = s.State
		s.Model.Changed = s.putState
	}
}

// recallState goes on with the script where an earlier process of a session has ended.
func (s *Session) recallState(session string) {
	if !s.KeepState {
		return
	}
	var state json.RawMessage
	var err error
	if s.State != "" {
		state, err = script.States{File: s.State}.Get(session)
	} else {
		state, err = os.ReadFile(s.statePath(session))
		if os.IsNotExist(err) {
			return
		}
	}
	if err == nil && state != nil {
		err = s.Model.Restore(state)
	}
	if err != nil {
		fmt.Fprintf(s.Stderr, "protogen sim: %v: the script begins anew\n", err)
	}
}

// putState keeps the state. A file of the user's that cannot be written is told once; one beside
// the transcript is as that: the CLI goes on without it.
func (s *Session) putState() {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	session, state := s.out.ID(), s.Model.State()
	var err error
	if s.progress.file != "" {
		err = script.States{File: s.progress.file}.Put(session, state)
	} else {
		path := s.statePath(session)
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = script.Replace(path, state)
		}
	}
	if err != nil && s.progress.file != "" {
		s.progress.told.Do(func() { fmt.Fprintf(s.Stderr, "protogen sim: the state of the script is not kept: %v\n", err) })
	}
}

// Withdraw ends the wait for the SDK's answer to a request, as if it was refused.
func (s *Session) Withdraw(id string) { s.calls.Withdraw(id) }
