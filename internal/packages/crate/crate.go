// Package crate makes the crate ccwire for Rust: types, and how they are read and written.
//
// # What is generated
//
// The types are generated from the model as a person reads them (types), and beside them tables of
// what they are on the wire (codec/generated). Macros that are written by hand make readers and
// writers of the tables (codec/macros.rs). Nothing is derived by serde: its code for 800 types
// takes a compiler longer than all of this.
//
// A line is read into a tree that borrows from it, and the types take from that what they know. So
// a tag may come late, an error has a path, and a legacy shape becomes its modern form before it
// is read.
package crate

import (
	"embed"
	"slices"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/archive"
)

// OldestRust is the oldest Rust that compiles the crate.
const OldestRust = "1.71"

// files are what is written by hand.
//
//go:embed ccwire
var files embed.FS

// Target makes the crate.
type Target struct{}

// Packages returns the crate as cargo packs one.
func (Target) Packages(s *packages.Source) ([]packages.File, error) {
	written, err := packages.Written(files, "ccwire", struct {
		packages.Info
		Description, OldestRust string
	}{s.Info, packages.Description, OldestRust})
	if err != nil {
		return nil, err
	}
	generated, err := generate(s.Model)
	if err != nil {
		return nil, err
	}
	common, err := s.Common()
	if err != nil {
		return nil, err
	}
	name := "ccwire-" + s.Info.Version
	packed, err := archive.TarGz(name, slices.Concat(written, generated, common))
	return []packages.File{{Name: name + ".crate", Data: packed}}, err
}
