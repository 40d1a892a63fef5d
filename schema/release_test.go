package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// release returns what a version writes.
func release(t testing.TB, version string) *Release {
	t.Helper()
	r, err := Default().Release(version)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A writtenDocument is what the CLI wrote, a line or the body of a reply.
type writtenDocument struct{ version, definition, text string }

// written returns the documents of all recordings, each once for each version.
func written(t testing.TB) map[writtenDocument]string {
	t.Helper()
	places := map[writtenDocument]string{}
	for _, l := range recorded(t) {
		if l.direction() != FromCLI {
			continue
		}
		places[writtenDocument{l.session.Version, FromCLI.Definition(), string(l.Text)}] = l.at()
		if l.Body != nil && Default().Lookup(l.definition()) != nil {
			places[writtenDocument{l.session.Version, l.definition(), string(l.Body)}] = l.at() + ", body"
		}
	}
	return places
}

func TestAReleaseAcceptsEveryRecordedLineOfIt(t *testing.T) {
	i := 0
	for doc, at := range written(t) {
		if i++; testing.Short() && i%sample != 0 {
			continue
		}
		found, err := release(t, doc.version).Lint(doc.definition, []byte(doc.text))
		if len(found) > 0 || err != nil {
			t.Errorf("%s: %v, %v", at, found, err)
		}
	}
}

// before returns the newest recorded version that is older than the given one, "" if there is none.
func before(version string) (older string) {
	for _, v := range corpus.Versions() {
		if corpus.Compare(v, version) < 0 {
			older = v
		}
	}
	return older
}

func TestAReleaseRefusesEveryMemberThatCameLater(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at each member of all recordings; make test-all runs it")
	}
	type member struct{ definition, name string }
	late := map[member]string{} // since when
	for _, d := range Default().Definitions() {
		for _, p := range d.Properties {
			if older := before(p.Since); older != "" && corpus.Compare(d.Since, older) <= 0 {
				late[member{d.Name(), p.Name}] = p.Since
			}
		}
	}
	if len(late) < 200 {
		t.Errorf("only %d members came later than their definitions", len(late))
	}
	for doc := range written(t) {
		todo := map[string][]string{} // what a release must say, by version
		has := map[string][]member{}
		Default().Visit(doc.definition, []byte(doc.text), func(d *Definition, v any) {
			members, _ := v.(map[string]any)
			for name := range members {
				m := member{d.Name(), name}
				if since, ok := late[m]; ok {
					older := before(since)
					todo[older] = append(todo[older], firstSeen(`"`+name+`"`, since))
					has[older] = append(has[older], m)
				}
			}
		})
		for version, details := range todo {
			found, err := release(t, version).Lint(doc.definition, []byte(doc.text))
			if err != nil {
				t.Fatal(err)
			}
			for i, detail := range details {
				refused := func(d codec.Deviation) bool { return d.Kind == codec.UnknownMember && d.Detail == detail }
				if slices.ContainsFunc(found, refused) {
					delete(late, has[version][i])
				}
			}
		}
	}
	for m, since := range late {
		t.Errorf("%s %s came with %s, and %s accepts it in every recording", m.definition, m.name, since, before(since))
	}
}

func TestAReleaseWantsTheMembersThatItAlwaysWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at all recordings; make test-all runs it")
	}
	instances := map[string]map[string]any{}
	for doc := range written(t) {
		if doc.version == corpus.Newest() {
			Default().Visit(doc.definition, []byte(doc.text), func(d *Definition, v any) {
				if members, ok := v.(map[string]any); ok {
					instances[d.Name()] = members
				}
			})
		}
	}
	judged := 0
	for _, d := range Default().Definitions() {
		for _, p := range d.Properties {
			if p.RequiredSince == "" {
				continue
			}
			judged++
			v := maps.Clone(instances[d.Name()])
			delete(v, p.Name)
			doc, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			is := func(d codec.Deviation) bool { return d.Kind == codec.Invalid && d.Path == "/"+p.Name }
			for version, want := range map[string]bool{p.RequiredSince: true, corpus.Newest(): true, before(p.RequiredSince): false} {
				found, err := release(t, version).Lint(d.Name(), doc)
				if err != nil || slices.ContainsFunc(found, is) != want {
					t.Errorf("%s without %s in %s: %v, %v", d.Name(), p.Name, version, found, err)
				}
			}
		}
	}
	if judged < 20 {
		t.Errorf("only %d members are always written by newer versions", judged)
	}
}

func TestAReleaseNamesWhatCameLater(t *testing.T) {
	set := mustLoad(t, map[string]string{
		"message/line.json": `{"oneOf": [{"$ref": "#/$defs/Old"}, {"$ref": "#/$defs/New"}], "$defs": {
			"Old": {"x-since": "1.0.0", "type": "object", "required": ["type"], "properties": {
				"type": {"const": "old"}, "later": {"x-since": "1.0.100", "type": "object"},
				"needed": {"x-required-since": "1.0.90", "type": "string"},
				"list": {"type": "array", "items": {"$ref": "#/$defs/Element"}}}},
			"New": {"x-since": "1.0.100", "type": "object", "required": ["type"], "properties": {"type": {"const": "new"}}},
			"Element": {"x-since": "1.0.100", "type": "object", "properties": {"a": {"type": "string"}}}}}`,
	})
	for _, tt := range []struct {
		name, version, doc string
		want               []codec.Deviation
	}{
		{"all is fine", "1.0.100", `{"type":"old","later":{},"needed":"x"}`, nil},
		{"a newer version is, too", "2.0.0", `{"type":"new"}`, nil},
		{"a member", "1.0.99", `{"type":"old","later":{},"needed":"x"}`, []codec.Deviation{{Kind: codec.UnknownMember, Path: "/later", Offset: 22, Detail: `"later", first seen in 1.0.100`}}},
		{"a tag", "1.0.99", `{"type":"new"}`, []codec.Deviation{{Kind: codec.UnknownTag, Path: "/type", Offset: 8, Detail: `"new", first seen in 1.0.100`}}},
		{"a missing member", "1.0.90", `{"type":"old"}`, []codec.Deviation{{Kind: codec.Invalid, Path: "/needed", Detail: `missing required member "needed", which 1.0.90 and newer always write`}}},
		{"a member that may be missing yet", "1.0.9", `{"type":"old"}`, nil},
		{"an element of a list that was empty", "1.0.9", `{"type":"old","list":[{"a":"b"}]}`, nil},
		{"a member that no version has", "1.0.9", `{"type":"old","other":1}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := set.Release(tt.version)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Lint("message/line.json", []byte(tt.doc))
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v, -want +got\n%s", err, diff)
			}
		})
	}
}

func TestAReleaseWantsAVersionAndAReleaseLintADocument(t *testing.T) {
	for _, text := range []string{"", "2.1", "2.1.x", "2.1.325.1", "-1.0.0", "latest"} {
		if _, err := Default().Release(text); err == nil || !strings.Contains(err.Error(), "2.1.325") {
			t.Errorf("%q: %v", text, err)
		}
	}
	r := release(t, "2.1.325")
	if r.Version() != "2.1.325" {
		t.Errorf("got %q", r.Version())
	}
	for definition, doc := range map[string]string{"missing.json": "{}", "shared/usage.json": "{"} {
		if _, err := r.Lint(definition, []byte(doc)); err == nil {
			t.Errorf("%s, %s: no error", definition, doc)
		}
	}
}
