package framing

import (
	"fmt"
	"strings"
)

// Nasties returns the hand-made streams. Each has a frame before and a frame after what is nasty,
// so that a parser that stumbles loses one.
func Nasties() []Stream {
	var all []Stream
	for _, n := range nasty {
		all = append(all, Stream{Name: n.name, Data: []byte(between(n.middle))})
	}
	for _, n := range nastyEnds {
		all = append(all, Stream{Name: n.name, Data: []byte(n.middle)})
	}
	return append(append(all, pieces()...), lengths()...)
}

// between puts a text and its LF between two frames.
func between(middle string) string {
	return "{\"n\":1}\n" + middle + "\n{\"n\":2}\n"
}

// frame is a plain frame with a text.
func frame(n int, text string) string { return fmt.Sprintf(`{"n":%d,"text":"%s"}`, n, text) }

type named struct{ name, middle string }

var nasty = []named{
	{"plain", `{"n":7,"text":"a"}`},
	{"several frames", frame(3, "a") + "\n" + frame(4, "b") + "\n" + frame(5, "c")},
	{"equal frames", "{\"n\":3}\n{\"n\":3}\n{\"n\":3}"},
	{"empty object", `{}`},

	// Line ends.
	{"carriage return", "{\"n\":7}\r"},
	{"two carriage returns", "{\"n\":7}\r\r"},
	{"carriage return on every line", "{\"n\":7}\r\n{\"n\":8}\r\n{\"n\":9}\r"},
	{"carriage return as space", "{\"n\":\r7}"},
	{"carriage return in noise", "noise\r{\"n\":7}"},
	{"blank line", ""},
	{"blank lines", "\n\n\n"},
	{"blank line with carriage return", "\r"},
	{"line of spaces", " \t  "},
	{"spaces around", " \t{\"n\":7} \t "},
	{"spaces inside", "{ \"n\" :\t7 }"},
	{"line separator in a string", frame(7, "a\u2028b")},
	{"paragraph separator in a string", frame(7, "a\u2029b")},
	{"next line in a string", frame(7, "a\u0085b")},
	{"line separator in a name", "{\"n\":7,\"a\u2028\":1}"},
	{"line separator in noise", "noise\u2028{\"n\":7}"},
	{"paragraph separator in noise", "noise\u2029{\"n\":7}"},
	{"next line in noise", "noise\u0085{\"n\":7}"},
	{"vertical tab in noise", "noise\v{\"n\":7}"},
	{"form feed in noise", "noise\f{\"n\":7}"},
	{"file separator in noise", "noise\x1c{\"n\":7}"},
	{"record separator before a frame", "\x1e{\"n\":7}"},
	{"no-break space around", "\u00a0{\"n\":7}\u00a0"},
	{"delete in a string", frame(7, "\x7f")},

	// Text that looks like a line end or a frame.
	{"escaped line feed", frame(7, `a\nb`)},
	{"escaped backslash and n", frame(7, `a\\nb`)},
	{"escaped CR LF", frame(7, `\r\n`)},
	{"frame in a string", frame(7, `{\"n\":8}`)},
	{"frame end in a string", frame(7, `\"}\n{\"n\":8}`)},
	{"braces in a string", frame(7, `}{][`)},
	{"quotes in a string", frame(7, `\"\"\\\"`)},
	{"backslashes at the end", frame(7, `\\\\`)},

	// Noise.
	{"text", "noise"},
	{"text before a frame", `debug: {"n":7}`},
	{"event stream prefix", `data: {"n":7}`},
	{"text after a frame", `{"n":7} noise`},
	{"open brace", "{"},
	{"close brace", "}"},
	{"open bracket", "["},
	{"quote", `"`},
	{"backslash", `\`},
	{"half a frame", `{"n":7,"text":"a`},
	{"half a frame before its string", `{"n":7,"text":`},
	{"half a frame, closed later", "{\"n\":7,\n\"text\":1}"},
	{"pretty-printed frame", "{\n  \"n\": 7\n}"},
	{"two frames on a line", `{"n":7}{"n":8}`},
	{"two frames on a line with a space", `{"n":7} {"n":8}`},
	{"frames with a comma between", `{"n":7},{"n":8}`},
	{"frame in an array", `[{"n":7}]`},
	{"array", `[1,2]`},
	{"number", `5`},
	{"string", `"abc"`},
	{"string with a frame in it", `"{\"n\":7}"`},
	{"null", `null`},
	{"true", `true`},
	{"comment", `// {"n":7}`},
	{"hash comment", `# {"n":7}`},
	{"terminal sequence", "\x1b[2K\x1b[1A"},
	{"stack trace", "Error: boom\n    at f (a.js:1:1)\n    at {anonymous} (b.js:2:2)"},
	{"many lines of noise", strings.TrimSuffix(strings.Repeat("noise {\n", 100), "\n")},
	{"noise between all frames", "a\n{\"n\":7}\nb\n{\"n\":8}\n{\n{\"n\":9}"},

	// Bytes.
	{"byte-order mark before a frame", "\ufeff{\"n\":7}"},
	{"byte-order mark alone", "\ufeff"},
	{"byte-order mark in a string", frame(7, "\ufeff")},
	{"NUL", "\x00"},
	{"NUL before a frame", "\x00{\"n\":7}"},
	{"NUL after a frame", "{\"n\":7}\x00"},
	{"NUL after a frame, and text", "{\"n\":7}\x00noise"},
	{"NUL in a string", frame(7, "a\x00b")},
	{"escaped NUL", frame(7, `a\u0000b`)},
	{"control byte in a string", frame(7, "a\x01b")},
	{"tab in a string", frame(7, "a\tb")},
	{"invalid UTF-8 in a string", frame(7, "a\xffb")},
	{"invalid UTF-8 in noise", "\xff\xfe\x80"},
	{"invalid UTF-8 before a frame", "\xff{\"n\":7}"},
	{"cut character before LF", "{\"n\":7,\"text\":\"\xe2\x80"},
	{"cut character in noise", "\xf0\x9f\x98"},
	{"overlong encoding of LF", frame(7, "a\xc0\x8ab")},
	{"overlong encoding of a quote", frame(7, "a\xc0\xa2b")},
	{"encoded surrogate", frame(7, "a\xed\xa0\x80b")},
	{"byte past Unicode", frame(7, "a\xf4\x90\x80\x80b")},
	{"UTF-16", "{\x00\"\x00n\x00\"\x00:\x007\x00}\x00"},
	{"two-byte character", frame(7, "é")},
	{"three-byte character", frame(7, "漢")},
	{"four-byte character", frame(7, "😀")},
	{"escaped pair", frame(7, `\ud83d\ude00`)},
	{"lone surrogate", frame(7, `\ud800`)},
	{"low surrogate first", frame(7, `\udc00\ud800`)},
	{"noncharacter", frame(7, "\uffff\ufffe")},

	// Values.
	{"duplicate member", `{"n":7,"a":1,"a":2}`},
	{"duplicate number", `{"n":7,"n":8}`},
	{"empty name", `{"n":7,"":1}`},
	{"special names", `{"n":7,"__proto__":{"a":1},"constructor":2,"toString":3,"hasOwnProperty":4,"length":5}`},
	{"only a special name", `{"__proto__":{"n":7}}`},
	{"big integer", `{"n":7,"a":12345678901234567890,"b":-9223372036854775808}`},
	{"integer past 2^53", `{"n":7,"a":9007199254740993}`},
	{"floats", `{"n":7,"a":0.1,"b":1e308,"c":-0,"d":5e-324,"e":1E+2,"f":3.141592653589793}`},
	{"all kinds", `{"n":7,"a":null,"b":true,"c":false,"d":[],"e":{},"f":"","g":[null,{"h":[]}]}`},
	{"nesting of 90", `{"n":7,"a":` + strings.Repeat("[", 89) + strings.Repeat("]", 89) + `}`},
	{"nesting of 90 objects", strings.Repeat(`{"a":`, 89) + `{"n":7}` + strings.Repeat("}", 89)},
	{"nesting of 2000", `{"n":7,"a":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`},
	{"nesting of 100000", `{"n":7,"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`},
	{"nesting without an end", strings.Repeat("[", 100_000)},
	{"nesting of objects without an end", strings.Repeat(`{"a":`, 50_000)},
	{"many members", manyMembers(2000)},
}

// nastyEnds are whole streams.
var nastyEnds = []named{
	{"nothing", ""},
	{"one LF", "\n"},
	{"one frame", "{\"n\":1}\n"},
	{"last line without LF", "{\"n\":1}\n{\"n\":2}"},
	{"only line without LF", `{"n":1}`},
	{"last line with CR and no LF", "{\"n\":1}\n{\"n\":2}\r"},
	{"last line without LF, with a space", "{\"n\":1}\n{\"n\":2} "},
	{"truncated last line", "{\"n\":1}\n{\"n\":2,\"text\":\"a"},
	{"truncated last line in an escape", "{\"n\":1}\n{\"n\":2,\"text\":\"a\\u00"},
	{"truncated last line in a character", "{\"n\":1}\n{\"n\":2,\"text\":\"\xe6\xbc"},
	{"noise at the end", "{\"n\":1}\nnoise"},
	{"noise at the start", "noise\n{\"n\":1}\n"},
	{"blank lines at the end", "{\"n\":1}\n\n\n"},
	{"byte-order mark at the start", "\ufeff{\"n\":1}\n{\"n\":2}\n"},
	{"CR only", "\r{\"n\":1}\r{\"n\":2}\r"},
	{"CR LF at the start", "\r\n{\"n\":1}\r\n"},
}

func manyMembers(n int) string {
	var b strings.Builder
	b.WriteString(`{"n":7`)
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":%d`, i, i)
	}
	return b.String() + "}"
}
