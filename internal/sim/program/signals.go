package program

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals returns the signals that come to this process, by their names, until stop is called.
func Signals() (names <-chan string, stop func()) {
	from, to, done := make(chan os.Signal, 4), make(chan string), make(chan struct{})
	signal.Notify(from, os.Interrupt, syscall.SIGTERM)
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
		close(done)
	}
}
