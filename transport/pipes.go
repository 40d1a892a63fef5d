package transport

import "os"

// stdio holds one end of each of the three pipes.
type stdio struct {
	stdin, stdout, stderr *os.File
}

// newPipes makes the pipes. They are ours and not those of exec.Cmd, because the latter closes its ends in Wait, with
// output still in them.
func newPipes() (ours, theirs stdio, err error) {
	defer func() {
		if err != nil {
			ours.close()
			theirs.close()
		}
	}()
	if theirs.stdin, ours.stdin, err = os.Pipe(); err != nil {
		return
	}
	if ours.stdout, theirs.stdout, err = os.Pipe(); err != nil {
		return
	}
	ours.stderr, theirs.stderr, err = os.Pipe()
	return
}

func (s stdio) close() {
	s.stdin.Close() // a nil *os.File closes with an error
	s.stdout.Close()
	s.stderr.Close()
}
