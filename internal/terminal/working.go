package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Working says what is being done and for how long already, until the returned function is called:
// on a terminal in one line that changes and is taken away at the end, elsewhere in a line now and
// then.
func Working(w io.Writer, text string) (done func()) {
	return working(w, text, rewrites(w, os.Getenv))
}

func working(w io.Writer, text string, rewrite bool) (done func()) {
	every, form, last := seldom, "%s (%d s)\n", ""
	if rewrite {
		every, form, last = time.Second, "\r\x1b[K%s (%d s)", "\r\x1b[K"
		fmt.Fprint(w, text)
	} else {
		fmt.Fprintln(w, text)
	}
	start, stop := time.Now(), make(chan struct{})
	var writer sync.WaitGroup
	// The goroutine is the only one to write until done has ended it.
	writer.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(w, form, text, int(time.Since(start).Seconds()))
			case <-stop:
				fmt.Fprint(w, last)
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(stop)
		writer.Wait()
	})
}
