package extensions

import "testing"

func TestArgumentsCountFromZero(t *testing.T) {
	for _, test := range []struct{ name, text, args, want string }{
		{"by number", "$0, $1, $2", "a b", "a, b, $2"},
		{"quotes hold words together", "$0-$1", `"a b" 'c d'`, "a b-c d"},
		{"all", "all: $ARGUMENTS.", `a "b"`, `all: a "b".`},
		{"by index", "$ARGUMENTS[1]", "a b", "b"},
		{"no place for them", "text", "a b", "text\n\nARGUMENTS: a b"},
		{"none", "text $ARGUMENTS", "", "text "},
	} {
		if got, _ := (&Extension{Text: test.text}).Expand(test.args, nil); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
