package clean

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

var everyDirection = []schema.Direction{schema.Either, schema.FromCLI, schema.FromSDK}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Fatalf(format string, args ...any)
}

// implied fails if a line passes for clean that the schemas or the decoder have something against.
// It returns whether the line is clean in one of the directions.
func implied(t fataler, line []byte, dirs ...schema.Direction) (clean bool) {
	set := schema.Default()
	for _, dir := range dirs {
		if Valid(dir, line) {
			clean = true
			if err := set.Closed().ValidateFrame(dir, line); err != nil {
				t.Fatalf("direction %d: clean, but %v\n%s", dir, err, line)
			}
		}
		if Quiet(dir, line) {
			found, err := set.Lint(dir.Definition(), line)
			report := func(d codec.Deviation) { found = append(found, d) }
			_, undecodable := wire.DecodeFrame(line, &codec.Options{Report: report})
			if len(found) > 0 || err != nil || undecodable != nil {
				t.Fatalf("direction %d: quiet, but %v, %v, %v\n%s", dir, found, err, undecodable, line)
			}
		}
	}
	return clean
}

func TestCleanLinesHaveNoFindingsByTheSchemas(t *testing.T) {
	set := schema.Default()
	for _, dir := range everyDirection {
		for name, gen := range map[string]*rapid.Generator[values.Text]{
			"valid":  values.Of(set, dir.Definition()),
			"open":   values.Of(set, dir.Definition(), values.Open()),
			"mutant": rapid.Map(values.Mutants(set, dir.Definition()), func(m values.Mutant) values.Text { return m.JSON }),
		} {
			t.Run(dir.Definition()+"/"+name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					for range 4 {
						clean := implied(t, gen.Draw(t, "line"), everyDirection...)
						if name == "valid" && !clean {
							t.Fatalf("a valid line is not clean")
						}
					}
				})
			})
		}
	}
}

func TestValidMCPMessagesAreQuietAndQuietOnesHaveNoFindings(t *testing.T) {
	const message = "mcp/message.json"
	set := schema.Default()
	for name, gen := range map[string]*rapid.Generator[values.Text]{
		"valid":  values.Of(set, message),
		"open":   values.Of(set, message, values.Open()),
		"mutant": rapid.Map(values.Mutants(set, message), func(m values.Mutant) values.Text { return m.JSON }),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				for range 4 {
					line := fmt.Appendf(nil, `{"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","server_name":"s","message":%s}}`,
						gen.Draw(t, "message"))
					implied(t, line, everyDirection...)
					if name == "valid" && !Quiet(schema.Either, line) {
						t.Fatalf("a valid message is not quiet: %s", line)
					}
				}
			})
		})
	}
}

func TestCleanExamplesRejectsAndRecordedLinesHaveNoFindingsByTheSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("it asks the schemas about all recorded lines; make test-all runs it")
	}
	for _, d := range schema.Default().Definitions() {
		for _, text := range d.Examples {
			implied(t, text, everyDirection...)
		}
		for _, r := range d.Rejects {
			implied(t, r.Value, everyDirection...)
		}
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	lines, clean := 0, 0
	for _, s := range sessions {
		for _, e := range s.Entries {
			for line := range strings.Lines(e.Line) {
				if line = strings.TrimSuffix(line, "\n"); seen[line] {
					continue
				}
				seen[line] = true
				lines++
				if implied(t, []byte(line), schema.Either) {
					clean++
				}
			}
		}
	}
	if clean < lines/2 {
		t.Errorf("%d of %d recorded lines are clean", clean, lines)
	}
}

// FuzzCleanLinesHaveNoFindingsByTheSchemas looks for other lines that pass for clean.
func FuzzCleanLinesHaveNoFindingsByTheSchemas(f *testing.F) {
	for _, d := range schema.Default().Definitions() {
		for _, text := range d.Examples {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) { implied(t, line, everyDirection...) })
}

func TestTheTypesOfADirectionAreThoseOfTheSchemas(t *testing.T) {
	known := definitionsByType(schema.Either)
	for _, dir := range everyDirection {
		have := definitionsByType(dir)
		for name, definition := range known {
			if got, want := writes(dir, name), have[name] == definition; got != want {
				t.Errorf("direction %d: the type %s: %v, want %v", dir, name, got, want)
			}
		}
	}
}

// definitionsByType returns the definition that the closed form has for each type of line.
func definitionsByType(dir schema.Direction) map[string]string {
	set := schema.Default()
	frame := set.Lookup(dir.Definition())
	union, _ := set.Union(frame.Node)
	byType := map[string]string{}
	for _, arm := range union.Arms {
		if tag := arm.Tag("type"); tag != nil && !arm.Unknown && !arm.Legacy {
			for _, name := range tag.Values {
				byType[name] = frame.OneOf[arm.Index].Ref
			}
		}
	}
	return byType
}

func TestOnlyMCPMessagesHoldContentThatTheLintLooksInto(t *testing.T) {
	set := schema.Default()
	seen := map[*schema.Node]bool{}
	var visit func(n *schema.Node)
	visit = func(n *schema.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if n.Content != nil && n.Location() != "control/mcp_message.json#/$defs/Request/properties/message" {
			t.Errorf("%s holds content: quietContent must know of it", n.Location())
		}
		if n.Ref != "" {
			visit(set.Lookup(n.Ref).Node)
		}
		for _, p := range n.Properties {
			visit(p.Node)
		}
		for _, arm := range n.OneOf {
			visit(arm)
		}
		visit(n.AdditionalProperties)
		visit(n.Items)
	}
	for _, dir := range everyDirection {
		visit(set.Lookup(dir.Definition()).Node)
	}
	if len(seen) < 100 {
		t.Errorf("only %d nodes were looked at", len(seen))
	}
}
