package script

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// kept is the state of a model in a file.
type kept struct {
	// Script is the sum of the script that the state is of.
	Script  string         `json:"script"`
	Stage   fakeapi.State  `json:"stage"`
	Results map[string]int `json:"results,omitempty"` // how often results of tools were used, as TOOL/PLACE
}

// sum is the same for scripts that say the same.
func (m *Model) sum() string {
	data, _ := json.Marshal(m.script) // it was read from JSON
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

func (u use) String() string { return fmt.Sprintf("%s/%d", u.tool, u.place) }

// State returns how far the script has come, as JSON.
func (m *Model) State() []byte {
	k := kept{Script: m.sum(), Stage: m.Stage.State(), Results: map[string]int{}}
	m.mu.Lock()
	for u, n := range m.used {
		k.Results[u.String()] = n
	}
	m.mu.Unlock()
	data, _ := json.Marshal(k) // made of texts and numbers
	return data
}

// Restore goes on where a state says. That of another script is left alone: the script begins anew.
func (m *Model) Restore(data []byte) error {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return err
	}
	if k.Script != m.sum() {
		return nil
	}
	if err := m.Stage.Restore(k.Stage); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for tool, results := range m.script.Tools {
		for i := range results {
			if n := k.Results[use{tool, i}.String()]; n > 0 {
				m.used[use{tool, i}] = n
			}
		}
	}
	return nil
}

// Stateful reports whether it makes a difference how far the script has come.
func (s *Script) Stateful() bool { return len(s.Turns) > 0 || len(s.Tools) > 0 }

// States is a file with the states of sessions, by their ids. Several processes may use it at the
// same time.
type States struct{ File string }

// Get returns the state of a session, nil if there is none.
func (s States) Get(session string) (json.RawMessage, error) {
	all, err := s.read()
	return all[session], err
}

func (s States) read() (all map[string]json.RawMessage, err error) {
	data, err := os.ReadFile(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s is not the state of a script: %w", s.File, err)
	}
	return all, nil
}

// Put keeps the state of a session, and leaves those of others as they are. The file is replaced as
// a whole.
func (s States) Put(session string, state json.RawMessage) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	all, err := s.read()
	if err != nil {
		return err
	}
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	all[session] = state
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return Replace(s.File, data)
}

// A lock that is older than staleAfter is of a process that was killed; lockPatience is how long
// another is waited for.
const (
	staleAfter   = 10 * time.Second
	lockPatience = 20 * time.Second
	lockPause    = 2 * time.Millisecond
)

// lock waits until no other process writes the file. The lock is a file, which all systems know.
func (s States) lock() (unlock func(), err error) {
	name := s.File + ".lock"
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	for end := time.Now().Add(lockPatience); ; time.Sleep(lockPause) {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return func() { _ = os.Remove(name) }, f.Close() // another may have taken it for stale
		}
		if info, statErr := os.Stat(name); statErr == nil && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(name) // or another process does
		} else if time.Now().After(end) {
			return nil, fmt.Errorf("the state is locked: %w", err)
		}
	}
}

// Replace writes a file so that a reader sees the old text or the new one.
func Replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error counts
	}
	return err
}
