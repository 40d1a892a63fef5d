package program

import (
	"os"

	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// prepareKeep makes the folder for settings and sessions, and returns what removes it if it is
// empty at the end. Without a folder of its own, or with one that cannot be made, the program has
// one in the user's cache, from which sessions go whose temporary folders are gone.
func (p *Program) prepareKeep() (end func()) {
	if p.Keep != "" && os.MkdirAll(p.Keep, 0o700) == nil {
		return func() { _ = os.Remove(p.Keep) } // only an empty folder is
	}
	p.Keep = ""
	go transcript.Sweep(os.Environ()) // ends by itself, or with this process
	return func() {}
}
