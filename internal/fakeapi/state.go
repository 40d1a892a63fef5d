package fakeapi

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
)

// State is how far a script has come: what a later process needs to go on with it.
type State struct {
	Turns   []TurnState    `json:"turns,omitempty"`
	Retries map[string]int `json:"retries,omitempty"` // the turns that answer retries, by the digest of the request
	Prompts []string       `json:"prompts,omitempty"` // of subagents that were started
	Others  map[string]int `json:"others,omitempty"`  // how many answers without a turn there were
}

// TurnState is how far one turn has come.
type TurnState struct {
	Taken  int `json:"taken,omitempty"`
	Uses   int `json:"uses,omitempty"`
	Fitted int `json:"fitted,omitempty"`
}

// State returns how far the script has come.
func (s *Stage) State() State {
	d := s.director
	d.mu.Lock()
	defer d.mu.Unlock()
	state := State{Retries: map[string]int{}, Prompts: slices.Sorted(maps.Keys(d.prompts)), Others: maps.Clone(d.others)}
	for i := range d.taken {
		state.Turns = append(state.Turns, TurnState{d.taken[i], d.uses[i], d.fitted[i]})
	}
	for sum, i := range d.retries {
		state.Retries[hex.EncodeToString(sum[:])] = i
	}
	return state
}

// Restore goes on where another stage of the same script has come.
func (s *Stage) Restore(state State) error {
	d := s.director
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(state.Turns) != len(d.taken) {
		return fmt.Errorf("the state is of %d turns, the script has %d", len(state.Turns), len(d.taken))
	}
	for i, t := range state.Turns {
		d.taken[i], d.uses[i], d.fitted[i] = t.Taken, t.Uses, t.Fitted
	}
	for text, i := range state.Retries {
		var sum digest
		if n, err := hex.Decode(sum[:], []byte(text)); err != nil || n != len(sum) || i < 0 || i >= len(d.taken) {
			return fmt.Errorf("the state has a retry %q of turn %d", text, i+1)
		}
		d.retries[sum] = i
	}
	for _, p := range state.Prompts {
		d.prompts[p] = true
	}
	maps.Copy(d.others, state.Others)
	return nil
}
