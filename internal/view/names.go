package view

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/schema"
)

// definitions are the names of the definitions of lines, by type and subtype.
var definitions = sync.OnceValue(func() map[[2]string]string {
	all := map[[2]string]string{}
	set := schema.Default()
	for _, d := range set.Definitions() {
		var tags [2]string
		for i, member := range []string{"type", "subtype"} {
			if p := d.Property(member); p != nil && p.HasConst {
				tags[i], _ = p.Const.(string)
			}
		}
		folder, _, _ := strings.Cut(d.File, "/")
		if tags[0] == "" || folder != "envelope" && folder != "message" || d.Legacy() {
			continue
		}
		if _, ok := all[tags]; !ok {
			all[tags] = d.Name()
		}
	}
	return all
})

// names returns the definitions that a line is an instance of, the innermost first.
func names(k kindOf, answers *exchange.Subject) (list []string) {
	set := schema.Default()
	switch {
	case k.Type == "control_request":
		list = append(list, hookName(k.event(), "Input")...)
		if d := set.Request(k.Request.Subtype); d != nil {
			list = append(list, d.Name())
		}
	case answers != nil:
		list = append(list, hookName(answers.Event, "Output")...)
		if name := answers.Definition(); name != "" {
			list = append(list, name)
		}
	}
	for _, tags := range [][2]string{{k.Type, k.Subtype}, {k.Type, ""}} {
		if name := definitions()[tags]; name != "" {
			return append(list, name)
		}
	}
	return list
}

// event returns the event that a hook is called for.
func (k *kindOf) event() string {
	var input struct {
		Event string `json:"hook_event_name"`
	}
	_ = json.Unmarshal(k.Request.Input, &input)
	return input.Event
}

// hookName returns the definition of what a hook is told, or what it may answer, if there is one.
func hookName(event, key string) []string {
	if d := schema.Default().Lookup("hook/" + event + ".json#/$defs/" + key); event != "" && d != nil {
		return []string{d.Name()}
	}
	return nil
}
