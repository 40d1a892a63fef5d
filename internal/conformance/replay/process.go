package replay

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/ccwire/ccwire/internal/conformance/recording"
)

// ServeProcess plays a recording as this process: it also gets the process's signals. A signal that
// the recording does not have ends it, as it would end the CLI between turns.
func (s *Session) ServeProcess(ctx context.Context, in io.Reader, out, errOut io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	arrived := make(chan os.Signal, 8)
	signal.Notify(arrived, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(arrived)
	names := make(chan string, 8)
	s.Signals = names
	expected := slices.ContainsFunc(s.Entries, func(e recording.Entry) bool { return e.Dir == recording.Signal })
	ended := make(chan int, 1)
	// Ends with the context; owns names.
	go func() {
		for {
			select {
			case sig := <-arrived:
				switch name, status := signalName(sig); {
				case expected:
					names <- name
				default:
					ended <- status
					cancel()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	var code int
	var stderr string
	played := make(chan struct{})
	// Ends with the recording or the context; if the SDK does not read, with the process. Owns code
	// and stderr until then.
	go func() {
		defer close(played)
		code, stderr = s.Serve(ctx, in, out)
	}()
	select {
	case status := <-ended:
		return status
	case <-played:
	}
	select {
	case status := <-ended:
		return status
	default:
	}
	io.WriteString(errOut, stderr)
	return code
}

func signalName(sig os.Signal) (name string, status int) {
	if sig == syscall.SIGTERM {
		return "TERM", 143
	}
	return "INT", 0
}
