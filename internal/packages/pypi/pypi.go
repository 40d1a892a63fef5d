// Package pypi makes the wheels for PyPI: ccwire, with the command, for each platform.
//
// Each wheel has all of the package, as those of ruff and uv have: types.py, _shapes.py and
// _calls.pyi are made of the model, the rest of the folder ccwire is written by hand, and the
// command is among the scripts, where pip makes it executable. There is no source distribution: it
// would need Go to build.
package pypi

import (
	"embed"
	"slices"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/archive"
)

// OldestPython is the oldest Python that the package runs on: typing.NotRequired is as old.
const OldestPython = "3.11"

// files are what is written by hand.
//
//go:embed all:wheel
var files embed.FS

// Target makes the wheels.
type Target struct{}

// Packages returns a wheel for each program.
func (Target) Packages(s *packages.Source) (out []packages.File, err error) {
	pure, err := pure(s)
	if err != nil {
		return nil, err
	}
	for i := range s.Programs {
		f, err := wheel(s, &s.Programs[i], pure)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// pure returns what all wheels have, and README.md, which becomes part of their metadata.
func pure(s *packages.Source) ([]archive.Entry, error) {
	entries, err := packages.Written(files, "wheel", s.Info)
	if err != nil {
		return nil, err
	}
	types, err := types(s.Model)
	if err != nil {
		return nil, err
	}
	return slices.Concat(entries, []archive.Entry{
		{Path: "ccwire/types.py", Data: types},
		{Path: "ccwire/_shapes.py", Data: shapes(s.Model)},
		{Path: "ccwire/_calls.pyi", Data: calls(s.Model)},
	}), nil
}
