package seeds

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// A Token is a piece of input that a fuzzer puts where it likes.
type Token struct {
	Name string // letters, digits and underscores
	Text string
}

// maxToken is the length of the longest token that AFL takes.
const maxToken = 128

// Tokens returns the pieces of which lines are made: the punctuation and the literals of JSON, what
// stands between lines, and from the schemas the names of members, the tags with their names, and
// the values of enums and the names of tools. Each is there once.
func Tokens() []Token {
	t := tokens{seen: map[string]bool{}}
	for _, p := range punctuation {
		t.add(p.Name, p.Text)
	}
	var all []*schema.Node
	for _, d := range schema.Default().Definitions() {
		collect(d.Node, &all)
	}
	for _, n := range all {
		for _, p := range n.Properties {
			t.add("member_"+p.Name, strconv.Quote(p.Name))
		}
	}
	for _, n := range all {
		for _, p := range n.Properties {
			if tag, ok := p.Const.(string); ok {
				t.add("tag_"+p.Name+"_"+tag, strconv.Quote(p.Name)+":"+strconv.Quote(tag))
			}
		}
	}
	for _, n := range all {
		for _, v := range valuesOf(n) {
			t.add("value_"+v, strconv.Quote(v))
		}
	}
	return t.all
}

// punctuation is what has no schema.
var punctuation = []Token{
	{"object", "{}"}, {"object_begin", "{"}, {"object_end", "}"}, {"array", "[]"}, {"array_begin", "["}, {"array_end", "]"},
	{"comma", ","}, {"colon", ":"}, {"quote", `"`}, {"backslash", `\`}, {"empty_string", `""`},
	{"null", "null"}, {"true", "true"}, {"false", "false"}, {"zero", "0"}, {"minus_zero", "-0"}, {"fraction", "0.5"}, {"exponent", "1e400"},
	{"past_2_53", "9007199254740993"}, {"past_2_63", "9223372036854775808"},
	{"escaped_quote", `\"`}, {"escaped_backslash", `\\`}, {"escaped_lf", `\n`}, {"escaped_nul", `\u0000`}, {"escaped_pair", `\ud83d\ude00`}, {"escaped_surrogate", `\ud800`},
	{"lf", "\n"}, {"cr_lf", "\r\n"}, {"cr", "\r"}, {"tab", "\t"}, {"space", " "}, {"nul", "\x00"},
	{"byte_order_mark", "\ufeff"}, {"line_separator", "\u2028"}, {"paragraph_separator", "\u2029"}, {"next_line", "\u0085"}, {"no_break_space", "\u00a0"},
	{"four_bytes", "😀"}, {"cut_character", "\xe2\x80"}, {"not_utf8", "\xff"}, {"overlong_lf", "\xc0\x8a"},
}

// collect lists a node and those below it, without following refs.
func collect(n *schema.Node, all *[]*schema.Node) {
	if n == nil {
		return
	}
	*all = append(*all, n)
	for i := range n.Properties {
		collect(n.Properties[i].Node, all)
	}
	for _, arm := range n.OneOf {
		collect(arm, all)
	}
	for _, inner := range []*schema.Node{n.AdditionalProperties, n.Items, n.Content} {
		collect(inner, all)
	}
}

// valuesOf returns the strings that a node names.
func valuesOf(n *schema.Node) []string {
	all := slices.Concat(n.XEnum, n.Tool)
	for _, v := range append(slices.Clone(n.Enum), n.Const) {
		if text, ok := v.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// tokens is a list without duplicates.
type tokens struct {
	all  []Token
	seen map[string]bool
}

func (t *tokens) add(name, text string) {
	if t.seen[text] || len(text) > maxToken {
		return
	}
	t.seen[text] = true
	t.all = append(t.all, Token{nameOf(name), text})
}

// nameOf makes a name for a dictionary.
func nameOf(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_')
	})
	return cmp.Or(strings.Join(words, "_"), "token")
}

// dictionary writes tokens as AFL and libFuzzer read them: a name, and the text in quotes, in which
// a quote, a backslash and what is not printable ASCII are escaped.
func dictionary(tokens []Token) []byte {
	var b bytes.Buffer
	b.WriteString("# Tokens of the stream-json protocol, for AFL, libFuzzer and the like.\n")
	for _, t := range tokens {
		fmt.Fprintf(&b, "%s=\"", t.Name)
		for _, c := range []byte(t.Text) {
			switch {
			case c == '"' || c == '\\':
				b.Write([]byte{'\\', c})
			case c < ' ' || c > '~':
				fmt.Fprintf(&b, `\x%02x`, c)
			default:
				b.WriteByte(c)
			}
		}
		b.WriteString("\"\n")
	}
	return b.Bytes()
}
