package conformance_test

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/conformance"
	"github.com/ccwire/ccwire/internal/conformance/scenarios"
	"github.com/ccwire/ccwire/internal/conformance/sim/simtarget"
)

func Example() {
	all, err := scenarios.All()
	if err != nil {
		fmt.Println(err)
		return
	}
	chosen, err := conformance.Select(all, []conformance.Glob{"turn/text"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := simtarget.New() // or conformance.NewProcessTarget(ctx, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := conformance.Run(context.Background(), conformance.Options{Scenarios: chosen, Targets: []conformance.Target{target}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Results[0].Scenario, report.Results[0].Status)
	// Output: turn/text pass
}
