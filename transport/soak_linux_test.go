package transport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/peertest"
)

// smallCLI answers initialize and then each prompt, as fast as a process can start.
const smallCLI = `#!/bin/sh
while read -r line; do
	case $line in
	*'"subtype":"initialize"'*)
		id=${line#*'"request_id":"'}
		printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "${id%%'"'*}" ;;
	*'"type":"user"'*) printf '%s\n' 'RESULT' ;;
	esac
done
`

// openSmall returns a function that opens a session, takes a turn and closes it.
func openSmall(t *testing.T) func() {
	path := filepath.Join(t.TempDir(), "claude")
	script := strings.Replace(smallCLI, "RESULT", peertest.ResultLine("x"), 1)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return func() {
		s, err := Open(t.Context(), &Options{CLI: path, SkipVersionCheck: true, Logger: peertest.Quiet, OnStderr: func(string, int) {}})
		if err != nil {
			t.Error(err)
			return
		}
		if r, err := s.Turn(t.Context(), "hello").Result(); err != nil || r.Text() != "x" {
			t.Errorf("result %v, %v", r, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTenThousandSessionsLeaveNothing(t *testing.T) {
	cycles := 10_000
	if testing.Short() {
		cycles = 500
	}
	peertest.Soak(t, cycles, 4, openSmall(t))
}

func TestManySessionsAtOnceLeaveNothing(t *testing.T) {
	const atOnce = 64
	peertest.Soak(t, 3*atOnce, atOnce, openSmall(t))
}
