package tap

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// Limits bound what a tap holds and how long it waits. The zero value gives the defaults.
type Limits struct {
	Line  int           // the longest line that is recorded in full, in bytes; 16 MiB
	Queue int           // bytes that wait for the recorder; 64 MiB
	Wait  time.Duration // how long the path waits, when the queue is full, for a recorder that does nothing; 250 ms
	Drain time.Duration // how long the recorder may take after the CLI has ended; 6 s
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&l.Line, 16<<20)
	def(&l.Queue, 64<<20)
	if l.Wait == 0 {
		l.Wait = 250 * time.Millisecond
	}
	if l.Drain == 0 {
		l.Drain = 6 * time.Second
	}
	return l
}

// A Tap runs one session of a CLI.
type Tap struct {
	Command               []string // the CLI and its arguments
	Stdin, Stdout, Stderr *os.File // those of the SDK; closed when the other end is

	Recorder *Recorder // may be nil
	Limits   Limits
}

// An Exit is how the CLI ended.
type Exit struct {
	Code   int       // if no signal ended it
	Signal os.Signal // nil if none did
}

// Leave ends this process as the CLI ended.
func (e Exit) Leave() {
	if e.Signal != nil {
		die(e.Signal)
		os.Exit(1)
	}
	os.Exit(e.Code)
}

// Run runs the session. When it returns, everything has been passed on that the CLI wrote before it
// ended, and the recording is complete, or the recorder was too slow for Limits.Drain. The error
// says why the CLI could not be started.
func (t *Tap) Run() (Exit, error) {
	runtime.LockOSThread() // the kernel ends the CLI with the thread that started it
	defer runtime.UnlockOSThread()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 4)) // the path never waits for the recorder
	limits := t.Limits.withDefaults()
	s := &session{queue: newQueue(limits.Queue, limits.Wait), begin: time.Now()}
	var err error
	if s.gate, err = newGate(); err != nil {
		return Exit{}, err
	}
	cmd := exec.Command(t.Command[0], t.Command[1:]...)
	cmd.SysProcAttr = attributes()
	var pipes pipes
	if err := pipes.open(cmd); err != nil {
		return Exit{}, err
	}
	signals, stop := catch()
	defer stop()
	recorded := make(chan struct{})
	if t.Recorder != nil {
		t.Recorder.begin(s, t.Command[1:], limits)
	}
	if err := cmd.Start(); err != nil {
		pipes.close()
		if t.Recorder != nil {
			t.Recorder.abandon()
		}
		return Exit{}, fmt.Errorf("the CLI cannot be started: %w", err)
	}
	pipes.started()
	go func() { // ends when the queue is closed and empty
		defer close(recorded)
		if t.Recorder != nil {
			t.Recorder.run()
		} else {
			s.discard()
		}
	}()
	go s.signals(cmd.Process, signals) // ends with the process
	go func() {                        // ends with its source, or with the process
		pump(pipes.stdin, t.Stdin, s.gate, s.see(recording.ToCLI))
		s.note(event{dir: recording.EOF})
		pipes.stdin.Close()
		hangUp(t.Stdin)
	}()
	var outputs sync.WaitGroup
	outputs.Go(func() {
		pump(t.Stdout, pipes.stdout, s.gate, s.see(recording.ToSDK))
		pipes.stdout.Close()
		hangUp(t.Stdout)
	})
	outputs.Go(func() {
		pump(t.Stderr, pipes.stderr, s.gate, s.see(recording.Stderr))
		pipes.stderr.Close()
	})
	_ = cmd.Wait() // the state says it all
	s.gate.shut()
	outputs.Wait()
	exit := Exit{Code: cmd.ProcessState.ExitCode(), Signal: endedBy(cmd.ProcessState)}
	s.finish(exit)
	if t.Recorder != nil {
		t.Recorder.await(recorded, limits.Drain)
	}
	return exit, nil
}

// pipes are the CLI's standard streams: the ends of this process, and those of the CLI.
type pipes struct {
	stdin, stdout, stderr *os.File
	theirs                []*os.File
}

func (p *pipes) open(cmd *exec.Cmd) error {
	var all [3][2]*os.File
	for i := range all {
		r, w, err := os.Pipe()
		if err != nil {
			p.close()
			return err
		}
		all[i] = [2]*os.File{r, w}
		p.theirs = append(p.theirs, r, w) // until all is well
	}
	p.stdin, p.stdout, p.stderr = all[0][1], all[1][0], all[2][0]
	widen(p.stdout)
	p.theirs = []*os.File{all[0][0], all[1][1], all[2][1]}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.theirs[0], p.theirs[1], p.theirs[2]
	return nil
}

// started closes the ends that the CLI has now.
func (p *pipes) started() {
	for _, f := range p.theirs {
		f.Close()
	}
}

func (p *pipes) close() {
	p.started()
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// A session is what the goroutines of a run share.
type session struct {
	queue *queue
	gate  *gate
	begin time.Time

	mu   sync.Mutex // guards exit
	exit Exit
}

func (s *session) since() time.Duration { return time.Since(s.begin) }

// see returns what takes the bytes of a stream.
func (s *session) see(dir recording.Dir) func([]byte) {
	return func(p []byte) { s.queue.put(dir, s.since(), p) }
}

func (s *session) note(e event) {
	e.at = s.since()
	s.queue.note(e)
}

// signals passes signals on until the process ends.
func (s *session) signals(cli *os.Process, signals <-chan os.Signal) {
	for one := range signals {
		s.note(event{dir: recording.Signal, signal: signalName(one)})
		forward(cli, one)
	}
}

// finish says how the CLI ended; nothing is recorded after that.
func (s *session) finish(e Exit) {
	s.mu.Lock()
	s.exit = e
	s.mu.Unlock()
	s.queue.close(s.since())
}

func (s *session) ended() Exit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exit
}

// discard takes the place of a recorder.
func (s *session) discard() {
	for b := s.queue.take(); b != nil; b = s.queue.take() {
		s.queue.give(b)
	}
}
