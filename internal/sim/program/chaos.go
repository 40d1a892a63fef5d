package program

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/fault"
	"github.com/ccwire/ccwire/internal/sim/journal"
)

// Chaos is a seed of which faults are made: a number, [RandomChaos], or "" for none.
type Chaos string

// RandomChaos is another seed for each process.
const RandomChaos Chaos = "random"

// ParseChaos reads a seed.
func ParseChaos(text string) (Chaos, error) {
	if _, err := strconv.ParseUint(text, 10, 64); err != nil && text != "" && text != string(RandomChaos) {
		return "", fmt.Errorf("chaos %q: give a number, or %s", text, RandomChaos)
	}
	return Chaos(text), nil
}

// faults returns the faults of the seed, and tells them, so that they can be made again.
func (c Chaos) faults(v verdict) []fault.Fault {
	if c == "" {
		return nil
	}
	seed, err := strconv.ParseUint(string(c), 10, 64)
	if err != nil {
		seed = rand.Uint64N(1_000_000)
	}
	list := fault.Chaos(seed)
	texts := make([]string, len(list))
	for i, f := range list {
		texts[i] = f.String()
	}
	text := fmt.Sprintf("%d: %s", seed, strings.Join(texts, " "))
	v.tell(journal.Chaos, text, "--chaos "+text, true)
	return list
}
