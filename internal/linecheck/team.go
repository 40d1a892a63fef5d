package linecheck

import (
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linestream"
)

// A stepKind says what a step of the work is.
type stepKind int

const (
	opened     stepKind = iota // an input begins
	judged                     // a block of its lines has been judged
	closed                     // the input has been read to its end
	unreadable                 // it cannot be opened, or not be read to its end
)

// A step is a piece of the work. Steps are taken in the order of the input.
type step struct {
	kind    stepKind
	name    string // opened
	err     error  // unreadable
	pretty  bool   // closed: the input looks like pretty-printed JSON,
	entries bool   // or like a transcript file
	block   linestream.Block
	weight  int
	size    int64 // of the block, in the input
	number  int   // of the block, from 0
	in      *conversation
	verdict verdict
	done    chan struct{} // gets a value when the block has been judged
}

// A team is the goroutines of a run: one that reads the inputs, and some that judge blocks. They
// end with the last input, or when stop is closed.
type team struct {
	run   *Run
	queue chan *step    // every step, in its order; closed after the last one
	todo  chan *step    // the blocks among them, for those who judge
	free  chan *step    // steps whose memory can be used again
	room  chan struct{} // one value for each unit of memory that blocks hold
	stop  chan struct{}
}

// unit is how much memory one value in a team's room stands for.
const unit = 1 << 20

// start sets a team to work on files.
func (r *Run) start(names []string) *team {
	n := workers()
	longest := 2*codec.DefaultMaxLine/unit + 4 // what one block may weigh
	t := &team{
		run:   r,
		queue: make(chan *step, 2*n),
		todo:  make(chan *step, 2*n),
		free:  make(chan *step, 2*n),
		room:  make(chan struct{}, longest+2*n),
		stop:  make(chan struct{}),
	}
	go t.read(names)
	for range n {
		go t.judge()
	}
	return t
}

// read reads the inputs. It is the one sender of steps.
func (t *team) read(names []string) {
	defer close(t.queue)
	defer close(t.todo)
	for _, name := range names {
		if !t.input(name) {
			return
		}
	}
}

// input reads one input. It is false if the run has ended.
func (t *team) input(name string) bool {
	src, err := linestream.Open(name, t.run.Stdin)
	if err != nil {
		return t.send(&step{kind: unreadable, err: err})
	}
	defer src.Close() // nothing was written to it
	if !t.send(&step{kind: opened, name: name}) {
		return false
	}
	lines := linestream.NewSplitter(src, t.run.Options)
	in := new(conversation)
	for number := 0; ; number++ {
		s := t.fresh()
		s.number, s.in = number, in
		err := lines.Next(&s.block)
		switch {
		case err == io.EOF:
			return t.send(&step{kind: closed, pretty: lines.Pretty(), entries: lines.Transcript()})
		case err != nil:
			return t.send(&step{kind: unreadable, err: err})
		case !t.hand(s):
			return false
		}
	}
}

// fresh returns a step for a block.
func (t *team) fresh() *step {
	select {
	case s := <-t.free:
		return s
	default:
		return &step{kind: judged, done: make(chan struct{}, 1)}
	}
}

// hand gives a block to those who judge, once there is room for it.
func (t *team) hand(s *step) bool {
	s.weight, s.size = 1+s.block.Size()/unit, s.block.Len()
	for range s.weight {
		select {
		case t.room <- struct{}{}:
		case <-t.stop:
			return false
		}
	}
	if !t.send(s) {
		return false
	}
	select {
	case t.todo <- s:
		return true
	case <-t.stop:
		return false
	}
}

func (t *team) send(s *step) bool {
	select {
	case t.queue <- s:
		return true
	case <-t.stop:
		return false
	}
}

// judge judges blocks.
func (t *team) judge() {
	lines := linestream.NewBlockReader(t.run.Options)
	for {
		select {
		case s := <-t.todo:
			if s == nil {
				return
			}
			lines.Reset(&s.block)
			t.run.Checker.judge(&s.verdict, lines, t.run.Max)
			for _, s := range s.in.match(s) {
				t.run.Checker.answers(&s.verdict, t.run.Max)
				s.done <- struct{}{}
			}
		case <-t.stop:
			return
		}
	}
}

// release takes back the memory of a step that has been taken.
func (t *team) release(s *step) {
	for range s.weight {
		<-t.room
	}
	if s.kind != judged {
		return
	}
	select {
	case t.free <- s:
	default:
	}
}
