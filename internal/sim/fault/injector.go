package fault

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"
)

// Process is what faults need of the process that misbehaves.
type Process struct {
	Stderr      io.Writer
	CloseStdout func() error
	Exit        func(code int)      // ends the process; it may return before it has
	Kill        func(signal string) // the same by a signal: "KILL"
	Withdraw    func(id string)     // if set, ends the wait for the answer to a request; it does not write
	Sleep       func(time.Duration) // if set, is how slow lines wait
	Happens     func(fault string)  // if set, is told when a fault happens for the first time
}

func (p *Process) sleep(d time.Duration) {
	if p.Sleep == nil {
		time.Sleep(d)
		return
	}
	p.Sleep(d)
}

// Injector does the faults of one session.
type Injector struct {
	process Process
	closed  chan struct{} // closed by Close

	mu        sync.Mutex // guards the fields below, and what is written
	out       io.Writer
	rest      []byte // of a line that has not ended
	faults    []active
	asked     map[string]string // subtypes of the SDK's requests, by id
	cancelled map[string]bool   // requests to cancel when they are answered, by id
	made      int               // requests that faults have made
	held      []byte            // a line that comes after the next one
	late      *time.Timer       // releases what is held; nil until something was
	silent    bool              // nothing is written any more
	gone      bool              // the process has ended
	stays     bool              // the end of the input is not told
}

// active is a fault that can still happen.
type active struct {
	*Fault
	seen int  // lines of its kind
	told bool // that it happens
}

// New returns an injector of faults into what is written to out.
func New(faults []Fault, out io.Writer, p Process) *Injector {
	i := &Injector{process: p, closed: make(chan struct{}), out: out, asked: map[string]string{}, cancelled: map[string]bool{}}
	for n := range faults {
		i.faults = append(i.faults, active{Fault: &faults[n]})
	}
	return i
}

// Write takes what the CLI writes, in pieces of any size, and writes whole lines on.
func (i *Injector) Write(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			i.rest = append(i.rest, rest...)
			break
		}
		text := rest[:end]
		if len(i.rest) > 0 {
			text = append(i.rest, text...)
			i.rest = nil
		}
		if err := i.line(text); err != nil {
			return 0, err
		}
		rest = rest[end:]
	}
	return len(p), nil
}

// Close writes what is still held back, and ends readers that are deaf. It is called once, when the
// CLI has ended.
func (i *Injector) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	close(i.closed)
	if i.late != nil {
		i.late.Stop()
	}
	held := slices.Concat(i.held, i.rest)
	i.held, i.rest = nil, nil
	return i.write(held)
}

// line writes a line as the faults want it. Of several faults at one line, the first happens.
func (i *Injector) line(text []byte) error {
	held := i.held
	i.held = nil
	if i.late != nil {
		i.late.Stop()
	}
	l := look(text)
	kind := l.kind(i.asked)
	var act *active
	for n := range i.faults {
		f := &i.faults[n]
		if f.row.input || !is(kind, f.kind) || f.row.fits != nil && !f.row.fits(f.Fault, text) {
			continue
		}
		f.seen++
		if act == nil && (f.nth == 0 || f.nth == f.seen) {
			act = f
		}
	}
	var err error
	if act != nil {
		i.happens(act)
		err = act.row.do(i, act.Fault, text)
	} else {
		err = i.write(text)
	}
	if err != nil {
		return err
	}
	return i.write(held)
}

// release writes what was held for long enough.
func (i *Injector) release() {
	i.mu.Lock()
	defer i.mu.Unlock()
	held := i.held
	i.held = nil
	_ = i.write(held) // the CLI's next write fails as well
}

// Unused returns those of the first n faults that have not happened, as they were written.
func (i *Injector) Unused(n int) (list []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, f := range i.faults[:n] {
		if !f.told {
			list = append(list, f.String())
		}
	}
	return list
}

// happens tells of a fault, once.
func (i *Injector) happens(f *active) {
	if !f.told && i.process.Happens != nil {
		i.process.Happens(f.String())
	}
	f.told = true
}

// write writes the parts in one call.
func (i *Injector) write(parts ...[]byte) error {
	if i.gone {
		return errGone
	}
	all := slices.Concat(parts...)
	if i.silent || len(all) == 0 {
		return nil
	}
	_, err := i.out.Write(all)
	return err
}

// heard takes a line that the SDK wrote, and reports whether the CLI goes on to read.
func (i *Injector) heard(text []byte) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	l := look(text)
	kind := l.kind(nil)
	deaf := false
	for n := range i.faults {
		f := &i.faults[n]
		if f.row.input && is(kind, f.kind) {
			f.seen++
			if f.nth == 0 || f.nth == f.seen {
				i.happens(f)
				deaf = true
			}
		}
	}
	switch l.Type {
	case "control_request":
		if len(i.asked) < maxAsked {
			i.asked[string(l.RequestID)] = l.Request.Subtype
		}
	case "control_response":
		if id := l.Response.RequestID; i.cancelled[string(id)] {
			delete(i.cancelled, string(id))
			_ = i.write(cancel(id)) // the CLI's next write fails as well
		}
	}
	return !deaf
}

// staying reports whether the end of the input is kept from the CLI.
func (i *Injector) staying() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stays
}

// maxAsked bounds the requests that are remembered.
const maxAsked = 10000
