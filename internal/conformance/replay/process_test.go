//go:build unix

package replay

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/ccwire/ccwire/internal/conformance/recording"
)

// stuck is the output of a CLI whose SDK does not read.
type stuck struct{ writing, release chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	close(s.writing)
	<-s.release
	return len(p), nil
}

func TestASignalEndsAProcessWhoseOutputNobodyReads(t *testing.T) {
	out := stuck{make(chan struct{}), make(chan struct{})}
	defer close(out.release)
	s := &Session{Entries: []recording.Entry{{Dir: recording.Header}, {Dir: recording.ToSDK, Line: "{}"}, exit(0, "")}, Names: recording.NewNames("", "")}
	codes := make(chan int, 1)
	// Ends with the signal.
	go func() { codes <- s.ServeProcess(t.Context(), strings.NewReader(""), out, io.Discard) }()
	<-out.writing // so it waits for signals
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := <-codes; code != 143 {
		t.Errorf("exit code %d, want 143", code)
	}
}
