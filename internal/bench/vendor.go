package main

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ccwire/ccwire"
	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/vendoring"
	"github.com/ccwire/ccwire/internal/vendoring/footprint"
)

// vendor measures what a copy of the types costs the module that has it: the copy of a typical SDK,
// the whole, and net/http beside them.
func vendor(g *goals) error {
	fmt.Println("\nwhat a copy costs: lines, bytes of a stripped program, go build")
	show := func(name string, lines int, bytes int64, took, cpu time.Duration) {
		fmt.Printf("  %-8s  %5d lines  %.2f MB  %4.1f s, %.1f s of processor time\n", name, lines, float64(bytes)/1e6, took.Seconds(), cpu.Seconds())
		g.printf("VENDOR %s %d lines %.2f MB %.1f s", name, lines, float64(bytes)/1e6, took.Seconds())
	}
	for _, c := range []struct {
		name string
		vendoring.Options
	}{
		{"sdk", vendoring.Options{Only: []string{vendoring.SDK}, Recorded: true}},
		{"whole", vendoring.Options{}},
	} {
		var lines int
		var bytes int64
		var took, cpu []time.Duration
		for range 5 {
			err := inCopy(c.Options, func(root, path string) error {
				t, p, err := footprint.Build(root, "./wire")
				took, cpu = append(took, t), append(cpu, p)
				if err != nil || lines > 0 {
					return err
				}
				if lines, err = footprint.Lines(filepath.Join(root, "wire")); err == nil {
					bytes, err = footprint.Copy(root, path)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		show(c.name, lines, bytes, slices.Min(took), slices.Min(cpu))
	}
	return beside(show)
}

// inCopy calls measure with the root of a new module that has a copy and with the import path of
// that. No other module has it, so that nothing of the copy is in the cache of the go command.
func inCopy(o vendoring.Options, measure func(root, path string) error) error {
	root, err := os.MkdirTemp("", "ccwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	module := fmt.Sprintf("github.com/someone/claude-agent-sdk-go/m%06d", time.Now().UnixNano()%1e6)
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+module+"\n\ngo "+vendoring.OldestGo+"\n"), 0o600); err != nil {
		return err
	}
	if o.Sources, err = vendoring.Sources(ccwire.Sources); err != nil {
		return err
	}
	o.Dir, o.Info = filepath.Join(root, "wire"), buildinfo.Read()
	c, err := vendoring.New(o)
	if err != nil {
		return err
	}
	if _, err := c.Write(); err != nil {
		return err
	}
	return measure(root, c.ImportPath)
}

// beside measures net/http, without the packages that it imports. It is in the cache of the go
// command, so it is compiled as [compileOne] does.
func beside(show func(name string, lines int, bytes int64, took, cpu time.Duration)) error {
	dir, err := os.MkdirTemp("", "ccwire-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cpu, _, err := compileOne(dir, "net/http")
	if err != nil {
		return err
	}
	lines := 0
	pkg, err := build.Import("net/http", "", 0)
	if err != nil {
		return err
	}
	for _, name := range pkg.GoFiles {
		text, err := os.ReadFile(filepath.Join(pkg.Dir, name))
		if err != nil {
			return err
		}
		for _, c := range text {
			if c == '\n' {
				lines++
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo "+vendoring.OldestGo+"\n"), 0o600); err != nil {
		return err
	}
	bytes, err := footprint.HTTP(dir)
	show("net/http", lines, bytes, cpu, cpu)
	return err
}
