//go:build !unix && !windows

package cli

import (
	"errors"
	"testing"
)

func TestStartSaysThatThereAreNoProcesses(t *testing.T) {
	p, err := Start(Options{Path: "claude"})
	var spawn *SpawnError
	if p != nil || !errors.As(err, &spawn) || spawn.Path != "claude" || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Start = %v, %v", p, err)
	}
}
