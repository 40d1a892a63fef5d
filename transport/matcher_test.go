package transport

import (
	"strings"
	"testing"
)

// Matchers are regular expressions of JavaScript, which has what package regexp lacks.
func TestMatchersThatThePatternLanguageOfTheCLIHas(t *testing.T) {
	for _, matcher := range []string{
		"", "*", "Bash", "Write|Edit", "mcp__.*", "mcp__*", "^(Read|Write)$", `Notebook\w+`, "a{2,3}?", "a{,3}", "{", "a{", "]", "}", "a{x}",
		"(?=Write)W", "(?!Bash).*", "(?<=mcp__)x", "(?<!mcp__)x", "(?:a|b)+", "(?=a)*", `(?<tool>\w+)\k<tool>`, `(a)\1`, `\u0041`, `\u{41}`, `\x41`, `\cA`, `\0`,
		`\e\y\-\/`, `\p{L}`, "[^]", "[]", "[a-]", "[-a]", "[a-z0-9_-]", `[\w-.]`, `[\]]`, "[[]", "a**"[:2], "a|", "|", "()", "é+", "[é-ü]", `a{1001}`,
	} {
		if err := checkMatcher(matcher); err != nil {
			t.Errorf("%q: %v", matcher, err)
		}
	}
}

func TestMatchersThatAreNoPattern(t *testing.T) {
	tests := []struct{ matcher, says string }{
		{"(", "not closed"}, {"(a", "not closed"}, {"a)", "has no ("}, {"((a)", "not closed"},
		{"[a", "not closed"}, {"[", "not closed"}, {"[^", "not closed"}, {`[\]`, "not closed"}, {"[z-a]", "out of order"},
		{"*a", "nothing to repeat"}, {"**", "nothing to repeat"}, {"a**", "nothing to repeat"}, {"a*+", "nothing to repeat"}, {"a|*", "nothing to repeat"},
		{"(*)", "nothing to repeat"}, {"^*", "nothing to repeat"}, {`\b+`, "nothing to repeat"}, {"(?<=a)*", "nothing to repeat"},
		{"a{1}{2}", "nothing to repeat"}, {"{1}", "nothing to repeat"}, {"a{3,2}", "out of order"}, {"?", "nothing to repeat"},
		{`Bash\`, "backslash"}, {`[\`, "backslash"},
		{"(?i)bash", "(?i)"}, {"(?P<n>a)", "(?P<"}, {"(?<1>a)", "start of a group"}, {"(?", "start of a group"}, {"(?i:bash)", "(?i:"},
	}
	for _, test := range tests {
		if err := checkMatcher(test.matcher); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q: error is %v, want one that says %q", test.matcher, err, test.says)
		}
	}
}
