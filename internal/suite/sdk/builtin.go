package sdk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/shipped"
)

// All returns the scenarios that are built in, sorted by name. They are parsed at the first call.
func All() ([]*Scenario, error) {
	list, err := embedded()
	return slices.Clone(list), err
}

// embedded reads them once.
var embedded = sync.OnceValues(func() ([]*Scenario, error) {
	fsys, err := fs.Sub(shipped.SDKScenarios(), "conformance/sdk-scenarios")
	if err != nil {
		return nil, err
	}
	return Load(fsys)
})

// With returns the scenarios that are built in and those in fsys, AREA/NAME.txtar, sorted by name.
// No name may be in both.
func With(fsys fs.FS) ([]*Scenario, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	own, err := Own(fsys)
	if err != nil {
		return nil, err
	}
	for _, s := range own {
		if slices.ContainsFunc(all, func(b *Scenario) bool { return b.Name == s.Name }) {
			return nil, fmt.Errorf("scenario %s: one of that name is built in", s.Name)
		}
	}
	all = slices.Concat(all, own)
	slices.SortFunc(all, func(a, b *Scenario) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// Own returns the scenarios in fsys alone. That there are none is an error.
func Own(fsys fs.FS) ([]*Scenario, error) {
	own, err := Load(fsys)
	if err == nil && len(own) == 0 {
		err = errors.New("no scenario: want files AREA/NAME.txtar")
	}
	return own, err
}
