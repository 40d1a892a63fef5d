package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"

	"github.com/ccwire/ccwire/gen/wire"
)

func main() {
	rounds := flag.Int("rounds", 15, "rounds of each comparison")
	writeAll := flag.Bool("write-all", false, "be the writer of the corpus")
	writeMessages := flag.Bool("write-messages", false, "be the writer of its messages")
	part := flag.String("only", "", "take only the measurements whose names contain this")
	flag.Parse()
	var err error
	switch lines := corpus(); {
	case *writeAll:
		err = writeLines(short(lines))
	case *writeMessages:
		err = writeLines(messages(short(lines)))
	default:
		err = run(lines, *rounds, *part)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// goals are the lines that the run ends with.
type goals []string

func (g *goals) printf(format string, args ...any) { *g = append(*g, fmt.Sprintf(format, args...)) }

// ratios prints a table and adds the ratios of some of its contenders.
func (g *goals) ratios(prefix string, t *table, names ...string) {
	t.print()
	for _, name := range names {
		g.printf("RATIO %s%s %.2f", prefix, strings.ReplaceAll(name, "/", "-"), t.ratios[name])
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
func run(all []line, rounds int, only string) error {
	var g goals
	for _, m := range measurements(all, rounds) {
		if !strings.Contains(m.name, only) {
			continue
		}
		if err := m.run(&g); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	fmt.Println()
	for _, l := range g {
		fmt.Println(l)
	}
	return nil
}

func measurements(all []line, rounds int) []measurement {
	return []measurement{
		{"decode/corpus", func(g *goals) error {
			t, err := compare("decode, corpus", all, rounds, append(libraries(), strategies()...))
			if err == nil {
				g.ratios("decode/corpus/", t, "encoding/json", "sonic", "probe-then-struct")
			}
			return err
		}},
		{"decode/text-delta", func(g *goals) error {
			t, err := compare("decode, text deltas", only(all, textDelta), rounds, append(libraries(), strategies()...))
			if err == nil {
				g.ratios("decode/text-delta/", t, "encoding/json")
				g.printf("ALLOCS decode/text-delta %.2f", t.allocs["ccwire"])
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
		{"encode/corpus", func(g *goals) error {
			encoders, err := encoders(all)
			if err != nil {
				return err
			}
			t, err := compare("encode, corpus", all, rounds, encoders)
			if err == nil {
				g.ratios("encode/corpus/", t, "encoding/json")
				g.printf("ALLOCS encode/corpus %.2f", t.allocs["ccwire"])
			}
			return err
		}},
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
		{"compile", compile},
	}
}

// libraries decode a line whose type is known; ccwire finds it out.
func libraries() []contender {
	into := func(unmarshal func([]byte, any) error) func([]line) error {
		return func(lines []line) error {
			for i := range lines {
				if err := unmarshal(lines[i].text(), plainFor(lines[i].kind)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	var d wire.Decoder
	return []contender{
		{"ccwire", func(lines []line) error {
			for i := range lines {
				if _, err := d.Decode(lines[i].text()); err != nil {
					return err
				}
			}
			return nil
		}},
		{"encoding/json", into(json.Unmarshal)},
		{"go-json-experiment", into(func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) })},
		{"sonic", into(sonic.Unmarshal)},
	}
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
		plain[i] = plainFor(l.kind)
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
		{"encoding/json", with(json.Marshal)},
		{"go-json-experiment", with(func(v any) ([]byte, error) { return jsonv2.Marshal(v) })},
		{"sonic", with(sonic.Marshal)},
	}, nil
}
