//go:build !race

package transport

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

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

// A piece of streamed text costs the memory of its frame from the pipe to the loop of a turn, and
// nothing else.
func TestAPieceOfTextAllocatesOnlyItsFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pieces = 500 // fewer than wait decoded
		s, f := running(t, &Options{Stream: true})
		done := make(chan uint64)
		go func() {
			var before, after runtime.MemStats
			count := 0
			for _, err := range s.Turn(t.Context(), "begin").Text() {
				if err != nil {
					t.Error(err)
				}
				if count++; count == 1 {
					runtime.ReadMemStats(&before)
				}
			}
			runtime.ReadMemStats(&after)
			done <- after.Mallocs - before.Mallocs
		}()
		synctest.Wait()
		line := strings.Replace(deltaLine("null", "word "), `"uuid":"u"`, `"uuid":"00000000-0000-4000-8000-000000000000"`, 1)
		f.Say(deltaLine("null", "first"))
		synctest.Wait()
		if err := f.Raw(strings.Repeat(line+"\n", pieces) + peertest.ResultLine("fine") + "\n"); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got > pieces*5/4 {
			t.Errorf("%d allocations for %d pieces", got, pieces)
		}
	})
}

// A loop over text takes little memory for a piece whose message is not one of the first: that of
// its strings, in one allocation for several.
func TestAPieceOfTextTakesLittleMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rounds, pieces, most = 50, 100, 150 // bytes of a piece, besides the line that the test writes
		s, f := running(t, &Options{Stream: true})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, err := range s.Turn(t.Context(), "begin").Text() {
				if err != nil {
					t.Error(err)
				}
			}
		}()
		line := strings.Replace(deltaLine("null", "word "), `"uuid":"u"`, `"uuid":"00000000-0000-4000-8000-000000000000"`, 1) + "\n"
		batch := strings.Repeat(line, pieces)
		var before, after runtime.MemStats
		for round := range rounds {
			if round == 3 {
				runtime.ReadMemStats(&before)
			}
			synctest.Wait()
			if err := f.Raw(batch); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		runtime.ReadMemStats(&after)
		f.Say(peertest.ResultLine("fine"))
		<-done
		if got := (after.Mallocs - before.Mallocs) * 2 / ((rounds - 3) * pieces); got > 0 {
			t.Errorf("%d allocations for %d pieces", after.Mallocs-before.Mallocs, (rounds-3)*pieces)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) / ((rounds - 3) * pieces); got > most+uint64(len(line)) {
			t.Errorf("%d bytes for each piece, want %d at most", got, most+len(line))
		}
	})
}
