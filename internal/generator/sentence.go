package generator

import "strings"

// leads are the first words of descriptions that go on from a name, with the words that join them.
var leads = map[string]string{
	"A": "is a", "An": "is an", "One": "is one", "What": "is what",
	"How": "says how", "Where": "says where", "Whether": "says whether", "Which": "says which", "Who": "says who", "Why": "says why",
}

// verbs are the first words of descriptions that say what a thing does.
var verbs = "Aborts Adds Answers Appends Asks Calls Carries Changes Closes Connects Decides Describes Ends Gives " +
	"Identifies Keeps Lets Lists Makes Marks Merges Moves Names Opens Passes Proposes Puts Reaches Reads Refuses Replaces " +
	"Reports Restores Says Sends Sets Shows Stops Switches Takes Tells Withdraws Writes"

// lead makes the first sentence of a doc comment out of a name and a description: "AddRulesUpdate
// adds rules." Where the words do not join, as in the account of an event, the description follows
// a colon.
func lead(name, text string) string {
	first, rest, _ := strings.Cut(text, " ")
	switch {
	case leads[first] != "" && !strings.HasSuffix(name, "Input"):
		return name + " " + leads[first] + " " + rest
	case strings.Contains(" "+verbs+" ", " "+first+" "):
		return name + " " + strings.ToLower(first) + " " + rest
	}
	return name + ": " + text
}
