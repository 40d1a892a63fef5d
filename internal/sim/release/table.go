package release

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/object"
)

// The table is JSON, compressed.
//
//go:embed table.json.gz
var packedTable []byte

// file is the form of the table.
type file struct {
	Versions []string          `json:"versions"` // that are recorded, the oldest first
	Requests map[string]string `json:"requests"` // of the SDK: since when they are served
	Hooks    map[string]string `json:"hooks"`    // events: since when hooks are called for them
	Flags    map[string]string `json:"flags"`    // since when they are known
	// Orders are the orders of members that are not those of the newest version, by the version and
	// by the kind of the line, with the path of the object after it.
	Orders  map[string]map[string][]string `json:"orders"`
	Line    *shape                         `json:"line"`    // of any line
	Results map[string]*shape              `json:"results"` // of tools, by their names
	Replies map[string]*shape              `json:"replies"` // the bodies of replies, by the request
	Shapes  map[string]*shape              `json:"shapes"`  // that others refer to
}

// shape is what of a value came after the oldest version.
type shape struct {
	Since   string            `json:"since,omitempty"`
	Ref     string            `json:"ref,omitempty"` // the name of another shape
	Members map[string]*shape `json:"members,omitempty"`
	Each    *shape            `json:"each,omitempty"` // of an element of a list, or a value of a map
	Arms    []arm             `json:"arms,omitempty"` // one of them counts
}

// arm is one of several shapes, for values whose tags are these.
type arm struct {
	Tags  map[string][]string `json:"tags,omitempty"`
	Shape *shape              `json:"shape"`
}

var content = sync.OnceValue(func() *file {
	var f file
	if err := json.Unmarshal(gztext.Must(packedTable), &f); err != nil {
		panic(err) // a test reads it
	}
	return &f
})

// Versions returns the versions that are recorded, the oldest first.
func Versions() []string { return slices.Clone(content().Versions) }

// table is what one version lacks.
type table struct {
	requests, hooks, flags map[string]string
	line                   *lack
	replies, results       map[string]*lack
	orders                 map[string][]order // by the kind of the line
}

func tableFor(version string) *table {
	f := content()
	c := &cutter{version: version, shapes: f.Shapes, made: map[string]*lack{}}
	t := &table{requests: f.Requests, hooks: f.Hooks, flags: f.Flags, line: c.lack(f.Line), replies: map[string]*lack{}, results: map[string]*lack{}, orders: ordersFor(version)}
	for subtype, s := range f.Replies {
		t.replies[subtype] = c.lack(s)
	}
	for tool, s := range f.Results {
		t.results[tool] = c.lack(s)
	}
	return t
}

// lack is what a version lacks of a value. Nil is nothing.
type lack struct {
	all     bool // the version does not have the value
	members map[string]*lack
	each    *lack
	arms    []lackArm
}

type lackArm struct {
	tags map[string][]string
	*lack
}

// cutter makes what a version lacks of shapes.
type cutter struct {
	version string
	shapes  map[string]*shape
	made    map[string]*lack // by the name of the shape
}

func (c *cutter) lack(s *shape) *lack {
	if s == nil {
		return nil
	}
	if Older(c.version, s.Since) {
		return &lack{all: true}
	}
	if s.Ref != "" {
		if l, ok := c.made[s.Ref]; ok {
			return l
		}
		l := &lack{}
		c.made[s.Ref] = l // a shape may have itself in it
		if made := c.lack(c.shapes[s.Ref]); made != nil {
			*l = *made
		}
		return l
	}
	l := &lack{each: c.lack(s.Each), members: map[string]*lack{}}
	for name, member := range s.Members {
		l.members[name] = c.lack(member)
	}
	for _, a := range s.Arms {
		l.arms = append(l.arms, lackArm{a.Tags, c.lack(a.Shape)})
	}
	return l
}

// fit returns the value without what is lacking. It is false if the value is. What is given is not
// changed.
func (l *lack) fit(v any) (any, bool) {
	if l == nil {
		return v, true
	}
	if l.all {
		return nil, false
	}
	switch v := v.(type) {
	case object.Object:
		return l.fitObject(v)
	case []any:
		if l.each == nil {
			return l.fitArm(v)
		}
		list := make([]any, 0, len(v))
		for _, e := range v {
			if e, ok := l.each.fit(e); ok {
				list = append(list, e)
			}
		}
		return list, true
	}
	return v, true
}

func (l *lack) fitObject(o object.Object) (any, bool) {
	if l.arms != nil {
		return l.fitArm(o)
	}
	kept := make(object.Object, 0, len(o))
	for _, m := range o {
		part := l.each
		if p, ok := l.members[m.Name]; ok {
			part = p
		}
		if value, ok := part.fit(m.Value); ok {
			kept = append(kept, object.Member{Name: m.Name, Value: value})
		}
	}
	return kept, true
}

// fitArm fits the value to the first arm that it can be.
func (l *lack) fitArm(v any) (any, bool) {
	for _, a := range l.arms {
		if a.takes(v) {
			return a.fit(v)
		}
	}
	return v, true
}

// takes reports whether a value has the tags of the arm.
func (a *lackArm) takes(v any) bool {
	if _, isList := v.([]any); isList {
		return a.lack != nil && a.each != nil
	}
	o, _ := v.(object.Object)
	for name, values := range a.tags {
		if !slices.Contains(values, o.Text(name)) {
			return false
		}
	}
	return true
}
