package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/tail"
)

// Limits of what a driver writes.
const (
	maxLine    = 64 << 20
	maxOutput  = 512 << 20
	maxReports = 200_000
)

// drainTime is how long the pipes of a process that has ended are read on, while others hold them.
const drainTime = 500 * time.Millisecond

// Program says what to start.
type Program struct {
	Args []string // the program and its arguments
	Dir  string
	Env  []string
	// Serve, if set, is the driver, in this process: it reads commands until their end and writes
	// reports. The fields above are not used then.
	Serve func(in io.Reader, out io.Writer) error
	// OnReport is called for each report, in order, from one goroutine. It is nil for a program
	// that is not a driver: its output is dropped.
	OnReport func(*Report)
	// OnProblem is called once, if the driver writes what is not a report or too much of it.
	// Nothing is reported after that.
	OnProblem func(error)
}

// Process is a driver that runs, in a process group of its own or in this process.
type Process struct {
	cmd    *exec.Cmd     // nil for one in this process
	out    *os.File      // what it writes
	lines  chan []byte   // to stdin; closed by CloseInput
	done   chan struct{} // closed when the process has ended and its output was read
	stderr tail.Buffer
	code   int    // valid once done is closed
	signal string // likewise

	mu     sync.Mutex // guards closed
	closed bool       // lines is closed
}

// Run starts a driver. The caller calls Kill in the end.
func Run(o Program) (*Process, error) {
	p := &Process{lines: make(chan []byte, 64), done: make(chan struct{})}
	start := p.call
	if o.Serve == nil {
		start = p.exec
	}
	in, end, err := start(&o)
	if err != nil {
		return nil, err
	}
	go p.write(in) // ends with CloseInput, which Kill calls too
	read := make(chan struct{})
	go func() { // ends with the output
		defer close(read)
		if o.OnReport == nil {
			_, _ = io.Copy(io.Discard, p.out)
			return
		}
		if err := readReports(p.out, o.OnReport); err != nil && o.OnProblem != nil {
			o.OnProblem(err)
		}
		_, _ = io.Copy(io.Discard, p.out)
	}()
	go func() { // ends with the driver
		p.code, p.signal = end()
		_ = p.out.SetReadDeadline(time.Now().Add(drainTime))
		<-read
		p.out.Close()
		p.CloseInput()
		close(p.done)
	}()
	return p, nil
}

// exec starts a driver as a program. It returns its input, and what waits for its end.
func (p *Process) exec(o *Program) (in io.WriteCloser, end func() (code int, signal string), err error) {
	if len(o.Args) == 0 {
		return nil, nil, errors.New("no command")
	}
	p.cmd = exec.Command(o.Args[0], o.Args[1:]...)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = o.Dir, o.Env, &p.stderr
	p.cmd.WaitDelay = drainTime
	ownGroup(p.cmd)
	if in, err = p.cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	// The pipe is ours, so that Wait does not close it before everything was read.
	out, outW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	p.out, p.cmd.Stdout = out, outW
	err = p.cmd.Start()
	outW.Close()
	if err != nil {
		out.Close()
		return nil, nil, err
	}
	return in, func() (int, string) {
		_ = p.cmd.Wait() // the state has what it says
		return p.cmd.ProcessState.ExitCode(), signalOf(p.cmd.ProcessState)
	}, nil
}

// call is exec for a driver in this process. Its pipes are those of the system too, so that it
// neither waits for the judge nor sees a difference.
func (p *Process) call(o *Program) (in io.WriteCloser, end func() (code int, signal string), err error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	out, outW, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, inR.Close(), inW.Close())
	}
	p.out = out
	served := make(chan error, 1)
	go func() { served <- o.Serve(inR, outW) }() // ends with its input
	return inW, func() (code int, signal string) {
		if err := <-served; err != nil {
			fmt.Fprintln(&p.stderr, err)
			code = 1
		}
		inR.Close()
		outW.Close()
		return code, ""
	}, nil
}

// write writes the lines until there are no more.
func (p *Process) write(in io.WriteCloser) {
	defer in.Close()
	for line := range p.lines {
		if _, err := in.Write(line); err != nil {
			for range p.lines { // the process is gone or will be
			}
			return
		}
	}
}

// readReports reads reports to the end of the output.
func readReports(out io.Reader, report func(*Report)) error {
	lines := codec.NewReader(out, &codec.ReaderOptions{MaxLine: maxLine})
	total, reports := int64(0), 0
	for {
		line, err := lines.Next()
		if err != nil {
			return nil // the end, or the process is gone
		}
		if line.Kind == codec.BlankLine {
			continue
		}
		total += line.Len
		reports++
		if line.Kind == codec.OversizeLine || total > maxOutput || reports > maxReports {
			return fmt.Errorf("the driver floods its stdout: %d bytes in %d lines", total, reports)
		}
		r, err := parseReport(line.Bytes)
		if err != nil {
			return fmt.Errorf("the driver wrote a line that is not a report: %w: %.200q", err, line.Bytes)
		}
		report(r)
	}
}

// Send writes a command. It does not wait until the driver has read it.
func (p *Process) Send(c *Command) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errors.New("the driver has ended")
	}
	select {
	case p.lines <- append(line, '\n'):
		return nil
	default:
		return errors.New("the driver does not read its commands")
	}
}

// CloseInput ends the driver's input after everything that was sent.
func (p *Process) CloseInput() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.lines)
	}
}

// Done is closed when the driver has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns the exit code, or -1 and the name of the signal, once Done is closed.
func (p *Process) Exit() (code int, signal string) { return p.code, p.signal }

// Stderr returns the end of what the driver has written to stderr.
func (p *Process) Stderr() string { return p.stderr.String() }

// PID returns the process, 0 for a driver in this one.
func (p *Process) PID() int {
	if p.cmd == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Left reports whether processes of the driver's group outlive it, once Done is closed.
func (p *Process) Left() bool { return p.cmd != nil && groupAlive(p.cmd.Process.Pid) }

// Kill ends the driver and its group, and waits for that. It may be called more than once. A driver
// in this process ends with its input.
func (p *Process) Kill() {
	if p.cmd != nil {
		killGroup(p.cmd.Process.Pid)
	}
	p.CloseInput()
	<-p.done
}
