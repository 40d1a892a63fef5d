package suite_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/transport/cli"
)

func TestAProgramThatIsNoCLIIsRefusedWithAReason(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	const says = `if [ "$1" = --version ]; then echo "2.1.325 (Claude Code)"; exit 0; fi; `
	for _, tt := range []struct{ name, path, want string }{
		{"does not exist", filepath.Join(t.TempDir(), "nothing"), "not found"},
		{"is not executable", plain, "permission denied"},
		{"is another program", program(t, "echo 'ls (GNU coreutils) 9.1'"), "no version found"},
		{"prints a usage error", program(t, "echo 'usage: foo' >&2; exit 64"), "usage: foo"},
		{"hangs when asked for its version", program(t, "sleep 300"), "does not say its version"},
		{"hangs at the start", program(t, says+"sleep 300"), "does not answer initialize"},
		{"refuses the arguments", program(t, says+"echo 'unknown option' >&2; exit 1"), "ends with code 1 and says nothing; stderr: unknown option"},
		{"answers nonsense", program(t, says+"read line; echo hello; sleep 300"), "not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			patience := time.Minute
			if strings.HasPrefix(tt.name, "hangs") {
				patience = 2 * time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			_, err := suite.NewProcessTarget(ctx, tt.path)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			var typed *suite.NoCLIError
			var spawn *cli.SpawnError
			if !errors.As(err, &typed) && !errors.As(err, &spawn) && !errors.Is(err, cli.ErrNotFound) {
				t.Errorf("%T is not one of the errors for it", err)
			}
		})
	}
}

func TestNothingIsLeftAfterAProbe(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	target, err := suite.NewProcessTarget(t.Context(), simulatedCLI(t, "handshake/initialize"))
	if err != nil {
		t.Fatal(err)
	}
	if want := simulated(t).Version(); target.Name() != want.String() || target.Version() != want {
		t.Errorf("got %s, %s", target.Name(), target.Version())
	}
	checkEmpty(t, os.TempDir())
}

// checkEmpty reports scratch folders that were not removed.
func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := fs.Glob(os.DirFS(dir), "ccwire-*")
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
