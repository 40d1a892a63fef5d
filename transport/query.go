package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// Query returns a turn with a CLI of its own. The CLI starts with the first use of the turn and is
// gone when the loop or the call of [Turn.Result] ends, by a break and by the end of ctx too: it is
// stopped as by [Session.Close], which lets it end its tools and takes three seconds at most by
// default.
//
// After the result, requests that the CLI has made are still answered before its input is closed,
// for three seconds too. The end of ctx ends that.
//
// It selects the mode by the options. If they need the control protocol, see
// [Options.Bidirectional], it opens a [Session], whose callbacks then work. Otherwise it runs the
// CLI in the one-way mode, which every version has: the prompt is all that is written to the CLI,
// and its version is not asked for but with [Options.Stream].
func Query(ctx context.Context, prompt string, opts *Options) *Turn {
	if opts.Bidirectional() {
		return &Turn{ctx: ctx, begin: func(t *Turn) error { return beginSession(t, prompt, opts) }}
	}
	return &Turn{ctx: ctx, begin: func(t *Turn) error { return beginOneWay(t, prompt, opts) }}
}

// spawnPatience is how long a CLI that [Options.Spawn] started has to end after its turn.
const spawnPatience = 3 * time.Second

// stopping returns the context in which a CLI is stopped whose turn is over. Package cli ends one
// in steps; one that was started otherwise may wait for the end of the context.
func (o *Options) stopping() (context.Context, context.CancelFunc) {
	if o.Spawn == nil {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), spawnPatience)
}

// beginSession opens a session for one turn.
func beginSession(t *Turn, prompt string, opts *Options) error {
	s, err := Open(t.ctx, opts)
	if err != nil {
		return err
	}
	t.leave = func() {
		if t.result != nil {
			s.conn.retire(t.ctx)
		}
		ctx, cancel := opts.stopping()
		defer cancel()
		s.Shutdown(ctx)
	}
	return s.beginTurn(t, userMessage(prompt))
}

// oneWayRole is the role of a Conn with a CLI that asks nothing.
type oneWayRole struct {
	bareRole
	process Process
}

func (r oneWayRole) ended(err error) (forCalls, forMessages error) {
	return explainExit(r.process, err)
}

// beginOneWay starts a CLI that reads one prompt and the end of its input.
func beginOneWay(t *Turn, prompt string, opts *Options) error {
	o := opts.withDefaults()
	if err := o.validate(); err != nil {
		return err
	}
	path, err := o.find()
	if err != nil {
		return err
	}
	line, err := wire.Append(nil, o.outgoing(userMessage(prompt)))
	if err != nil {
		return err
	}
	var version Version
	if o.Stream {
		if version, err = o.askVersion(t.ctx, path); err != nil {
			return err
		}
	}
	p, err := o.start(t.ctx, path, o.queryArgs(version))
	if err != nil {
		return err
	}
	c := newConn(p.Stdout(), p.Stdin(), &ConnOptions{Limits: o.Limits, WhenFull: o.WhenFull, NoDeviations: true, Logger: o.Logger})
	c.start(oneWayRole{bareRole{c}, p})
	t.leave = func() {
		c.abort(ErrClosed)
		ctx, cancel := o.stopping()
		defer cancel()
		p.Stop(ctx)
		c.Close()
	}
	t.pieces.box = c.msgs
	t.receive = func() (wire.Frame, error) {
		f, err := c.Receive(t.ctx)
		if err == io.EOF {
			err = fmt.Errorf("%w: %w", ErrNoResult, c.Err())
		}
		t.pieces.takeAfter(f)
		return f, err
	}
	// Nobody waits for the writes: if they fail, the exit says why.
	prompted, last := &outgoing{line: line}, &outgoing{}
	return errors.Join(c.out.push(prompted), c.out.pushLast(last, ErrInputClosed))
}
