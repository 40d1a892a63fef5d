package generator

import "testing"

func TestADocCommentBeginsWithTheName(t *testing.T) {
	for text, want := range map[string]string{
		"A circle.":              "Thing is a circle.",
		"An arc.":                "Thing is an arc.",
		"Asks for more.":         "Thing asks for more.",
		"Why it failed.":         "Thing says why it failed.",
		"What is left.":          "Thing is what is left.",
		"The stream broke off.":  "Thing: The stream broke off.",
		"Subagents of the turn.": "Thing: Subagents of the turn.",
	} {
		if got := lead("Thing", text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := lead("StopInput", "A turn ends."); got != "StopInput: A turn ends." {
		t.Errorf("got %q", got)
	}
}
