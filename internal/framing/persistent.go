package framing

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"time"
)

// What a persistent parser writes after the frames of a stream: that it is ready for the next one,
// or, before a text, that it failed. No stream has such a line.
const (
	endMark   = "#end"
	errorMark = "#error"
)

var errNoEnd = errors.New("it ended before it wrote " + endMark)

// pieced returns the stream as a persistent parser gets it: each piece after a line with its
// length, and a length of 0 at the end.
func (s Stream) pieced() []byte {
	var b bytes.Buffer
	for _, chunk := range s.Chunks() {
		writePiece(&b, chunk)
	}
	b.WriteString("0\n")
	return b.Bytes()
}

func writePiece(w io.Writer, piece []byte) (int, error) {
	if len(piece) == 0 {
		return 0, nil
	}
	if _, err := io.WriteString(w, strconv.Itoa(len(piece))+"\n"); err != nil {
		return 0, err
	}
	return w.Write(piece)
}

// finish takes the mark off the output of a persistent parser that was given one stream.
func (o *outcome) finish() {
	for at := 0; at < len(o.output); {
		line := o.output[at:]
		if lf := bytes.IndexByte(line, '\n'); lf >= 0 {
			line = line[:lf+1]
		}
		if o.mark(line) {
			o.output = o.output[:at]
			return
		}
		at += len(line)
	}
	if o.exit == nil && !o.hung && !o.grew && !o.flood {
		o.exit = errNoEnd
	}
}

// mark takes note of a line of the output that ends the answer to a stream.
func (o *outcome) mark(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	if string(line) == endMark {
		o.exit, o.hung = nil, false // it need not like the end of its input
		return true
	}
	text, ok := bytes.CutPrefix(line, []byte(errorMark+" "))
	if ok || string(line) == errorMark {
		o.exit, o.stderr, o.hung = errParser, text, false
		return true
	}
	return false
}

// errParser says that a persistent parser reported an error.
var errParser = errors.New("it reported an error")

// A server is a parser that gets many streams in one process, which is started when it is needed.
type server struct {
	command *command
	cmd     *exec.Cmd // nil if none runs
	in      *os.File
	out     *bufio.Reader
	outPipe *os.File
	stderr  *bothEnds
	played  int // streams that this process got
}

func (s *server) start() error {
	in, stdin, err := os.Pipe()
	if err != nil {
		return err
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		in.Close()
		stdin.Close()
		return err
	}
	argv := s.command.argv
	cmd := exec.Command(argv[0], argv[1:]...)
	s.stderr = &bothEnds{limit: stderrKept}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, s.stderr
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	err = cmd.Start()
	in.Close()
	out.Close()
	if err != nil {
		stdin.Close()
		stdout.Close()
		return err
	}
	s.cmd, s.in, s.outPipe, s.out, s.played = cmd, stdin, stdout, bufio.NewReaderSize(stdout, 64<<10), 0
	return nil
}

// stop ends the process, if one runs, and returns how it ended. It may end by itself for a while.
func (s *server) stop(grace time.Duration) error {
	if s.cmd == nil {
		return nil
	}
	s.in.Close()
	process := s.cmd.Process
	timer := time.AfterFunc(grace, func() { killGroup(process) })
	err := s.cmd.Wait()
	timer.Stop()
	killGroup(process) // what it left behind
	s.outPipe.Close()
	s.cmd = nil
	return err
}

// play gives the parser a stream. Each piece is one that the harness reads, so that no pause is
// needed between them.
func (s *server) play(ctx context.Context, stream Stream) (*outcome, error) {
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return nil, err
		}
	}
	s.played++
	s.stderr.reset()
	cmd, in := s.cmd, s.in
	var result outcome
	var hung atomic.Bool
	wrote := make(chan struct{})
	go func() { // ends when all is written, or when the process is gone
		defer close(wrote)
		in.Write(stream.pieced())
	}()
	late := time.AfterFunc(s.command.deadlineFor(int64(len(stream.Data))), func() {
		hung.Store(true)
		killGroup(cmd.Process)
	})
	ended := context.AfterFunc(ctx, func() { killGroup(cmd.Process) })
	alive := s.read(&result, len(stream.Data)*8+1<<20)
	late.Stop()
	ended()
	if alive {
		select {
		case <-wrote:
		case <-time.After(time.Second): // it does not read the rest of the stream
			s.stop(0)
			<-wrote
		}
		return &result, nil
	}
	killed := hung.Load() || result.flood
	grace := time.Second
	if killed || ctx.Err() != nil {
		grace = 0
	}
	err := s.stop(grace)
	<-wrote
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	result.hung = hung.Load()
	if result.exit = err; err == nil || killed {
		result.exit = errNoEnd
	}
	result.stderr = s.stderr.bytes()
	return &result, nil
}

// read takes the answer to a stream. It reports false if the process ended or wrote too much.
func (s *server) read(result *outcome, limit int) bool {
	for start := 0; ; {
		part, err := s.out.ReadSlice('\n')
		result.output = append(result.output, part...)
		if len(result.output) > limit {
			result.flood = true
			return false
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			return false
		}
		if result.mark(result.output[start:]) {
			result.output = result.output[:start]
			return true
		}
		start = len(result.output)
	}
}

// A feeder of a persistent parser writes pieces.
func (f *feeder) piece(p []byte) (int, error) {
	n, err := writePiece(f.File, p)
	if err != nil {
		return 0, fmt.Errorf("a piece of %d bytes: %w", len(p), err)
	}
	return n, nil
}
