// Package npm makes the packages for npm: ccwire, and one for each platform with the command, which
// npm installs beside it where it fits.
package npm

import (
	"embed"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/archive"
)

// OldestNode is the oldest Node.js that the packages run on.
const OldestNode = "20"

// files are what is written by hand: ccwire of the package that people name, platform of the
// others. What is made of the model is beside them in the package.
//
//go:embed ccwire platform
var files embed.FS

// Target makes the packages.
type Target struct{}

// Packages returns ccwire and the packages of the platforms.
func (Target) Packages(s *packages.Source) ([]packages.File, error) {
	out := make([]packages.File, 1, 1+len(s.Programs))
	var names object.Object
	for i := range s.Programs {
		p, err := newPlatform(&s.Programs[i])
		if err != nil {
			return nil, err
		}
		names.Set(p.Package, s.Info.Version)
		f, err := p.pack(s)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	var err error
	out[0], err = ccwire(s, names)
	return out, err
}

// ccwire makes the package that people name.
func ccwire(s *packages.Source, platforms object.Object) (packages.File, error) {
	manifest := append(manifest(s, "ccwire", packages.Description), object.Of(
		"type", "module",
		"bin", object.Of("ccwire", "bin/ccwire.js"),
		"sideEffects", false,
		"types", "./index.d.ts",
		"exports", object.Of(
			".", entry("index"),
			"./testing", entry("testing/index"),
			"./definitions", entry("definitions"),
			"./package.json", "./package.json",
			"./provenance.json", "./provenance.json",
		),
		"optionalDependencies", object.If(platforms != nil, platforms),
	)...)
	written, err := packages.Written(files, "ccwire", s.Info)
	if err != nil {
		return packages.File{}, err
	}
	types, err := typings(s.Model)
	if err != nil {
		return packages.File{}, err
	}
	generated := append(tables(s.Model), archive.Entry{Path: "types.d.ts", Data: types})
	return pack(s, "ccwire", manifest, append(written, generated...))
}

// entry returns what a module is imported from: its types and its program.
func entry(module string) object.Object {
	return object.Of("types", "./"+module+".d.ts", "default", "./"+module+".js")
}

// A platform is one with a program, in the words of Node.js.
type platform struct {
	Package, OS, CPU string
	program          *packages.Program
}

var (
	systems = map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win32"}
	cpus    = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

func newPlatform(program *packages.Program) (platform, error) {
	p := platform{OS: systems[program.OS], CPU: cpus[program.Arch], program: program}
	if p.OS == "" || p.CPU == "" {
		return p, fmt.Errorf("there is no npm package for %s/%s", program.OS, program.Arch)
	}
	p.Package = "@ccwire/" + p.OS + "-" + p.CPU
	return p, nil
}

// pack makes the package with the program.
func (p platform) pack(s *packages.Source) (packages.File, error) {
	manifest := append(manifest(s, p.Package, "The ccwire command for "+p.OS+" "+p.CPU),
		object.Of("os", []string{p.OS}, "cpu", []string{p.CPU}, "preferUnplugged", true)...)
	written, err := packages.Written(files, "platform", p)
	if err != nil {
		return packages.File{}, err
	}
	program := archive.Entry{Path: "bin/" + p.program.Name(), Data: p.program.Data, Exec: true}
	return pack(s, "ccwire-"+p.OS+"-"+p.CPU, manifest, append(written, program))
}

// manifest returns the beginning of a package.json.
func manifest(s *packages.Source, name, description string) object.Object {
	return object.Of(
		"name", name,
		"version", s.Info.Version,
		"description", description,
		"license", "MIT",
		"repository", object.Of("type", "git", "url", "git+"+packages.Repository+".git"),
		"homepage", packages.Repository,
		"engines", object.Of("node", ">="+OldestNode),
	)
}

// pack packs a package with its manifest and what every package has.
func pack(s *packages.Source, name string, manifest object.Object, entries []archive.Entry) (packages.File, error) {
	text, err := packages.JSON(manifest)
	if err != nil {
		return packages.File{}, err
	}
	common, err := s.Common()
	if err != nil {
		return packages.File{}, err
	}
	packed, err := archive.TarGz("package", slices.Concat(entries, common, []archive.Entry{{Path: "package.json", Data: text}}))
	return packages.File{Name: name + "-" + s.Info.Version + ".tgz", Data: packed}, err
}
