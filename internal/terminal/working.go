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
	every, before, after, last := seldom, "", "\n", ""
	if rewrite {
		every, before, after, last = time.Second, "\r\x1b[K", "", "\r\x1b[K"
		text = Cut(text, Width(w, os.Getenv)-len(" (1000 s)"))
	}
	fmt.Fprint(w, before, text, after)
	start, stop := time.Now(), make(chan struct{})
	var writer sync.WaitGroup
	// The goroutine is the only one to write until done has ended it.
	writer.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(w, "%s%s (%d s)%s", before, text, int(time.Since(start).Seconds()), after)
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
