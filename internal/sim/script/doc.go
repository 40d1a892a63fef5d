// Package script is the model's part of a simulated session: what it says to which request.
//
// A script is the JSON of [fakeapi.Script], the form that scenarios have in their api.json, with
// more members:
//
//	{
//		"turns": [{"match": {"text": "weather"}, "text": "Sunny."}],
//		"default": {"text": "I do not know."},
//		"tools": {"WebFetch": {"text": "a page"}},
//		"faults": ["blank"],
//		"strict": true
//	}
//
// default answers what no turn is left for; without it the answer is "done".
// tools has the results of tools that the simulated CLI does not act out, one or a list for each
// tool. faults are names of the table of faults. strict says which departures from the script are
// errors. tools_anywhere lets the tools leave the working directory.
//
// A [Model] plays a script. How far it has come can be kept ([Model.State]) for the next process of
// a session.
package script
