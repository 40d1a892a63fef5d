//go:build languages

package languages

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/workshop"
)

// A bench is where the programs of a language are run, with what they read.
type bench struct {
	t                        testing.TB
	bundle, excerpt, samples string // files
}

// inputs are what all programs read, made once.
var inputs sync.Once

func newBench(t testing.TB) *bench {
	t.Helper()
	dir := filepath.Join(workshop.Cache(t), "inputs")
	b := &bench{t, filepath.Join(dir, "bundle.json"), filepath.Join(dir, "excerpt.json"), filepath.Join(dir, "samples.ndjson")}
	inputs.Do(func() {
		whole, excerpt := bundles(t)
		workshop.Write(t, b.bundle, whole)
		workshop.Write(t, b.excerpt, excerpt)
		workshop.Write(t, b.samples, ndjson(t, samples(t)))
	})
	return b
}
