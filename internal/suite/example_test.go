package suite_test

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

func Example() {
	all, err := scenario.All()
	if err != nil {
		fmt.Println(err)
		return
	}
	chosen, err := suite.Select(all, []suite.Glob{"turn/text"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := simtarget.New() // or suite.NewProcessTarget(ctx, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := suite.Run(context.Background(), suite.Options{Scenarios: chosen, Targets: []suite.Target{target}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Results[0].Scenario, report.Results[0].Status)
	// Output: turn/text pass
}
