package linecheck_test

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/schema"
)

func ExampleChecker_Check() {
	r := codec.NewReader(strings.NewReader(`{"type":"keep_alive","more":1}`), nil)
	frame, err := r.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range linecheck.New(true).Check(schema.Either, frame) {
		fmt.Println(f.Severity, f.Deviation)
	}
	// Output: lint unknown member at /more: "more"
}
