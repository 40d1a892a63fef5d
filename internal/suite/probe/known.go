package probe

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// known are the names of one kind that the schemas have. The value says whether the version that is
// probed should recognise the name.
type known map[string]bool

// has reports whether a version should have what the schemas know since another one. What has no
// version is known of the newest recorded one.
func has(v cli.Version, since string) bool {
	if since == "" {
		since = corpus.Newest()
	}
	s, err := cli.ParseVersion(since)
	return err == nil && v.AtLeast(s)
}

// proven reports whether the definition is of something that a CLI was seen to take, in v too. Of
// what both ends send, the version may be that in which the CLI sent it.
func proven(d *schema.Definition, v cli.Version) bool {
	since := d.Since
	if d.Direction == "both" {
		since = ""
	}
	return (d.Evidence == "observed" || d.Evidence == "recognised") && has(v, since)
}

func knownRequests(set *schema.Set, v cli.Version) known {
	k := known{}
	for _, d := range set.Definitions() {
		if d.IsRequest() && d.Direction != "cli-to-sdk" {
			k[strings.TrimSuffix(path.Base(d.File), ".json")] = proven(d, v)
		}
	}
	return k
}

func knownTypes(set *schema.Set, v cli.Version) known {
	k := known{}
	root := set.Lookup("envelope/from_sdk.json")
	if root == nil {
		return k
	}
	union, ok := set.Union(root.Node)
	if !ok {
		return k
	}
	for _, arm := range union.Arms {
		if tag := arm.Tag("type"); tag != nil && !arm.Unknown && !arm.Legacy {
			for _, name := range tag.Values {
				k[name] = k[name] || proven(arm.Definition, v)
			}
		}
	}
	return k
}

func knownEvents(set *schema.Set, v cli.Version) known {
	k := known{}
	for _, d := range set.Definitions() {
		if path.Dir(d.File) == "hook" && d.Pointer == "/$defs/Input" {
			k[strings.TrimSuffix(path.Base(d.File), ".json")] = proven(d, v)
		}
	}
	return k
}

func knownModes(set *schema.Set, v cli.Version) known {
	k := known{}
	if d := set.Lookup("shared/permission_mode.json"); d != nil {
		for _, name := range d.XEnum {
			k[name] = has(v, "")
		}
	}
	return k
}

func knownFlags(list []FlagName, v cli.Version) known {
	k := known{}
	for _, f := range list {
		k[f.Name] = has(v, f.Since)
	}
	return k
}

// combined returns each first word of the names with each rest of them.
func combined(k known) map[string]bool {
	verbs, rests, all := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for name := range k {
		if verb, rest, ok := strings.Cut(name, "_"); ok {
			verbs[verb], rests[rest] = true, true
		}
	}
	for verb := range verbs {
		for rest := range rests {
			if name := verb + "_" + rest; len(name) <= longestName {
				all[name] = true
			}
		}
	}
	return all
}

// candidates returns the names to try: first those of the schemas, then the others that fit, each
// part sorted.
func candidates(k known, fits func(string) bool, others ...map[string]bool) []string {
	list := slices.Sorted(maps.Keys(k))
	more := map[string]bool{}
	for _, set := range others {
		for name := range set {
			if _, ok := k[name]; !ok && fits(name) {
				more[name] = true
			}
		}
	}
	return append(list, slices.Sorted(maps.Keys(more))...)
}

// KnownNames returns the names of each kind that the schemas and the list of flags have, sorted.
// Flags that only print are left out.
func KnownNames(set *schema.Set, flags []FlagName) map[Kind][]string {
	var none cli.Version
	all := map[Kind]known{
		Request: knownRequests(set, none), StdinType: knownTypes(set, none), HookEvent: knownEvents(set, none),
		PermissionMode: knownModes(set, none), Flag: knownFlags(flags, none),
	}
	for _, name := range actions {
		delete(all[Flag], name)
	}
	names := map[Kind][]string{}
	for kind, k := range all {
		names[kind] = slices.Sorted(maps.Keys(k))
	}
	return names
}
