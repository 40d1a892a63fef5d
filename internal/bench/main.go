package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"

	"github.com/ccwire/ccwire/gen/wire"
)

func main() {
	rounds := flag.Int("rounds", 15, "rounds of each comparison")
	writeAll := flag.Bool("write-all", false, "be the writer of the corpus")
	writeMessages := flag.Bool("write-messages", false, "be the writer of its messages")
	flag.Parse()
	var err error
	switch lines := corpus(); {
	case *writeAll:
		err = writeLines(short(lines))
	case *writeMessages:
		err = writeLines(messages(short(lines)))
	default:
		err = run(lines, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// goals collects the lines that the run ends with.
type goals []string

func (g *goals) add(name string, value float64) {
	*g = append(*g, fmt.Sprintf("RATIO %s %.2f", name, value))
}

// short returns the corpus without its last line, the huge one.
func short(lines []line) []line { return lines[:len(lines)-1] }

func run(all []line, rounds int) error {
	var g goals

	t, err := compare("decode, corpus", all, rounds, append(libraries(), strategies()...))
	if err != nil {
		return err
	}
	t.print()
	g.add("decode/corpus/encoding-json", t.ratios["encoding/json"])
	g.add("decode/corpus/sonic", t.ratios["sonic"])
	g.add("decode/corpus/probe-then-struct", t.ratios["probe-then-struct"])

	if t, err = compare("decode, text deltas", only(all, textDelta), rounds, append(libraries(), strategies()...)); err != nil {
		return err
	}
	t.print()
	g.add("decode/text-delta/encoding-json", t.ratios["encoding/json"])
	g = append(g, fmt.Sprintf("ALLOCS decode/text-delta %.2f", t.allocs["ccwire"]))

	if t, err = compare("decode, corpus with shuffled keys", shuffled(all), rounds, libraries()); err != nil {
		return err
	}
	t.print()
	g.add("decode/shuffled-keys/sonic", t.ratios["sonic"])

	encoders, err := encoders(all)
	if err != nil {
		return err
	}
	if t, err = compare("encode, corpus", all, rounds, encoders); err != nil {
		return err
	}
	t.print()
	g.add("encode/corpus/encoding-json", t.ratios["encoding/json"])
	g = append(g, fmt.Sprintf("ALLOCS encode/corpus %.2f", t.allocs["ccwire"]))

	share, err := pipe(short(all), rounds)
	if err != nil {
		return err
	}
	g.add("pipe/line-writer/raw", share)

	if share, err = connPipe(messages(short(all)), rounds); err != nil {
		return err
	}
	g.add("pipe/conn/raw", share)
	if err := conns(); err != nil {
		return err
	}

	fmt.Println()
	for _, l := range g {
		fmt.Println(l)
	}
	return nil
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

// encoders write the corpus again: ccwire its own types into one buffer, the
// libraries the plain types.
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
