package differ

import (
	"encoding/json"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// structuredOutput asks for an object that fits a schema.
func structuredOutput(b *builder) {
	if !b.once("schema") {
		return
	}
	const schema = `{"type":"object","required":["n","kind"],"properties":{"n":{"type":"integer"},"kind":{"enum":["a","b"]}},"additionalProperties":false}`
	b.arg("--json-schema", schema)
	if b.typescript {
		b.init["jsonSchema"] = json.RawMessage(schema)
	}
	answer := func(input string) { b.say(fakeapi.ToolUse("StructuredOutput", input)) }
	switch b.rand.IntN(5) {
	case 0:
		answer(`{"n":"three","kind":"a"}`)
		answer(`{"n":3,"kind":"a"}`)
	case 1:
		answer(`{"n":3,"kind":"c","more":true}`)
		answer(`{"n":3,"kind":"b"}`)
	case 2:
		b.sayText("Three.")
		answer(`{"n":3,"kind":"a"}`)
	case 3:
		b.say(fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`))
		answer(`{"n":3,"kind":"a"}`)
	default:
		answer(`{"n":3,"kind":"a"}`)
	}
	b.done()
	b.ask()
}
