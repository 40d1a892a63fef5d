package template

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/release"
)

// The names of folders and of the version in recordings.
const (
	cwd     = "/scratch/cwd"
	config  = "/scratch/config"
	home    = "/scratch/home"
	tmp     = "/scratch/tmp"
	version = "[version]"
)

// Session is what answers say of the session.
type Session struct{ Cwd, Config, Home, Tmp, Version string }

// replacer puts the session into an answer.
func (s *Session) replacer() *strings.Replacer {
	return strings.NewReplacer(
		slug(cwd), slug(s.Cwd), cwd, s.Cwd, config, s.Config, home, s.Home, tmp, s.Tmp, version, s.Version)
}

// slug returns the name under which the CLI keeps what belongs to a folder.
func slug(folder string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, folder)
}

// What is made of the recordings is compressed.
//
//go:embed answers.json.gz
var packedAnswers []byte

//go:embed lists.json
var listsJSON []byte

//go:embed older.json.gz
var packedOlder []byte

// memory is what older.json.gz has of a version: what it says otherwise than the next newer one.
type memory struct {
	Answers object.Object `json:"answers"`
	Lists   object.Object `json:"lists"`
}

var (
	answers = parsed(func() []byte { return gztext.Must(packedAnswers) })
	lists   = parsed(func() []byte { return listsJSON })
	older   = sync.OnceValue(func() (m map[string]memory) {
		if err := json.Unmarshal(gztext.Must(packedOlder), &m); err != nil {
			panic(err) // a test reads it
		}
		return m
	})
)

// lookup returns what a version has: the first of what it says itself, and what the newer ones say.
func lookup(r *release.Release, newest object.Object, of func(memory) object.Object, name string) (any, bool) {
	if !r.Newest() {
		for _, version := range release.Versions() {
			if release.Older(version, r.Recorded()) {
				continue
			}
			if v, ok := of(older()[version]).Lookup(name); ok {
				return v, true
			}
		}
	}
	return newest.Lookup(name)
}

// parsed reads an embedded object once.
func parsed(text func() []byte) func() object.Object {
	return sync.OnceValue(func() object.Object {
		v, err := object.Parse(text())
		if err != nil {
			panic(err) // a test reads it
		}
		return v.(object.Object)
	})
}

// Answer returns the reply of a version to a control request: the members of a control_response's
// response but its request_id. ok says whether there is one for the subtype. The caller may change
// it.
func Answer(r *release.Release, subtype string, s Session) (reply object.Object, ok bool) {
	v, ok := lookup(r, answers(), func(m memory) object.Object { return m.Answers }, subtype)
	if !ok {
		return nil, false
	}
	return replaced(v, s.replacer()).(object.Object), true
}

// replaced returns a copy of a value in which the texts are those of a session.
func replaced(v any, r *strings.Replacer) any {
	switch v := v.(type) {
	case string:
		return r.Replace(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = replaced(v[i], r)
		}
		return list
	case object.Object:
		o := make(object.Object, len(v))
		for i := range v {
			o[i] = object.Member{Name: v[i].Name, Value: replaced(v[i].Value, r)}
		}
		return o
	}
	return v
}

// List returns a list of what is built into a version. The caller may change it.
//
//	commands, agents, models, available_output_styles, capabilities   of the reply to initialize
//	init.tools, init.terminal_slash_commands, init.skills,
//	init.plugins, init.capabilities                                   of system/init
//	reloaded                                                          the skills of the reply to reload_skills
//
// They have what some sessions have and others do not: whoever tells them leaves that out.
func List(r *release.Release, name string) []any { return object.Clone(list(r, name)).([]any) }

func list(r *release.Release, name string) []any {
	v, _ := lookup(r, lists(), func(m memory) object.Object { return m.Lists }, name)
	list, _ := v.([]any)
	return list
}

// Texts returns a list whose elements are texts.
func Texts(r *release.Release, name string) []string {
	var texts []string
	for _, v := range list(r, name) {
		texts = append(texts, v.(string))
	}
	return texts
}
