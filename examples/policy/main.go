// Policy lets the model read everything, write below one folder, and nothing else.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("policy: ")
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: policy FOLDER PROMPT")
		os.Exit(2)
	}
	opts := &transport.Options{Dir: os.Args[1], CanUseTool: writesBelow(os.Args[1])}
	result, err := transport.Query(context.Background(), strings.Join(os.Args[2:], " "), opts).Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
}

// writesBelow is asked for every tool call that the CLI's own rules do not decide.
func writesBelow(folder string) transport.PermissionFunc {
	return func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
		if allowed(folder, r.TypedInput()) {
			return r.Allow(), nil
		}
		fmt.Printf("denied: %s %s\n", r.ToolName, r.Input)
		return r.Deny("this session may only read, and write files below " + folder), nil
	}
}
