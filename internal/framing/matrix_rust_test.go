//go:build languages

package framing

import (
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/workshop"
)

var inRust = []plantedBug{
	{"correct", nil},
	{"correct_text", nil},
	{"stops_at_invalid", []string{loses + " at invalid UTF-8"}},
	{"dies_at_noise", []string{dies + " at a line that is not a JSON object"}},
	{"panics_at_values", []string{"dies with exit status 101 at JSON that is not an object"}},
	{"overflows_stack", []string{"dies with signal: aborted at nesting"}},
	{"values", []string{loses + " at a line that is not a JSON object", "values"}},
	{"keeps_noise", []string{loses + " at a line that is not a JSON object", "values"}},
	{"read_is_lines", []string{"pieces"}},
	{"lossy_reads", []string{"pieces-character"}},
	{"short_buffer", []string{"limit"}},
	{"rounds", []string{loses + " long number"}},
	{"cr_and_last", []string{"last-line", "splits"}},
	{"invalid_and_limit", []string{dies + " at invalid UTF-8", "limit"}},
}

// TestEachPlantedBugInRustIsCalledByItsCause needs cargo, as make languages does, which runs it.
func TestEachPlantedBugInRustIsCalledByItsCause(t *testing.T) {
	dir := workshop.Rust(t, filepath.Join("internal", "rust"))
	workshop.Run(t, dir, "cargo", "build", "--quiet", "--locked", "--package", "planted")
	program := filepath.Join(dir, "target", "debug", "planted")
	for _, test := range inRust {
		t.Run(test.parser, func(t *testing.T) { checkPlanted(t, []string{program, test.parser}, test) })
	}
}
