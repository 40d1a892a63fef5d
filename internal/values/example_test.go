package values_test

import (
	"encoding/json"
	"fmt"

	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// In a test, Draw takes a value from the generator inside rapid.Check.
func ExampleOf() {
	set := schema.Default()
	gen := values.Of(set, "envelope/keep_alive.json")
	v := gen.Example(1)
	fmt.Println(json.Valid(v), set.Closed().Validate("envelope/keep_alive.json", v))
	// Output: true <nil>
}
