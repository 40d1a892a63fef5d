package mcp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/internal/sim/fence"
)

// patience is how long a program may take to end when its input has ended, and again when it was
// asked to.
const patience = 200 * time.Millisecond

// program starts the program of a server.
func (s *server) program() (mcp.Transport, error) {
	c := fence.Command{Name: s.config.Text("command"), Dir: s.set.host.Cwd}
	for _, arg := range s.config.List("args") {
		c.Args = append(c.Args, fmt.Sprint(arg))
	}
	for _, m := range s.config.Object("env") {
		c.Env = append(c.Env, m.Name+"="+fmt.Sprint(m.Value))
	}
	if !s.set.host.Local[s.name] {
		c.Read = s.set.host.Fence.Named(append([]string{c.Name}, c.Args...)...)
	}
	stdin, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	output, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdin.Close(), input.Close())
	}
	c.Stdin, c.Stdout = stdin, stdout
	p, err := s.set.host.Fence.Start(&c)
	if err := errors.Join(err, stdin.Close(), stdout.Close()); err != nil {
		return nil, errors.Join(err, input.Close(), output.Close())
	}
	done := make(chan struct{})
	go func() { // ends with the process, which closing the connection ends
		p.Wait()
		close(done)
	}()
	return &mcp.IOTransport{Reader: io.NopCloser(output), Writer: &programInput{input, output, p, done}}, nil
}

// programInput is the input of a program that ends with it.
type programInput struct {
	*os.File
	output  *os.File
	process *fence.Process
	done    chan struct{} // closed when the process has ended
}

// Close closes the input, and ends the program if that does not.
func (i *programInput) Close() error {
	defer i.output.Close() // after what it still has to say
	err := i.File.Close()
	for _, end := range []func(){func() { _ = i.process.Terminate() }, i.process.Kill} { // it may be gone
		select {
		case <-i.done:
			i.process.Kill() // what it has left behind
			return err
		case <-time.After(patience):
			end()
		}
	}
	<-i.done
	return err
}
