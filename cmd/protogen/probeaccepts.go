package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/probe/accept"
	"github.com/ccwire/ccwire/internal/terminal"
)

// probeAccepts finds what a CLI accepts, and prints it or adds it to files.
func probeAccepts(ctx context.Context, cmd *cobra.Command, t suite.Target, f *probeFlags) error {
	status := terminal.NewStatus(cmd.ErrOrStderr())
	defer status.Clear()
	o := accept.Options{Frames: f.only, Progress: func(done, all int) {
		status.Show(fmt.Sprintf("probe: %d of %d lines", done, all))
	}}
	if f.trace {
		o.Trace = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
	}
	found, err := accept.Run(ctx, t, o)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	status.Clear()
	if f.out == "" {
		return printAccepts(cmd.OutOrStdout(), found)
	}
	return keepAccepts(f.out, t.Version().String(), f.only == nil, found)
}

func printAccepts(w io.Writer, t accepts.Table) error {
	files := t.Files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := io.WriteString(w, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// keepAccepts adds what was found of a version to the files of a folder, in the place of what they
// have of these lines.
func keepAccepts(dir, version string, all bool, found accepts.Table) error {
	t, err := accepts.Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	if all {
		t.Forget(version)
	}
	for key, finding := range found {
		t.Set(key, version, finding)
	}
	for name, text := range t.Files() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
