package guide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// scenarioFile returns the path of a scenario in the repository.
func scenarioFile(name string) string { return "conformance/scenarios/" + name + ".txtar" }

// ruleFile returns the path of a scenario for SDKs in the repository.
func ruleFile(name string) string { return "conformance/sdk-scenarios/" + name + ".txtar" }

// addresses says where links lead.
type addresses struct {
	manual *manual.Manual
	topic  func(t *manual.Topic, anchor string) string
	source func(path string) string // of a file of the repository
	page   func(name string) string
}

// resolve returns the address of a link of a page. That there is no such thing is an error.
func (a *addresses) resolve(to string) (string, error) {
	kind, name, _ := strings.Cut(to, ":")
	switch kind {
	case "scenario":
		if _, err := scenario.Source(name); err != nil {
			return "", err
		}
		return a.source(scenarioFile(name)), nil
	case "rule":
		all, err := sdk.All()
		if err != nil {
			return "", err
		}
		if !slices.ContainsFunc(all, func(s *sdk.Scenario) bool { return s.Name == name }) {
			return "", fmt.Errorf("no scenario for SDKs is named %s", name)
		}
		return a.source(ruleFile(name)), nil
	case "guide":
		if !slices.Contains(names, name) {
			return "", fmt.Errorf("no page is named %s", name)
		}
		return a.page(name), nil
	case "ref":
		anchor, topic, err := a.manual.Target(name)
		if err != nil {
			return "", err
		}
		return a.topic(topic, anchor), nil
	}
	return "", fmt.Errorf("a link to %s: want ref, scenario, rule or guide", to)
}
