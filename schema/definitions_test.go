package schema

import (
	"bytes"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

func TestEveryFileIsValidByTheMetaschema(t *testing.T) {
	c := jsonschema.NewCompiler()
	for name, text := range Default().files {
		if err := c.AddResource(Base+name, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range Default().Definitions() {
		if _, err := c.Compile(Base + d.Name()); err != nil {
			t.Errorf("%s: %#v", d.Name(), err)
		}
	}
}

func TestBothFormsCompile(t *testing.T) {
	for _, v := range []*Validator{Default().Open(), Default().Closed()} {
		for _, d := range Default().Definitions() {
			if _, err := v.schema(d); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestDefinitionsAreCompiledWhileOthersAreInUse(t *testing.T) {
	set, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Closed().schemas) > 0 {
		t.Error("there are compiled definitions before one is asked for")
	}
	var users sync.WaitGroup
	for i := range 4 {
		users.Go(func() {
			all := set.Definitions()
			for j := i; j < len(all); j += 3 { // some are asked for by two of them
				d := all[j]
				if d.Legacy() || d.Unknown {
					continue // the closed form has none of these
				}
				for _, doc := range d.Examples {
					if Default().Closed().Validate(d.Name(), doc) == nil != (set.Closed().Validate(d.Name(), doc) == nil) {
						t.Errorf("%s: the order of compilation counts for %s", d.Name(), doc)
					}
				}
			}
		})
	}
	users.Wait()
}

// A definition is of use if a line can hold it, or if it is the answer to a control request or of a
// tool: those are looked up by the subtype of the request or the name of the tool, not by a ref.
func TestNoDefinitionIsUnreachable(t *testing.T) {
	set := Default()
	reached := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		if n == nil || reached[n] {
			return
		}
		reached[n] = true
		if n.Ref != "" {
			visit(set.Lookup(n.Ref).Node)
		}
		for _, p := range n.Properties {
			visit(p.Node)
		}
		for _, arm := range n.OneOf {
			visit(arm)
		}
		visit(n.Items)
		visit(n.AdditionalProperties)
		visit(n.Content)
	}
	for _, dir := range []Direction{Either, FromCLI, FromSDK} {
		visit(set.Lookup(dir.Definition()).Node)
	}
	for _, d := range set.Definitions() {
		if r := set.Response(strings.TrimSuffix(path.Base(d.File), ".json")); d.IsRequest() && r != nil {
			visit(r.Node)
		}
		if d.Tool != nil || d.Name() == "envelope/update_environment_variables.json#/$defs/Response" {
			visit(d.Node)
		}
	}
	for _, d := range set.Definitions() {
		if !reached[d.Node] {
			t.Errorf("nothing leads to %s", d.Name())
		}
	}
}

func TestEveryDefinitionIsDocumented(t *testing.T) {
	for _, d := range Default().Definitions() {
		folder := path.Dir(d.File)
		needsRejects := slices.Contains([]string{"envelope", "control", "host", "hook", "permission", "tool"}, folder)
		switch {
		case d.Description == "":
			t.Errorf("%s has no description", d.Name())
		case d.Direction == "":
			t.Errorf("%s has no x-direction", d.Name())
		case d.Evidence == "":
			t.Errorf("%s has no x-evidence", d.Name())
		case len(d.Examples) == 0:
			t.Errorf("%s has no example", d.Name())
		case needsRejects && len(d.Rejects) == 0:
			t.Errorf("%s has no must-reject vector", d.Name())
		}
	}
}

func TestObjectsWithPropertiesAreDefinitions(t *testing.T) {
	set := Default()
	for _, n := range set.nodes {
		if n.Properties != nil && set.definitionOf(n) == nil {
			t.Errorf("%s has properties and no name", n.Location())
		}
	}
}

func TestFilesOfRequestsAreNamedAfterTheSubtype(t *testing.T) {
	set := Default()
	for name := range set.files {
		if !slices.Contains(requestFolders, path.Dir(name)) {
			continue
		}
		subtype := strings.TrimSuffix(path.Base(name), ".json")
		request := set.Lookup(name + "#/$defs/Request")
		if request == nil {
			t.Errorf("%s has no Request", name)
		} else if p := request.Property("subtype"); p == nil || !p.Required || p.Const != subtype {
			t.Errorf("%s: the request's subtype is not %q", name, subtype)
		}
	}
}

func TestEveryExampleValidates(t *testing.T) {
	for _, d := range Default().Definitions() {
		for i, example := range d.Examples {
			if err := Default().Open().Validate(d.Name(), example); err != nil {
				t.Errorf("%s, example %d: %v", d.Name(), i, err)
			}
		}
	}
}

// An example of a definition that is sent shows the protocol as it is, so the closed form accepts
// it too. The unknown arms, and the unions that show one of those or a legacy shape, are what the
// closed form leaves out.
func TestExamplesOfStructsValidateByTheClosedForm(t *testing.T) {
	for _, d := range Default().Definitions() {
		if d.Unknown || d.Legacy() || d.OneOf != nil {
			continue
		}
		for i, example := range d.Examples {
			findings, err := Default().Lint(d.Name(), example)
			if err != nil {
				t.Fatal(err)
			}
			closed := Default().Closed().Validate(d.Name(), example)
			if (len(findings) == 0) != (closed == nil) {
				t.Errorf("%s, example %d: lint %v, closed form %v", d.Name(), i, findings, closed)
			}
		}
	}
}

func TestEveryMustRejectVectorIsRejectedAtItsPath(t *testing.T) {
	for _, d := range Default().Definitions() {
		for i, reject := range d.Rejects {
			got := violations(t, Default().Open().Validate(d.Name(), reject.Value))
			if len(got) == 0 {
				t.Errorf("%s, vector %d (%s) is accepted", d.Name(), i, reject.Why)
			} else if !slices.ContainsFunc(got, func(p Violation) bool { return p.Path == reject.At }) {
				t.Errorf("%s, vector %d (%s): got %v, want a problem at %q", d.Name(), i, reject.Why, got, reject.At)
			}
			if !d.Unknown && !d.Legacy() && len(violations(t, Default().Closed().Validate(d.Name(), reject.Value))) == 0 {
				t.Errorf("%s, vector %d (%s) is accepted by the closed form", d.Name(), i, reject.Why)
			}
		}
	}
}

func TestAnInvalidLineCompilesOnlyTheFilesThatItNeeds(t *testing.T) {
	set, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	v := set.Closed()
	var loaded []string
	load := v.compiler().LoadURL
	v.compiler().LoadURL = func(address string) (io.ReadCloser, error) {
		loaded = append(loaded, address)
		return load(address)
	}
	if v.ValidateFrame(Either, []byte(`{"type":"keep_alive","novelty":1}`)) == nil {
		t.Error("it is valid")
	}
	if len(loaded) == 0 || len(loaded) > 5 {
		t.Errorf("%d files were compiled, of %d: %q", len(loaded), len(set.files), loaded)
	}
}

// TestTheDocumentListsTheEssentialMembers holds the table of codec.md, by the number of members and
// their names: there are few.
func TestTheDocumentListsTheEssentialMembers(t *testing.T) {
	text, err := os.ReadFile("../docs/codec.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| of | essential |\n| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]bool{}
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, " | ")
		if len(cells) != 2 {
			t.Fatalf("the row %q", row)
		}
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[1], -1) {
			listed[name[1]] = true
		}
	}
	essential, count := map[string]bool{}, 0
	for _, d := range Default().Definitions() {
		for _, p := range d.Properties {
			if p.Essential == "" {
				continue
			}
			count++
			essential[p.Name] = true
			if !p.Required {
				t.Errorf("%s: %s is essential and not required", d.Name(), p.Name)
			}
		}
	}
	if diff := cmp.Diff(essential, listed); diff != "" {
		t.Errorf("schemas and document: %s", diff)
	}
	if count == 0 || count > 30 {
		t.Errorf("%d members are essential, want a few", count)
	}
}
