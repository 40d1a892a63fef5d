//go:build !race

package transport

import (
	"context"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// A hook callback, there and back, costs few allocations in both ends together.
func TestHookCallbackAllocatesLittle(t *testing.T) {
	const most = 15
	request, err := wire.DecodeRequest([]byte(peertest.HookBody), nil)
	if err != nil {
		t.Fatal(err)
	}
	cli, _ := connPair(t, &ConnOptions{}, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) {
		return &wire.HookOutput{}, nil
	}})
	got := testing.AllocsPerRun(5000, func() {
		if _, err := cli.Call(context.Background(), request); err != nil {
			t.Fatal(err)
		}
	})
	if got > most {
		t.Errorf("%.1f allocations, want %d at most", got, most)
	}
}
