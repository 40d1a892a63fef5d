package sim

import (
	"slices"
	"testing"
)

func TestArgumentsAreReadAsTheCLIDoes(t *testing.T) {
	o, err := parseOptions([]string{"-p", "hello", "--model=opus", "--allowedTools", "Bash(git log:*),Read", "Write", "--resume", "--new-flag", "--debug", "--", "--prompt"})
	if err != nil {
		t.Fatal(err)
	}
	if got := o.rules("allowedTools"); !slices.Equal(got, []string{"Bash(git log:*)", "Read", "Write"}) {
		t.Errorf("rules: %q", got)
	}
	if !slices.Equal(o.prompt, []string{"hello", "--prompt"}) || o.value("model") != "opus" || !o.has("print") || !o.has("resume") || !o.has("debug") {
		t.Errorf("got %+v", o)
	}
	if !slices.Equal(o.unknown, []string{"--new-flag"}) {
		t.Errorf("unknown: %q", o.unknown)
	}
	if _, err := parseOptions([]string{"--model"}); err == nil {
		t.Error("a missing value is taken")
	}
}
