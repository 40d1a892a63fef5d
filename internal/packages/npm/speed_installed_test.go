//go:build packages

package npm_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// TestInstalledReadersAreFast measures with the program of make bench, on fewer lines: zod takes
// milliseconds for each.
func TestInstalledReadersAreFast(t *testing.T) {
	const (
		count   = 500
		ofParse = 3  // times the time of JSON.parse, at most
		thanZod = 10 // times as fast, at least
	)
	dir := project(t)
	program, err := os.ReadFile("../../bench/typescript/bench.mjs")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := schema.Default().Bundle(schema.BundleOptions{Direction: schema.FromCLI})
	if err != nil {
		t.Fatal(err)
	}
	codegen, err := schema.Default().CodegenBundle(schema.CodegenOptions{Name: naming.New().Definition})
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for _, s := range sessions {
		for i := range s.Lines {
			if s.Lines[i].Dir == recording.ToSDK {
				all = append(all, s.Lines[i].Text)
			}
		}
	}
	var lines bytes.Buffer
	for i := range count {
		// zod knows no unknown types, and no shapes of older peers.
		if line := all[i*len(all)/count]; schema.Default().Closed().ValidateFrame(schema.FromCLI, line) == nil {
			lines.Write(append(bytes.Clone(line), '\n'))
		}
	}
	for name, text := range map[string][]byte{"bench.mjs": program, "bundle.json": bundle, "codegen.json": codegen, "speed.ndjson": lines.Bytes()} {
		write(t, dir, name, text)
	}
	out := run(t, dir, "node", "bench.mjs", "speed.ndjson", "bundle.json", "codegen.json", "5")
	var took map[string]struct{ Ratio float64 } // the time of another, in times of ours
	if err := json.Unmarshal(out, &took); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("times of ours: JSON.parse %.2f, ajv %.2f, zod %.1f", took["JSON.parse"].Ratio, took["ajv"].Ratio, took["zod"].Ratio)
	if parse := took["JSON.parse"].Ratio; parse*ofParse < 1 {
		t.Errorf("JSON.parse takes %.2f of our time, want at least a %dth", parse, ofParse)
	}
	if zod := took["zod"].Ratio; zod < thanZod {
		t.Errorf("zod takes %.1f times our time, want at least %d", zod, thanZod)
	}
}
