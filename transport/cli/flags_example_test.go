package cli_test

import (
	"fmt"

	"github.com/ccwire/ccwire/transport/cli"
)

func ExampleFlags() {
	flags := cli.Flags{
		Model:        "opus",
		Effort:       "high",
		AllowedTools: []string{"Read", "Bash(git log:*)"},
	}
	if err := flags.Validate(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(flags.Check(cli.Version{Major: 2, Minor: 0, Patch: 77}) != nil)
	fmt.Printf("%q\n", flags.Args())
	// Output:
	// true
	// ["--allowedTools=Read" "--allowedTools=Bash(git log:*)" "--effort=high" "--model=opus"]
}
