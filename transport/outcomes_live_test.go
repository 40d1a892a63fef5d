//go:build live

package transport_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
)

func prepareLive(t *testing.T, turns []fakeapi.Turn) *transport.Options {
	o, _ := liveOptions(t, func(string) []fakeapi.Turn { return turns })
	return o
}

func TestLiveOutcomes(t *testing.T) { testOutcomes(t, prepareLive) }

func TestLiveTurnsDoNotHang(t *testing.T) { testTurnsThatDoNotHang(t, prepareLive) }

func TestLiveRepeatedUUIDOfAResumedSession(t *testing.T) { testRepeatedUUID(t, prepareLive) }

func TestLiveDroppedResult(t *testing.T) { testDroppedResult(t, prepareLive) }

func TestLiveInterruptedCompaction(t *testing.T) { testInterruptedCompaction(t, prepareLive) }
