//go:build live

package transport_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
)

func TestLiveOutcomes(t *testing.T) {
	testOutcomes(t, func(t *testing.T, turns []fakeapi.Turn) *transport.Options {
		o, _ := liveOptions(t, func(string) []fakeapi.Turn { return turns })
		return o
	})
}
