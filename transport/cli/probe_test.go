package cli

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestProbe(t *testing.T) {
	exitError := func(err error) bool {
		var exit *ExitError
		return errors.As(err, &exit) && exit.Code == 3 && exit.Stderr == "first\nboom\n"
	}
	is := func(target error) func(error) bool {
		return func(err error) bool { return errors.Is(err, target) }
	}
	tests := []struct {
		script string
		hangs  bool
		ok     func(error) bool // nil: a version is found
	}{
		{script: "version"},
		{script: "version-warning"},
		{script: "version-garbage", ok: is(ErrNoVersion)},
		{script: "version-long", ok: is(ErrNoVersion)},
		{script: "version-hang", hangs: true, ok: is(context.DeadlineExceeded)},
		{script: "version-half", hangs: true, ok: is(context.DeadlineExceeded)},
		{script: "fail", ok: exitError},
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			peertest.CheckLeaks(t)
			patience := peertest.Patience
			if test.hangs {
				patience = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			v, err := Probe(ctx, childOptions(t, "").Path, childOptions(t, test.script).Env)
			switch {
			case test.ok == nil && (err != nil || v != Version{2, 1, 325}):
				t.Errorf("got %v, %v", v, err)
			case test.ok != nil && (!v.IsZero() || !test.ok(err)):
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
}

func TestProbeOfNothing(t *testing.T) {
	peertest.CheckLeaks(t)
	_, err := Probe(t.Context(), childOptions(t, "").Path+".missing", nil)
	var spawn *SpawnError
	if !errors.As(err, &spawn) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error = %v", err)
	}
}

func TestProbeHasATimeoutOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct{ timeout, want time.Duration }{
			{0, ProbeTimeout}, // none
			{time.Second, time.Second},
			{time.Hour, time.Hour},
		} {
			ctx := t.Context()
			if test.timeout != 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.timeout)
				defer cancel()
			}
			start := time.Now()
			limited, cancel := withProbeTimeout(ctx)
			defer cancel()
			<-limited.Done()
			if got := time.Since(start); got != test.want {
				t.Errorf("with a deadline in %v Probe ends in %v, want %v", test.timeout, got, test.want)
			}
		}
	})
}
