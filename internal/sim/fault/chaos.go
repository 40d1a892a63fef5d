package fault

import (
	"fmt"
	"math/rand/v2"
)

// harmless are faults that a tolerant SDK survives: the user sees the same session as without them.
// %d is a random number from 1 to the limit.
var harmless = []struct {
	text  string
	limit int
}{
	{"noise@line#%d", 12}, {"blank@line#%d", 12}, {"unknown-type@line#%d", 12}, {"unknown-subtype@line#%d", 12}, {"unknown-request@line#%d", 12},
	{"unknown-block@assistant#%d", 3}, {"split=%d", 200}, {"split=%d@result", 400}, {"split=%d@assistant", 300}, {"split-character@line#%d", 12},
	{"bytewise@line#%d", 12}, {"slow=%d@result", 300}, {"slow=%d@control_response", 300}, {"long=200000@line#%d", 12}, {"flood=100000@line#%d", 12},
	{"stderr=chaos%%0A@line#%d", 12}, {"stderr-flood=200000@line#%d", 12}, {"response-twice@control_response#%d", 3}, {"response-late=%d", 300},
	{"response-cancelled@control_response#%d", 3},
}

// lasting are harmless faults of all lines; they come last, because of several faults at one line
// the first happens.
var lasting = []string{"cr", "unknown-member", "slow=2"}

// Chaos returns faults that a seed chooses, always the same, among those that a tolerant SDK
// survives.
func Chaos(seed uint64) []Fault {
	r := rand.New(rand.NewPCG(seed, 0))
	var list []Fault
	add := func(text string) {
		f, err := Parse(text)
		if err != nil {
			panic(err) // a test draws all of them
		}
		list = append(list, f)
	}
	for _, n := range r.Perm(len(harmless))[:4+r.IntN(4)] {
		h := harmless[n]
		add(fmt.Sprintf(h.text, 1+r.IntN(h.limit)))
	}
	if r.IntN(2) == 0 {
		add(lasting[r.IntN(len(lasting))])
	}
	return list
}
