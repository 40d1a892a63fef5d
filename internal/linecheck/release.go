package linecheck

import (
	"slices"

	"github.com/ccwire/ccwire/schema"
)

// At returns a Checker that also holds what the CLI wrote to one version of it: what came with a
// newer version, and what is missing though this version always writes it, are findings.
func (c *Checker) At(r *schema.Release) *Checker {
	held := *c
	held.release = r
	return &held
}

// outdated lists what the version of the checker does not write in a document of the CLI. What is
// listed already, and what is not JSON, is left to others.
func (c *Checker) outdated(dir schema.Direction, definition string, doc []byte, listed []Finding) []Finding {
	if c.release == nil || dir != schema.FromCLI {
		return listed
	}
	severity := Error
	if c.lint {
		severity = Lint
	}
	found, err := c.release.Lint(definition, doc)
	if err != nil {
		return listed
	}
	for _, d := range found {
		known := func(f Finding) bool { return f.Kind == d.Kind && f.Path == d.Path }
		if !slices.ContainsFunc(listed, known) {
			listed = append(listed, Finding{Severity: severity, Deviation: d})
		}
	}
	return listed
}
