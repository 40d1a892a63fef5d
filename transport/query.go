package transport

import (
	"context"
	"io"
	"iter"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport/cli"
)

// Query sends one prompt and returns an iterator over the messages of the CLI.
//
// It selects the mode by the options. If they need the control protocol, see
// [Options.Bidirectional], it opens a [Session], whose callbacks then work, and ends with the first
// result. Otherwise it runs the CLI in the one-way mode, which every version has: the prompt is an
// argument, nothing is written to the CLI, its version is not asked for, and the messages end when
// the CLI does.
//
// The CLI starts with the loop and is gone when the loop ends, by a break too. An error is the last
// element: that of the start, the end of ctx, or an [*ExitError] for an exit code other than 0,
// which the CLI also has after a result that is an error.
func Query(ctx context.Context, prompt string, opts *Options) iter.Seq2[wire.Frame, error] {
	if opts.Bidirectional() {
		return func(yield func(wire.Frame, error) bool) { querySession(ctx, prompt, opts, yield) }
	}
	return func(yield func(wire.Frame, error) bool) { queryOneWay(ctx, prompt, opts, yield) }
}

func querySession(ctx context.Context, prompt string, opts *Options, yield func(wire.Frame, error) bool) {
	s, err := Open(ctx, opts)
	if err != nil {
		yield(nil, err)
		return
	}
	defer s.Close()
	if err := s.Prompt(ctx, prompt); err != nil {
		yield(nil, err)
		return
	}
	for {
		f, err := s.Receive(ctx)
		if err == io.EOF {
			return
		}
		_, dropped := err.(*DroppedError)
		if !yield(f, err) || err != nil && !dropped || isResult(f) {
			return
		}
	}
}

func isResult(f wire.Frame) bool {
	switch f.(type) {
	case *wire.ResultSuccess, *wire.ResultError:
		return true
	}
	return false
}

func queryOneWay(ctx context.Context, prompt string, opts *Options, yield func(wire.Frame, error) bool) {
	o := opts.withDefaults()
	path, err := cli.Find(o.CLI)
	if err != nil {
		yield(nil, err)
		return
	}
	p, err := cli.Start(o.process(path, o.queryArgs(prompt)))
	if err != nil {
		yield(nil, err)
		return
	}
	p.Stdin().Close()
	defer p.Stop(context.Background())
	unlink := context.AfterFunc(ctx, p.Kill)
	defer unlink()

	lines := codec.NewReader(p.Stdout(), &codec.ReaderOptions{MaxLine: o.Limits.Line})
	var decoder wire.Decoder
	for {
		line, err := lines.Next()
		if err != nil {
			break
		}
		f, err := decoder.Decode(line.Bytes)
		if line.Kind != codec.ObjectLine || err != nil {
			o.Logger.Warn("line is not a message and was skipped", "kind", line.Kind, "error", err, "offset", line.Offset)
			continue
		}
		if !isControl(f) && !yield(f, nil) {
			return
		}
	}
	err = p.Wait()
	if ended := context.Cause(ctx); ended != nil {
		err = ended
	}
	if err != nil {
		yield(nil, err)
	}
}

func isControl(f wire.Frame) bool {
	switch f.(type) {
	case *wire.ControlRequest, *wire.ControlResponse, *wire.ControlCancelRequest:
		return true
	}
	return false
}
