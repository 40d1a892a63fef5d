package probe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/schema"
)

// Options say what is probed.
type Options struct {
	// Schemas are what the CLI is compared with; nil means [schema.Default].
	Schemas *schema.Set
	// Flags are the flags that are known.
	Flags []FlagName
	// Kinds are the kinds to probe; nil means [Kinds].
	Kinds []Kind
	// Names, if set, are all that is tried: names of each kind, in place of those of the package
	// and the schemas. The kinds are those that have some.
	Names map[Kind][]string
	// Progress, if set, is called now and then, from one goroutine at a time.
	Progress func(kind Kind, done, all int)
}

// ErrNoPackage says that a target is not a CLI on disk.
var ErrNoPackage = errors.New("only a CLI on disk can be probed")

// Run probes a CLI. When ctx ends, it returns the context's cause.
func Run(ctx context.Context, target suite.Target, o Options) (*Report, error) {
	file, ok := target.(interface{ Path() string })
	if !ok {
		return nil, ErrNoPackage
	}
	n := newNames()
	if o.Names == nil {
		var err error
		if n, err = readPackage(file.Path()); err != nil {
			return nil, err
		}
	}
	p := &prober{target: target, names: n, only: o.Names, schemas: o.Schemas, known: o.Flags, progress: o.Progress}
	if p.schemas == nil {
		p.schemas = schema.Default()
	}
	if p.progress == nil {
		p.progress = func(Kind, int, int) {}
	}
	if o.Kinds == nil {
		o.Kinds = Kinds
	}
	if o.Names != nil {
		o.Kinds = slices.DeleteFunc(slices.Clone(o.Kinds), func(k Kind) bool { return len(o.Names[k]) == 0 })
	}
	r := &Report{Version: target.Version().String()}
	for _, kind := range o.Kinds {
		f, err := p.probe(ctx, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		f.Kind = kind
		if n.full && f.Unclear == "" {
			f.Limit += fmt.Sprintf("The package has more than %d names; the others were not tried.", mostNames)
		}
		r.Findings = append(r.Findings, *f)
	}
	return r, nil
}

// prober is the state of Run.
type prober struct {
	target   suite.Target
	names    *names
	only     map[Kind][]string
	schemas  *schema.Set
	known    []FlagName
	progress func(kind Kind, done, all int)
}

func (p *prober) probe(ctx context.Context, kind Kind) (*Findings, error) {
	switch kind {
	case Request:
		return p.requests(ctx)
	case StdinType:
		return p.types(ctx)
	case HookEvent:
		return p.events(ctx)
	case PermissionMode:
		return p.modes(ctx)
	case Flag:
		return p.flags(ctx)
	}
	return nil, fmt.Errorf("unknown kind %q", kind)
}

// slow is how many times as long as usual everything may take: what is kept as an answer of a
// release must not be the machine's.
func (p *prober) slow() time.Duration {
	if p.only != nil {
		return 5
	}
	return 1
}

// candidates returns the names of a kind to try.
func (p *prober) candidates(kind Kind, k known, fits func(string) bool, others ...map[string]bool) []string {
	if p.only != nil {
		return slices.Clone(p.only[kind])
	}
	return candidates(k, fits, others...)
}

// compare sets what the CLI recognises against what the schemas have.
func (p *prober) compare(k known, recognised map[string]string, tried []string) *Findings {
	f := &Findings{Tried: len(tried), Recognised: slices.Sorted(maps.Keys(recognised))}
	for _, name := range f.Recognised {
		if _, ok := k[name]; !ok {
			f.New = append(f.New, Finding{name, recognised[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k)) {
		if _, ok := recognised[name]; !ok && k[name] {
			f.Gone = append(f.Gone, name)
		}
	}
	return f
}
