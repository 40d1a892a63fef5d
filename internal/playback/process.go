package playback

import (
	"context"
	"runtime"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/transport/cli"
)

// ToCLI plays the SDK's half of a recording to a CLI: a command of the shell, which gets arguments
// after its own. It returns the recording of that.
func (p *Player) ToCLI(ctx context.Context, entries []recording.Entry, command string, args []string) ([]recording.Entry, error) {
	p.Half = recording.ToCLI
	for i := range entries {
		if entries[i].Dir == recording.Header {
			p.Add(entries[i])
			break
		}
	}
	path, words := "sh", append([]string{"-c", command + ` "$@"`, "sh"}, args...)
	if runtime.GOOS == "windows" {
		path, words = "cmd", append([]string{"/c", command}, args...)
	}
	process, err := cli.Start(cli.Options{
		Path: path, Args: words, InputGrace: p.Patience,
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
