package linecheck

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/conformance/recordings"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

var everyDirection = []schema.Direction{schema.Either, schema.FromCLI, schema.FromSDK}

// slow is what the schemas and the decoder together say of a line.
func (c *Checker) slow(dir schema.Direction, line []byte) []Finding {
	if c.lint {
		return c.tolerant(dir, line)
	}
	return c.strict(dir, line)
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Fatalf(format string, args ...any)
}

// implied fails if a line passes for clean of which the schemas have something to say. It returns
// whether one of the directions takes the line for clean.
func implied(t fataler, checkers []*Checker, line []byte, dirs ...schema.Direction) (clean bool) {
	for _, c := range checkers {
		for _, dir := range dirs {
			if !c.clean(dir, line) {
				continue
			}
			clean = true
			if found := c.slow(dir, line); len(found) > 0 {
				t.Fatalf("direction %d, lint %v: clean, but %v\n%s", dir, c.lint, found, line)
			}
		}
	}
	return clean
}

func bothCheckers() []*Checker {
	return []*Checker{New(schema.Default(), false), New(schema.Default(), true)}
}

func TestCleanLinesHaveNoFindingsByTheSchemas(t *testing.T) {
	checkers := bothCheckers()
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
						clean := implied(t, checkers, gen.Draw(t, "line"), everyDirection...)
						if name == "valid" && !clean {
							t.Fatalf("a valid line is not clean")
						}
					}
				})
			})
		}
	}
}

func TestCleanExamplesRejectsAndRecordedLinesHaveNoFindingsByTheSchemas(t *testing.T) {
	checkers := bothCheckers()
	for _, d := range schema.Default().Definitions() {
		for _, text := range d.Examples {
			implied(t, checkers, text, everyDirection...)
		}
		for _, r := range d.Rejects {
			implied(t, checkers, r.Value, everyDirection...)
		}
	}
	sessions, err := recordings.All()
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
				if implied(t, checkers, []byte(line), schema.Either) {
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
	checkers := bothCheckers()
	f.Fuzz(func(t *testing.T, line []byte) { implied(t, checkers, line, everyDirection...) })
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
			t.Errorf("%s holds content: holdsContent must know of it", n.Location())
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
