package sim_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/transport"
)

func TestAnOptionForAProcessIsAnErrorThatNamesIt(t *testing.T) {
	o := load(t, `{"turns": [{"text": "Hello."}]}`).Options()
	o.OnStderr = func(string, int) {}
	_, err := transport.Open(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "Options.OnStderr:") || !strings.Contains(err.Error(), "simulated CLI") {
		t.Errorf("error = %v", err)
	}
}
