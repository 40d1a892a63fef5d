package scenario_test

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

func Example() {
	s, err := scenario.Parse("turn/hello", []byte(`The CLI answers a greeting.

level: required
since: 1.0.85

-- script --
init
user "hello"
<result {"result":"Hi."}
-- api.json --
{"turns": [{"text": "Hi."}]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Title, s.Level, len(s.Steps), "steps")
	// Output: The CLI answers a greeting. required 4 steps
}
