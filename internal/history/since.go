package history

import (
	"fmt"
	"path"
	"strings"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/schema"
)

// Kinds of things that only recordings show, beside those of package probe.
const (
	FromCLI probe.Kind = "control request of the CLI"
	Message probe.Kind = "message"
)

// Since says which releases have a thing.
type Since struct {
	Kind probe.Kind `json:"kind"`
	Name string     `json:"name"`
	// First is the oldest release that is known to have it, "" if none is known.
	First string `json:"first,omitempty"`
	// Before is the newest one before First that is known not to; "" if none is known.
	Before string `json:"before,omitempty"`
	// Exact says that First was probed and is the first: nothing is published between it and
	// Before, or before it.
	Exact bool `json:"exact"`
	// Last is the newest release that has it, and After the next one that is known not to. They
	// are "" if the newest release has it.
	Last  string `json:"last,omitempty"`
	After string `json:"after,omitempty"`
	// LastExact says that nothing is published between Last and After.
	LastExact bool `json:"lastExact,omitempty"`
	// Recorded says that First is from recordings, and Before the recorded version before it.
	Recorded bool `json:"recorded,omitempty"`
}

// All returns what is known of every name, by kind and name.
func (h *History) All(set *schema.Set) (list []Since) {
	for _, k := range h.Keys() {
		list = append(list, h.since(set, k)...)
	}
	for _, d := range set.Definitions() {
		name := strings.TrimSuffix(path.Base(d.File), ".json")
		switch {
		case d.IsRequest() && d.Direction == "cli-to-sdk":
			list = append(list, recorded(Key{FromCLI, name}, d.Since))
		case path.Dir(d.File) == "message" && d.Pointer == "" && !d.Unknown:
			list = append(list, recorded(Key{Message, name}, d.Since))
		}
	}
	return list
}

// Named returns those of a list that have a name; a flag may be named without its dashes.
func Named(list []Since, name string) (found []Since) {
	for _, s := range list {
		if strings.EqualFold(s.Name, name) || s.Kind == probe.Flag && s.Name == "--"+name {
			found = append(found, s)
		}
	}
	return found
}

// since returns what is known of a name that was asked. Where an older recording has the thing and
// the answers do not tell, it is the recording that counts.
func (h *History) since(set *schema.Set, k Key) (list []Since) {
	for _, s := range h.Spans(k) {
		list = append(list, Since{
			Kind: k.Kind, Name: k.Name, First: s.First, Before: s.Before, Exact: s.FirstExact,
			After: s.After, LastExact: s.LastExact,
		})
		if s.After != "" {
			list[len(list)-1].Last = s.Last
		}
	}
	if len(list) == 0 {
		return []Since{{Kind: k.Kind, Name: k.Name}}
	}
	seen := recorded(k, recordedSince(set, k))
	if one := &list[0]; !one.Exact && seen.First != "" && corpus.Compare(seen.First, one.First) < 0 && (one.Before == "" || corpus.Compare(one.Before, seen.First) < 0) {
		one.First, one.Before, one.Recorded = seen.First, seen.Before, true
	}
	return list
}

// recorded is what recordings say of a thing.
func recorded(k Key, first string) Since {
	s := Since{Kind: k.Kind, Name: k.Name, First: first, Recorded: first != ""}
	for _, v := range corpus.Versions() {
		if first != "" && corpus.Compare(v, first) < 0 {
			s.Before = v
		}
	}
	return s
}

// String says it in a line.
func (s Since) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", s.Kind, s.Name)
	switch {
	case s.First == "" && (s.Kind == FromCLI || s.Kind == Message):
		b.WriteString("no recording has it")
	case s.First == "":
		b.WriteString("no release that was asked takes it")
	case s.Recorded && s.Before == "":
		fmt.Fprintf(&b, "in %s or before, the oldest recording has it", s.First)
	case s.Recorded:
		fmt.Fprintf(&b, "after %s and not after %s, as recordings show", s.Before, s.First)
	case s.Exact && s.Before == "":
		fmt.Fprintf(&b, "since %s, the oldest release that was asked (probed)", s.First)
	case s.Exact:
		fmt.Fprintf(&b, "since %s, exactly (probed: %s refuses it)", s.First, s.Before)
	case s.Before == "":
		fmt.Fprintf(&b, "in %s or before (probed)", s.First)
	default:
		fmt.Fprintf(&b, "after %s and not after %s (probed)", s.Before, s.First)
	}
	switch {
	case s.After == "":
	case s.LastExact:
		fmt.Fprintf(&b, "; last in %s, exactly", s.Last)
	default:
		fmt.Fprintf(&b, "; last in %s or before %s", s.Last, s.After)
	}
	return b.String()
}
