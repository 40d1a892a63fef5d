package accept

import "github.com/ccwire/ccwire/internal/accepts"

// rawText is a line that is written as it is.
type rawText string

const rawPrompt = `{"type":"user","message":{"role":"user","content":"hello there"},"parent_tool_use_id":null,"session_id":""}`

// rawChanges are lines in the place of a prompt that are not what a line should be.
func rawChanges() []change {
	var list []change
	for _, c := range []struct {
		value accepts.Value
		text  rawText
	}{
		{accepts.Blank, ""},
		{accepts.CarriageReturn, rawPrompt + "\r"},
		{accepts.NotUTF8, `{"type":"user","message":{"role":"user","content":"hello ` + "\xff" + `"},"parent_tool_use_id":null,"session_id":""}`},
		{accepts.NotJSON, "hello there"},
		{accepts.Null, "null"},
		{accepts.Boolean, "true"},
		{accepts.Number, "5"},
		{accepts.String, `"hello there"`},
		{accepts.Array, `["hello there"]`},
		{accepts.Object, `{"ccwire":"x"}`},
	} {
		list = append(list, change{value: c.value, body: c.text})
	}
	return list
}
