package probe

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// madeUpFlag is a flag that no CLI knows.
const madeUpFlag = "--ccwire-made-up"

// flagTime is how long a CLI may take to refuse its arguments.
const flagTime = 30 * time.Second

// errSilent says that a start neither took nor refused flags in time.
var errSilent = errors.New("the CLI does not say what it thinks of its flags")

// actions are flags that are not tried: they print and exit, or start a service that stays,
// whatever other flags there are.
var actions = []string{"--background", "--bg", "--help", "--version"}

var (
	flagName      = regexp.MustCompile(`^--[a-z][a-zA-Z0-9-]+$`).MatchString
	unknownOption = regexp.MustCompile(`unknown option '(--[^'= ]+)`)
	wrongValue    = regexp.MustCompile(`option '(?:-\w+, )?(--[^', ]+)[^']*' argument`)
)

// flags finds the flags that the CLI recognises. It starts the CLI with many at once: the CLI names
// the first that it does not know, or one whose value is wrong, and is started again without it.
func (p *prober) flags(ctx context.Context) (*Findings, error) {
	k := knownFlags(p.known, p.target.Version())
	for _, name := range actions {
		k[name] = false
	}
	names := p.candidates(Flag, k, flagName, p.names.flags)
	names = slices.DeleteFunc(names, func(name string) bool {
		expected, ok := k[name]
		return ok && !expected && p.only == nil // a start for a flag that is of no interest here
	})
	said, err := p.refusal(ctx, nil)
	if err != nil {
		return nil, err
	}
	if m := unknownOption.FindStringSubmatch(said); m == nil || m[1] != madeUpFlag {
		return &Findings{Unclear: "a flag that does not exist is not refused"}, nil
	}
	t := &flagTrial{prober: p, all: len(names), recognised: map[string]string{}}
	half := len(names) / 2
	var one, two error
	var work sync.WaitGroup
	work.Go(func() { one = t.try(ctx, names[:half]) }) // ends with its names, or ctx
	two = t.try(ctx, names[half:])
	work.Wait()
	if one != nil || two != nil {
		if one == nil {
			one = two
		}
		return nil, one
	}
	return p.compare(k, t.recognised, names), nil
}

// flagTrial is the state of flags.
type flagTrial struct {
	*prober
	all int

	mu         sync.Mutex // guards the fields below and calls of progress
	done       int
	recognised map[string]string
}

// note notes that the flag is recognised unless reply is empty.
func (t *flagTrial) note(reply string, names ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range names {
		if reply != "" {
			t.recognised[name] = reply
		}
	}
	t.done += len(names)
	t.progress(Flag, t.done, t.all)
}

// try starts the CLI with the flags until each is known to be recognised or not.
func (t *flagTrial) try(ctx context.Context, names []string) error {
	names = slices.Clone(names)
	for len(names) > 0 {
		said, err := t.refusal(ctx, names)
		if err != nil {
			return err
		}
		named, reply := "", ""
		if m := wrongValue.FindStringSubmatch(said); m != nil {
			named, reply = m[1], said
		} else if m := unknownOption.FindStringSubmatch(said); m != nil {
			named = m[1]
		}
		i := slices.Index(names, named)
		switch {
		case named == madeUpFlag:
			t.note("taken", names...)
			return nil
		case i >= 0:
			t.note(reply, named)
			names = slices.Delete(names, i, i+1)
		case len(names) == 1:
			if said == "" {
				said = "the CLI says nothing of it"
			}
			t.note(said, names[0])
			return nil
		default: // one of them does something else
			half := len(names) / 2
			if err := t.try(ctx, names[:half]); err != nil {
				return err
			}
			names = names[half:]
		}
	}
	return nil
}

// refusal starts the CLI with flags and one that is made up, and returns its last line on stderr.
// Each flag has a word after it, which is its value if it takes one.
func (p *prober) refusal(ctx context.Context, names []string) (string, error) {
	var args []string
	for _, name := range names {
		args = append(args, name, "x")
	}
	return p.refusalOf(ctx, args)
}

// refusalOf does what refusal does, with these arguments.
func (p *prober) refusalOf(ctx context.Context, args []string) (string, error) {
	args = append(append([]string{"--verbose"}, args...), madeUpFlag)
	peer, err := p.target.Start(ctx, &scenario.Scenario{File: scenario.File{Name: "probe/flags"}, Bare: true, Args: args})
	if err != nil {
		return "", err
	}
	defer peer.Close()
	peer.Stdin().Close()
	go io.Copy(io.Discard, peer.Stdout()) // ends with the CLI, which Close ends
	t := time.NewTimer(flagTime * p.slow())
	defer t.Stop()
	select {
	case <-peer.Done():
		for text := range strings.Lines(peer.Exit().Stderr) {
			if unknownOption.MatchString(text) || wrongValue.MatchString(text) {
				return strings.TrimSpace(text), nil
			}
		}
		return lastLine(peer.Exit().Stderr), nil
	case <-t.C:
		if p.only != nil {
			return "", errSilent
		}
		return "", nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
