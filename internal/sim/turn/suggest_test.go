package turn

import "testing"

func TestASuggestionIsWhatAUserWouldSay(t *testing.T) {
	for text, want := range map[string]string{
		"run the tests":                       "run the tests",
		"  run the tests\n":                   "run the tests",
		"<suggestion>run it</suggestion>":     "run it",
		"Suggestion: run it":                  "run it",
		"commit":                              "commit",
		"/compact":                            "/compact",
		"elaborate":                           "", // too short
		"a b c d e f g h i j k l m":           "", // too long
		"run it. Then commit":                 "", // two sentences
		"run *all* tests":                     "", // marked up
		"looks good, ship it":                 "", // a judgement
		"Let me run the tests":                "", // the model speaks
		"done":                                "",
		"No suggestion for now":               "",
		"(nothing to add)":                    "",
		"API Error: 500 the API has an error": "",
		"Note: run it":                        "",
		`{"title":"helper"}`:                  "",
		"":                                    "",
	} {
		if got := suggested(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
