package vendoring

import (
	"path/filepath"
	"slices"
	"strings"
)

// flags are those of a run that choose what a copy has. The manifest remembers them, so that the
// next run needs none.
type flags struct {
	Package  string   `json:"package,omitempty"`
	Only     []string `json:"only,omitempty"`
	For      string   `json:"for,omitempty"` // slash-separated, from the folder of the copy
	Recorded bool     `json:"recorded,omitempty"`
	With     []string `json:"with,omitempty"`
}

// flagsOf returns the flags of a run for the folder of a copy.
func flagsOf(o Options, dir string) (flags, error) {
	f := flags{Package: o.Package, Only: slices.Compact(slices.Sorted(slices.Values(o.Only))), Recorded: o.Recorded, With: o.With}
	if o.For == "" {
		return f, nil
	}
	from, err := filepath.Abs(o.For)
	if err != nil {
		return f, err
	}
	below, err := filepath.Rel(dir, from)
	f.For = filepath.ToSlash(below)
	return f, err
}

// remember sets the options of a run that has no flags.
func (f flags) remember(o *Options, dir string) {
	if o.Package != "" || !o.whole() || len(o.With) > 0 {
		return
	}
	o.Package, o.Only, o.Recorded, o.With = f.Package, f.Only, f.Recorded, f.With
	if f.For != "" {
		o.For = filepath.Join(dir, filepath.FromSlash(f.For))
	}
}

// command returns the command that makes the copy again, in its folder.
func (f flags) command(version string) string {
	if version == "devel" || strings.Contains(version, "+") { // of no release
		version = "latest"
	}
	command := "go run " + modulePath + "/cmd/protogen@" + version + " vendor --out ."
	if f.Package != "" {
		command += " --package " + f.Package
	}
	if len(f.Only) > 0 {
		command += " --only " + strings.Join(f.Only, ",")
	}
	if f.For != "" {
		command += " --for " + f.For
	}
	if f.Recorded {
		command += " --recorded"
	}
	if len(f.With) > 0 {
		command += " --with " + strings.Join(f.With, ",")
	}
	return command
}
