package run

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

// readStrings reads strings one after the other, up to the first that is not one.
func readStrings(d *Decoder) (all []string, ends []int, err error) {
	for d.Pos < len(d.Data) {
		var s string
		if !d.String(&s) {
			return all, ends, d.Err()
		}
		all, ends = append(all, s), append(ends, d.Pos)
	}
	return all, ends, nil
}

// TestShortStringsAreReadAsOthersAre holds the reader of short strings against that of the alias
// mode, which has none: with all that a string may have, close to the end of the line, and with
// memory that is nearly used up.
func TestShortStringsAreReadAsOthersAre(t *testing.T) {
	plain := rapid.Custom(func(t *rapid.T) string {
		return `"` + strings.Repeat("0123456789", 6)[:rapid.IntRange(0, 60).Draw(t, "size")] + `"`
	})
	odd := rapid.SampledFrom([]string{"\"\x01\"", "\"\xff\"", `"abcdefghijk\q"`, `"open`, "\"a\x7f\"", `"é"`, `"0123456789é"`})
	text := rapid.OneOf(plain, plain, plain, jsontest.String, odd)
	rapid.Check(t, func(t *rapid.T) {
		line := []byte(strings.Join(rapid.SliceOfN(text, 1, 12).Draw(t, "strings"), ""))
		if rapid.Bool().Draw(t, "cut") {
			line = line[:rapid.IntRange(0, len(line)).Draw(t, "end")]
		}
		var aliases, copies Decoder
		aliases.Reset(line, &Options{Alias: true})
		copies.Reset(bytes.Clone(line), nil)
		memory := bytes.Repeat([]byte{0xee}, 400)
		size := rapid.IntRange(0, 300).Draw(t, "memory")
		copies.Lend(memory[:size:size], nil)
		want, wantEnds, wantErr := readStrings(&aliases)
		got, ends, err := readStrings(&copies)
		for i := range copies.Data { // what was read does not share the memory of the line
			copies.Data[i] = '?'
		}
		if diff := cmp.Diff([]any{want, wantEnds, wantErr}, []any{got, ends, err}); diff != "" {
			t.Fatalf("%q with %d bytes of memory: %s", line, size, diff)
		}
		for i, c := range memory[size:] {
			if c != 0xee {
				t.Fatalf("%q: byte %d after the memory of %d is written to", line, i, size)
			}
		}
	})
}
