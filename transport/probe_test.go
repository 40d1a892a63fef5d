package transport

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"
)

func TestProbeVersion(t *testing.T) {
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
			checkLeaks(t)
			patience := testPatience
			if test.hangs {
				patience = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			v, err := ProbeVersion(ctx, childOptions(t, "").Path, childEnviron(test.script))
			switch {
			case test.ok == nil && (err != nil || v != Version{2, 1, 325}):
				t.Errorf("got %v, %v", v, err)
			case test.ok != nil && (!v.IsZero() || !test.ok(err)):
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
}

func TestProbeVersionOfNothing(t *testing.T) {
	checkLeaks(t)
	_, err := ProbeVersion(t.Context(), filepath.Join(t.TempDir(), "missing"), nil)
	var spawn *SpawnError
	if !errors.As(err, &spawn) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error = %v", err)
	}
}

func TestProbeVersionHasATimeoutOfItsOwn(t *testing.T) {
	checkLeaks(t)
	_, err := ProbeVersion(context.Background(), childOptions(t, "").Path, childEnviron("version-hang"))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
}
