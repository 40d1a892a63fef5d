package jsontest

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// Space makes insignificant space, mostly none.
var Space = rapid.SampledFrom([]string{"", "", "", "", " ", "\t", "\n", "\r", " \r\n\t "})

// String makes JSON strings with all sorts of escapes.
var String = rapid.Custom(func(t *rapid.T) string {
	part := rapid.OneOf(
		rapid.SampledFrom([]string{
			`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u001F`, `\u0085`, `\u2028`, `\uFFFF`,
			`\ud83d\ude00`, `\uD800`, `\udfff`, `\ud800\ud800`, `\udc00\ud800`, "\u2028", "\u0085", "\x7f", "é", "漢", "😀",
			"{", "}", "[", "]", ",", ":", "/", "<", "type",
		}),
		rapid.StringMatching(`[a-z ]{1,12}`),
	)
	return `"` + strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "") + `"`
})

// Number makes JSON numbers.
var Number = rapid.OneOf(
	rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,8})?([eE][+-]?[0-9]{1,3})?`),
	rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
)

// JSON makes JSON texts.
func JSON(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		most := 5
		if depth == 0 {
			most = 3
		}
		space := func() string { return Space.Draw(t, "space") }
		var b strings.Builder
		b.WriteString(space())
		switch rapid.IntRange(0, most).Draw(t, "kind") {
		case 0:
			b.WriteString(rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "literal"))
		case 1:
			b.WriteString(Number.Draw(t, "number"))
		case 2, 3:
			b.WriteString(String.Draw(t, "string"))
		case 4:
			b.WriteString("[" + space())
			for i := range rapid.IntRange(0, 4).Draw(t, "elements") {
				if i > 0 {
					b.WriteString(",")
				}
				b.WriteString(JSON(depth-1).Draw(t, "element"))
			}
			b.WriteString(space() + "]")
		case 5:
			b.WriteString("{" + space())
			for i := range rapid.IntRange(0, 4).Draw(t, "members") {
				if i > 0 {
					b.WriteString("," + space())
				}
				b.WriteString(String.Draw(t, "name") + space() + ":")
				b.WriteString(JSON(depth-1).Draw(t, "value"))
			}
			b.WriteString(space() + "}")
		}
		b.WriteString(space())
		return b.String()
	})
}

// Broken makes texts that are nearly JSON.
var Broken = rapid.Custom(func(t *rapid.T) string {
	text := []byte(JSON(3).Draw(t, "text"))
	for range rapid.IntRange(1, 3).Draw(t, "mutations") {
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		piece := rapid.SampledFrom([]string{
			"{", "}", "[", "]", ",", ":", `"`, `\`, `\u`, `\ud8`, "0", "-", ".", "e", "1", "t", "null", "nul", "\x00", "\x1f", "\n",
			" ", "\x80", "\xc2", "\xed\xa0\x80", "\xff", "\xf4\x90\x80\x80", "\ufeff", "/", "'", `"a":1`, "{}", "[]",
		}).Draw(t, "piece")
		switch end := min(at+rapid.IntRange(0, 3).Draw(t, "length"), len(text)); rapid.IntRange(0, 3).Draw(t, "mutation") {
		case 0:
			text = []byte(string(text[:at]) + string(text[end:]))
		case 1:
			text = []byte(string(text[:at]) + piece + string(text[at:]))
		case 2:
			text = []byte(string(text[:at]) + piece + string(text[end:]))
		case 3:
			text = text[:at]
		}
	}
	return string(text)
})
