package sim_test

import (
	"testing"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/transport"
)

func TestTheAgentGreets(t *testing.T) {
	cli, err := sim.New([]byte(`{"turns": [{"match": {"text": "greet"}, "text": "Hello."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	options := cli.Options()
	options.Dir = t.TempDir()
	result, err := transport.Query(t.Context(), "greet me", options).Result()
	if err != nil {
		t.Fatal(err)
	}
	if result.Text() != "Hello." {
		t.Errorf("the agent says %q", result.Text())
	}
}
