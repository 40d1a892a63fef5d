package history

import (
	"slices"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/schema"
)

// Known returns the names that the schemas and the table of flags have, and where to ask first.
func Known(set *schema.Set, flags []probe.FlagName, versions []string) (keys []Key, hints map[Key][]string) {
	hints = map[Key][]string{}
	names := probe.KnownNames(set, flags)
	for _, kind := range probe.Kinds {
		for _, name := range names[kind] {
			k := Key{kind, name}
			keys = append(keys, k)
			hints[k] = around(recordedSince(set, k), corpus.Versions())
		}
	}
	for _, f := range flags {
		if f.Since != "" {
			hints[Key{probe.Flag, f.Name}] = around(f.Since, versions)
		}
	}
	return keys, hints
}

// recordedSince returns the first recorded version with a name, "" if none is known.
func recordedSince(set *schema.Set, k Key) string {
	var d *schema.Definition
	switch k.Kind {
	case probe.Request:
		d = set.Request(k.Name)
	case probe.HookEvent:
		d = set.Lookup("hook/" + k.Name + ".json#/$defs/Input")
	}
	if d == nil {
		return ""
	}
	return d.Since
}

// around returns a version and the one before it in a list.
func around(version string, list []string) []string {
	i := slices.Index(list, version)
	if i < 1 {
		return nil
	}
	return []string{version, list[i-1]}
}
