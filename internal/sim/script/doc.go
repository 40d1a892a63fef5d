// Package script is the model's part of a simulated session: what it says to which request.
//
// A script is the JSON of [fakeapi.Script], the form that scenarios have in their api.json, with
// three members more:
//
//	{
//		"turns": [{"match": {"text": "weather"}, "text": "Sunny."}],
//		"default": {"text": "I do not know."},
//		"tools": {"WebFetch": {"text": "a page"}},
//		"faults": ["blank-lines"]
//	}
//
// default answers what no turn is left for; without it the answer repeats the user's last text.
// tools has the results of tools that the simulated CLI does not act out, one or a list for each
// tool. faults are names of the
// table of faults. tools_anywhere lets the tools leave the working directory.
package script
