package flags

import (
	"slices"
	"testing"
)

func TestArgumentsAreReadAsTheCLIDoes(t *testing.T) {
	o, err := Parse([]string{"-p", "hello", "--model=opus", "--allowedTools", "Bash(git log:*),Read", "Write", "--resume", "--new-flag", "--debug", "--", "--prompt"})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Rules("allowedTools"); !slices.Equal(got, []string{"Bash(git log:*)", "Read", "Write"}) {
		t.Errorf("rules: %q", got)
	}
	if !slices.Equal(o.Prompt, []string{"hello", "--prompt"}) || o.Value("model") != "opus" || !o.Has("print") || !o.Has("resume") || !o.Has("debug") {
		t.Errorf("got %+v", o)
	}
	if !slices.Equal(o.Unknown, []string{"--new-flag"}) {
		t.Errorf("unknown: %q", o.Unknown)
	}
	if _, err := Parse([]string{"--model"}); err == nil {
		t.Error("a missing value is taken")
	}
}
