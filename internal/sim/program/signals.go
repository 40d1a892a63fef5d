package program

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals returns the signals that come to this process, by their names, until stop is called. A
// pipe that nobody reads is the error of a write until then, and does not end this process.
func Signals() (names <-chan string, stop func()) {
	from, to, done := make(chan os.Signal, 4), make(chan string), make(chan struct{})
	signal.Notify(from, os.Interrupt, syscall.SIGTERM)
	pipe := make(chan os.Signal, 1)
	notifyPipe(pipe)
	go func() { // ends with stop
		for {
			select {
			case s := <-from:
				name := "TERM"
				if s == os.Interrupt {
					name = "INT"
				}
				select {
				case to <- name:
				case <-done:
					return
				}
			case <-done:
				return
			}
		}
	}()
	return to, func() {
		signal.Stop(from)
		signal.Stop(pipe)
		close(done)
	}
}
