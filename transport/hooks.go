package transport

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// hookMargin is how much longer the CLI waits for a hook than we do. Where the CLI's time is over
// first it withdraws the request and, from 2.1.200 on, fails closed, so that the policy would not
// be ours.
const hookMargin = 5 * time.Second

// HookFunc answers a hook. The request's Input has an arm for each event. If the output is nil,
// [Policies] decide.
type HookFunc func(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error)

// Hook is a set of callbacks for one event. The CLI calls them all at once; a deny outranks an
// allow.
type Hook struct {
	// Matcher selects tools: names of tools with | between them, such as "Write|Edit", which must
	// be whole and in the right case, or a regular expression of JavaScript, which matches anywhere
	// in the name. Empty and "*" mean all. One that is no pattern is an error at the start.
	Matcher string
	// NewEvent says that the event is one of a newer CLI, which the schemas do not know. Without it
	// an unknown event is an error at the start: the CLI would ignore it, and the hook with it.
	NewEvent bool
	// Timeout of each callback; 0 means [CallbackTimeouts.Hook], negative none. The CLI is told to
	// wait a little longer.
	Timeout   time.Duration
	Callbacks []HookFunc
}

// hookTable holds the callbacks by the ids that initialize registers.
type hookTable map[string]hookEntry

type hookEntry struct {
	event    string
	timeout  time.Duration // 0 or less means none
	callback HookFunc
}

// registerHooks gives each callback an id, hook_0 and so on, in the order of the events' names, and
// returns them with what initialize says of them.
func (o *Options) registerHooks() (hookTable, map[string][]wire.HookMatcher) {
	table := hookTable{}
	matchers := map[string][]wire.HookMatcher{}
	for _, event := range slices.Sorted(maps.Keys(o.Hooks)) {
		for _, hook := range o.Hooks[event] {
			timeout := hook.Timeout
			if timeout == 0 {
				timeout = o.CallbackTimeouts.Hook
			}
			matcher := wire.HookMatcher{Matcher: codec.Null[string](), HookCallbackIDs: []string{}}
			if hook.Matcher != "" {
				matcher.Matcher = codec.Some(hook.Matcher)
			}
			if timeout > 0 {
				seconds := math.Ceil((timeout + hookMargin).Seconds())
				matcher.Timeout = &seconds
			}
			if o.Policies.Hooks == FailClosed {
				block := wire.HookMatcherOnFailureBlock
				matcher.OnFailure = &block
			}
			for _, callback := range hook.Callbacks {
				id := "hook_" + strconv.Itoa(len(table))
				table[id] = hookEntry{event, timeout, callback}
				matcher.HookCallbackIDs = append(matcher.HookCallbackIDs, id)
			}
			matchers[event] = append(matchers[event], matcher)
		}
	}
	return table, matchers
}

// HookCallback implements [wire.Handler].
func (c *callbacks) HookCallback(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	entry, ok := c.hooks[r.CallbackID]
	if !ok {
		return nil, fmt.Errorf("%w for id %q", errNoCallback, r.CallbackID)
	}
	return run(ctx, entry.callback, r)
}
