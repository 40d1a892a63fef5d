// Package packages makes the packages of ccwire for the registries of other languages: types and
// validators made of the schemas, the command, and helpers for tests. Each is a file that the
// registry takes as it is.
//
// # Targets
//
// What a registry wants is a [Target], in a package of its own below this one. It gets a [Source]:
// the model of the schemas (package model), what the package says about itself, and the programs,
// one for each platform. It returns files; package archive packs them. To add one:
//
//   - write internal/packages/NAME with a type that has the methods of Target; what is written by
//     hand in the other language, README included, is embedded from files beside it;
//   - add a row to targets in cmd/protogen/package.go, and the name to PACKAGES in the Makefile;
//   - test what is packed: with the build tag packages, from an installed file and with no Go on
//     the PATH, in tests with Installed in their names, as in package npm; package packagestest
//     helps. "make test-packages" runs these.
//
// The output depends on the Source alone: the same source gives the same bytes, and the same commit
// of a checkout the same module.
package packages

import (
	"fmt"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/packages/model"
)

// A Target makes packages for one registry.
type Target interface {
	// Packages returns the packed files.
	Packages(*Source) ([]File, error)
}

// A File is a packed package, or a part of one, by its name.
type File struct {
	Name string // with slashes
	Data []byte
}

// A Source is what packages are made of.
type Source struct {
	Model    *model.Model
	Info     Info
	Licence  []byte
	Programs []Program // protogen, at most once for a platform
	Checkout string    // the root of the repository; "" outside of one
}

// Info is what a package says about where it comes from.
type Info struct {
	Version        string `json:"version"` // semantic, without a v
	SchemaRevision string `json:"schema_revision"`
	NewestCLI      string `json:"newest_cli"`
	Repository     string `json:"repository"`
}

// Description is what registries show beside the name.
const Description = "Types, validators and test tools for the stream-json protocol of the Claude Code CLI"

// Repository is where the packages come from.
const Repository = "https://github.com/ccwire/ccwire"

// A Program is protogen for one platform, in the words of Go.
type Program struct {
	OS, Arch string
	Data     []byte
}

// NewInfo describes a build. An empty version is that of the build; one that was not made of a
// release or a commit is 0.0.0-devel.
func NewInfo(build buildinfo.Info, version string) (Info, error) {
	info := Info{SchemaRevision: build.SchemaRevision, NewestCLI: build.NewestCLI, Repository: Repository}
	if version == "" {
		version = "v0.0.0-devel"
		if semver.IsValid(build.Version) {
			version = build.Version
		}
	}
	version = "v" + strings.TrimPrefix(version, "v")
	if semver.Canonical(version) != strings.TrimSuffix(version, semver.Build(version)) {
		return info, fmt.Errorf("%q is no semantic version, such as 0.1.0", version[1:])
	}
	info.Version = semver.Canonical(version)[1:]
	return info, nil
}
