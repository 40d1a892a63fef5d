package models

import (
	"slices"
	"strings"
)

// Abilities are what a model can do, as lists of models tell it.
type Abilities struct {
	Effort   []string // the levels of effort; nil for none
	Adaptive bool     // it thinks as much as it needs
	Fast     bool
	Auto     bool // a session may be in the mode auto
	// Thinks says that its thinking cannot be turned off, Efforts that each turn has an effort of
	// its own.
	Thinks, Efforts bool
	// Lists says that it has tools for lists of tasks.
	Lists bool
	// ReadsFirst says that it must have read a file before it changes it.
	ReadsFirst bool
}

var (
	upToHigh = []string{"low", "medium", "high"}
	upToMax  = []string{"low", "medium", "high", "max"}
	all      = []string{"low", "medium", "high", "xhigh", "max"}
)

// EffortOf returns the level of effort of a model if another one is wanted, or none with "". It is
// "" for a model that has none.
func EffortOf(model, wanted string) string {
	levels := AbilitiesOf(model).Effort
	switch {
	case levels == nil:
		return ""
	case slices.Contains(levels, wanted):
		return wanted
	case wanted == "" && AbilitiesOf(model).Efforts:
		return "medium"
	case wanted == "" && Canonical(model) == "claude-opus-4-7":
		return "xhigh"
	}
	return "high"
}

// AbilitiesOf returns what a model can do. One that is not known counts as a new one.
func AbilitiesOf(model string) Abilities {
	e, known := find(model)
	ends := func(names ...string) bool {
		for _, name := range names {
			if strings.HasSuffix(e.name, name) {
				return true
			}
		}
		return false
	}
	switch {
	case !known:
		return Abilities{Effort: all, Adaptive: true, Auto: true}
	case ends("-5-5", "-5-2", "-5-1"):
		return Abilities{Effort: all, Adaptive: true, Auto: true, Fast: e.fast != 0, Thinks: true, Efforts: true}
	case ends("fable-5", "mythos-5"):
		return Abilities{Effort: all, Adaptive: true, Auto: true, Thinks: true}
	case ends("-5", "-4-8") && !ends("-4-5"):
		return Abilities{Effort: all, Adaptive: true, Auto: true, Fast: e.fast != 0}
	case ends("-4-7"):
		return Abilities{Effort: all, Adaptive: true, Auto: true, Lists: true}
	case ends("-4-6"):
		return Abilities{Effort: upToMax, Adaptive: true, Auto: true, Lists: true, ReadsFirst: e.name == "claude-opus-4-6"}
	case e.name == "claude-opus-4-5":
		return Abilities{Effort: upToHigh, Lists: true, ReadsFirst: true}
	}
	return Abilities{Lists: true, ReadsFirst: true}
}
