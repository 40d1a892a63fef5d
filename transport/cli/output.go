package cli

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// maxRest bounds what is taken out of a pipe after the exit. It is the largest capacity that a
// process may give to a pipe on Linux (elsewhere they are smaller), so that whatever lies behind it
// was written by a descendant.
const maxRest = 1 << 20

// errPipeEmpty is what readUntil returns when the time is over and somebody still holds the other
// end.
var errPipeEmpty = errors.New("pipe is empty")

// output is our end of a pipe that the process writes to. While the process runs, Read reads the
// pipe. When it is gone, settle takes what is left in the pipe into memory and closes it, and Read
// goes on from there.
type output struct {
	mu      sync.Mutex // guards the fields below; held while Read waits for the pipe
	pipe    *os.File   // nil after the exit
	rest    []byte     // what was left in the pipe
	settled bool       // rest grows no more
	changed *sync.Cond // on mu: rest or settled changed
}

func newOutput(pipe *os.File) *output {
	o := &output{pipe: pipe}
	o.changed = sync.NewCond(&o.mu)
	return o
}

// Read implements io.Reader.
func (o *output) Read(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.pipe != nil {
		n, err := o.pipe.Read(p)
		if !isInterrupted(err) {
			return n, err
		}
	}
	for len(o.rest) == 0 && !o.settled {
		o.changed.Wait()
	}
	if len(o.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, o.rest)
	o.rest = o.rest[n:]
	return n, nil
}

// settle is called once, after the exit. What the process wrote is in the pipe by now, so it is
// enough to read until the pipe is empty. If a descendant holds the other end, settle reads on
// until the given time.
func (o *output) settle(until time.Time) {
	pipe := o.take()
	buf := make([]byte, 64<<10)
	var err error
	for taken := 0; taken < maxRest && err == nil; {
		var n int
		n, err = readUntil(pipe, buf, until)
		taken += n
		o.add(buf[:n])
	}
	pipe.Close()

	o.mu.Lock()
	defer o.mu.Unlock()
	o.settled = true
	o.changed.Broadcast()
}

// take ends a Read that waits for the pipe and keeps later ones away from it.
func (o *output) take() *os.File {
	pipe := o.pipe // only this method changes it
	lockPipe(pipe, &o.mu)
	defer o.mu.Unlock()
	o.pipe = nil
	return pipe
}

func (o *output) add(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rest = append(o.rest, p...)
	o.changed.Broadcast()
}
