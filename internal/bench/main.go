package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	"github.com/mailru/easyjson"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/bench/rival"
)

func main() {
	rounds := flag.Int("rounds", 15, "rounds of each comparison")
	writeAll := flag.Bool("write-all", false, "be the writer of the corpus")
	writeMessages := flag.Bool("write-messages", false, "be the writer of its messages")
	part := flag.String("only", "", "take only the measurements whose names contain this")
	writeTypes := flag.Bool("write-types", false, "write the types that the libraries fill")
	profileTo := flag.String("profile", "", "measure nothing: write a profile of ccwire decoding the classes of -only to this file")
	deltas := flag.Int("deltas", 1_000_000, "pieces of text in the session whose CPU time is measured")
	flag.Parse()
	var err error
	switch lines := longSession(); {
	case *writeTypes:
		err = writeAllTypes(lines)
	case *writeAll:
		err = writeLines(short(lines))
	case *writeMessages:
		err = writeLines(messages(short(lines)))
	case *profileTo != "":
		err = profile(*profileTo, *part)
	default:
		err = run(lines, *rounds, *deltas, *part)
	}
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// goals are the lines that the run ends with.
type goals []string

func (g *goals) printf(format string, args ...any) { *g = append(*g, fmt.Sprintf(format, args...)) }

// ratios prints a table and adds the ratios of some of its contenders.
func (g *goals) ratios(prefix string, t *table, names ...string) {
	t.print()
	for _, name := range names {
		g.printf("RATIO %s%s %.2f", prefix, name, t.ratios[name])
	}
}

// short returns the corpus without its last line, the huge one.
func short(lines []line) []line { return lines[:len(lines)-1] }

// A measurement prints what it finds and adds the lines that the run ends with.
type measurement struct {
	name string
	run  func(g *goals) error
}

// run takes the measurements whose names contain only.
func run(all []line, rounds, deltas int, only string) error {
	var g goals
	sum := new(summary)
	list, err := measurements(all, rounds, deltas, sum)
	if err != nil {
		return err
	}
	for _, m := range list {
		if !strings.Contains(m.name, only) {
			continue
		}
		if err := m.run(&g); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	sum.print()
	fmt.Println()
	for _, l := range g {
		fmt.Println(l)
	}
	return nil
}

// measurements returns all that there are. Those of the classes add to the summary.
func measurements(all []line, rounds, deltas int, sum *summary) ([]measurement, error) {
	classes, err := classes()
	if err != nil {
		return nil, err
	}
	mix := classes[0].lines
	var list []measurement
	for _, c := range classes {
		list = append(list, measurement{"decode/" + c.name, func(g *goals) error {
			cs := libraries()
			if c.name == "agentic" {
				cs = append(append(cs, generated()), strategies()...)
			}
			t, err := compare("decode, "+c.name, c.lines, rounds, cs)
			if err == nil {
				g.ratios("decode/"+c.name+"/", t, t.names[1:]...)
				g.printf("ALLOCS decode/%s %.2f", c.name, t.allocs["ccwire"])
				sum.add(c.name, t)
			}
			return err
		}})
	}
	return append(list, []measurement{
		{"encode/agentic", func(g *goals) error { return encode(g, "agentic", mix, rounds) }},
		{"decode/corpus", func(g *goals) error {
			t, err := compare("decode, corpus", all, rounds, append(libraries(), strategies()...))
			if err == nil {
				g.ratios("decode/corpus/", t, "encoding-json", "sonic", "probe-then-struct")
			}
			return err
		}},
		{"decode/shuffled-keys", func(g *goals) error {
			t, err := compare("decode, corpus with shuffled keys", shuffled(all), rounds, libraries())
			if err == nil {
				g.ratios("decode/shuffled-keys/", t, "sonic")
			}
			return err
		}},
		{"encode/corpus", func(g *goals) error { return encode(g, "corpus", all, rounds) }},
		{"pipe/line-writer", func(g *goals) error {
			share, err := pipe(short(all), rounds)
			g.printf("RATIO pipe/line-writer/raw %.2f", share)
			return err
		}},
		{"pipe/conn", func(g *goals) error {
			share, err := connPipe(messages(short(all)), rounds)
			g.printf("RATIO pipe/conn/raw %.2f", share)
			return err
		}},
		{"round-trips", func(g *goals) error { return conns(g, rounds) }},
		{"million-deltas", func(g *goals) error { return sessions(g, deltas) }},
		{"read-python", pythonReaders},
		{"compile", compile},
		{"typescript", func(g *goals) error { return typescript(g, rounds) }},
		{"vendor", vendor},
	}...), nil
}

// encode measures how fast lines are written again.
func encode(g *goals, name string, lines []line, rounds int) error {
	encoders, err := encoders(lines)
	if err != nil {
		return err
	}
	t, err := compare("encode, "+name, lines, rounds, encoders)
	if err == nil {
		g.ratios("encode/"+name+"/", t, t.names[1:]...)
		g.printf("ALLOCS encode/%s %.2f", name, t.allocs["ccwire"])
	}
	return err
}

// writeAllTypes writes the types of all lines, and again those of the mix for the code generator.
func writeAllTypes(lines []line) error {
	classes, err := classes()
	if err != nil {
		return err
	}
	all := texts(lines)
	for _, c := range classes {
		all = append(all, texts(c.lines)...)
	}
	if err := writePlain("plain", all); err != nil {
		return err
	}
	return writePlain("rival", texts(classes[0].lines))
}

func texts(lines []line) (out [][]byte) {
	for _, l := range lines {
		out = append(out, l.text())
	}
	return out
}

// libraries decode a line whose type is known; ccwire finds it out.
func libraries() []contender {
	into := func(unmarshal func([]byte, any) error) func([]line) error {
		return func(lines []line) error {
			for i := range lines {
				if err := unmarshal(lines[i].text(), lines[i].plain()); err != nil {
					return err
				}
			}
			return nil
		}
	}
	var d wire.Decoder
	validating := sonic.Config{ValidateString: true}.Froze()
	return []contender{
		{"ccwire", func(lines []line) error {
			for i := range lines {
				if _, err := d.Decode(lines[i].text()); err != nil {
					return err
				}
			}
			return nil
		}},
		{"sonic", into(sonic.Unmarshal)},
		{"sonic-validating", into(validating.Unmarshal)},
		{"goccy", into(func(b []byte, v any) error { return goccy.Unmarshal(b, v) })},
		{"encoding-json", into(json.Unmarshal)},
		{"json-v2", into(func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) })},
	}
}

// generated decodes a line whose type is known with code that easyjson generated for it.
func generated() contender {
	return contender{"easyjson", func(lines []line) error {
		for i := range lines {
			v := rival.New[kinds[lines[i].kind]]().(easyjson.Unmarshaler)
			if err := easyjson.Unmarshal(lines[i].text(), v); err != nil {
				return err
			}
		}
		return nil
	}}
}

// strategies decode a line whose type is not known, as SDKs do.
func strategies() []contender {
	each := func(decode func([]byte) (any, error)) func([]line) error {
		return func(lines []line) error {
			for i := range lines {
				if _, err := decode(lines[i].text()); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return []contender{
		{"probe-then-struct", each(probeThenStruct)},
		{"map-then-convert", each(mapThenConvert)},
	}
}

// encoders write the corpus again: ccwire its own types into one buffer, the libraries the plain
// types.
func encoders(lines []line) ([]contender, error) {
	frames := make([]wire.Frame, len(lines))
	plain := make([]any, len(lines))
	for i, l := range lines {
		f, err := wire.Decode(l.text())
		if err != nil {
			return nil, err
		}
		frames[i] = f
		plain[i] = l.plain()
		if err := json.Unmarshal(l.text(), plain[i]); err != nil {
			return nil, err
		}
	}
	buf := make([]byte, 0, 4<<20)
	with := func(marshal func(any) ([]byte, error)) func([]line) error {
		return func([]line) error {
			for _, v := range plain {
				if _, err := marshal(v); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return []contender{
		{"ccwire", func([]line) error {
			var err error
			for _, f := range frames {
				if buf, err = wire.Append(buf[:0], f); err != nil {
					return err
				}
			}
			return nil
		}},
		{"sonic", with(sonic.Marshal)},
		{"goccy", with(func(v any) ([]byte, error) { return goccy.Marshal(v) })},
		{"encoding-json", with(json.Marshal)},
		{"json-v2", with(func(v any) ([]byte, error) { return jsonv2.Marshal(v) })},
	}, nil
}
