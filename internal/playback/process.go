package playback

import (
	"context"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/transport/cli"
)

// ToCLI plays the SDK's half of a recording to a CLI: a command, which gets arguments after its
// own. It returns the recording of that.
func (p *Player) ToCLI(ctx context.Context, entries []recording.Entry, command, args []string) ([]recording.Entry, error) {
	p.Half = recording.ToCLI
	for i := range entries {
		if entries[i].Dir == recording.Header {
			p.Add(entries[i])
			break
		}
	}
	process, err := cli.Start(cli.Options{
		Path: command[0], Args: slices.Concat(command[1:], args), InputGrace: p.Patience,
		OnStderr: func(line string, _ int) { p.Add(recording.Entry{Dir: recording.Stderr, Line: line}) },
	})
	if err != nil {
		return nil, err
	}
	err = p.Play(ctx, entries, process.Stdout(), process.Stdin())
	select {
	case <-process.Done():
	case <-time.After(p.Patience):
		p.note("the CLI was ended: it had not ended by itself")
	case <-ctx.Done():
	}
	_ = process.Stop(context.WithoutCancel(ctx)) // it says how it ended
	if exit := process.Exit(); exit != nil {
		code := exit.Code
		p.Add(recording.Entry{Dir: recording.Exit, Code: &code})
	}
	return p.Played(), err
}
