package schema

import (
	"fmt"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Release is what one version of the CLI writes, as far as the schemas say it: members and
// definitions whose x-since is newer are unknown to it, and members whose x-required-since it has
// reached are never missing. It may be used by several goroutines.
type Release struct {
	set     *Set
	name    string
	version cliVersion
}

// Release returns what the version writes. The error says that it is not a version such as 2.1.325.
func (s *Set) Release(version string) (*Release, error) {
	v, ok := parseVersion(version)
	if !ok {
		return nil, fmt.Errorf("schema: %q is not a version such as 2.1.325", version)
	}
	return &Release{s, version, v}, nil
}

// Version returns the version, as it was given.
func (r *Release) Version() string { return r.name }

// Lint lists what the version does not write in a document that should be an instance of the
// definition: what came with a newer one, as unknown, and missing members, as invalid. What the
// schemas say of every version is not in the list; [Set.Lint] and [Validator.Validate] have that.
// Lines of the SDK are not for it. The list is as that of [Set.Lint], and so is the error.
func (r *Release) Lint(definition string, doc []byte) ([]codec.Deviation, error) {
	d := r.set.Lookup(definition)
	if d == nil {
		return nil, noDefinition(definition)
	}
	v, err := decode(doc)
	if err != nil {
		return nil, err
	}
	var found deviations
	w := &walker{
		set:    r.set,
		enter:  func(d *Definition, v any, at string) bool { return r.instance(d, v, at, &found) },
		skip:   func(p *Property) bool { return r.version.olderThan(p.Since) },
		report: func(codec.DeviationKind, string, string) {},
	}
	w.definition(d, v, "")
	return found.in(doc), nil
}

// instance judges an instance of a definition, and reports whether its parts matter too.
func (r *Release) instance(d *Definition, v any, at string, found *deviations) bool {
	if r.version.olderThan(d.Since) {
		r.unknown(d, v, at, found)
		return false
	}
	members, ok := v.(map[string]any)
	if !ok {
		return true
	}
	for _, p := range d.Properties {
		place := at + "/" + jsontext.EscapePointer(p.Name)
		_, has := members[p.Name]
		switch {
		case has && r.version.olderThan(p.Since):
			found.add(codec.UnknownMember, place, firstSeen(strconv.Quote(p.Name), p.Since))
		case !has && p.RequiredSince != "" && !r.version.olderThan(p.RequiredSince):
			found.add(codec.Invalid, place, fmt.Sprintf("%s, which %s and newer always write", missing(p.Name), p.RequiredSince))
		}
	}
	return true
}

// unknown reports an instance of a definition that came later: a new tag, or the whole document. An
// element of a list without a tag may have been missing in older recordings only because the list
// was empty.
func (r *Release) unknown(d *Definition, v any, at string, found *deviations) {
	members, _ := v.(map[string]any)
	name := ""
	for _, tag := range r.set.tagsOf(d.Node) {
		if name == "" || name == "type" { // a subtype tells more
			name = tag.Name
		}
	}
	if value, ok := members[name].(string); ok {
		found.add(codec.UnknownTag, at+"/"+jsontext.EscapePointer(name), firstSeen(strconv.Quote(clip(value)), d.Since))
	} else if at == "" {
		found.add(codec.UnknownValue, at, firstSeen(d.Name(), d.Since))
	}
}

func firstSeen(what, version string) string { return what + ", first seen in " + version }
