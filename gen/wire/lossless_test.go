package wire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

var update = flag.Bool("update", false, "write the golden files")

// A line is a line of the corpus with the place it is from.
type line struct{ at, text string }

// recordedLines returns what both sides wrote in the recordings, each line once, but for what the
// SDK's side has broken on purpose.
func recordedLines(t testing.TB) []line {
	t.Helper()
	lines, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) < 2000 {
		t.Fatalf("%d recorded lines, want 2000 at least", len(lines))
	}
	return lines
}

// recorded is recordedLines, read once for all tests.
var recorded = sync.OnceValues(func() (lines []line, err error) {
	sessions, err := corpus.All()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, s := range sessions {
		for _, l := range s.Lines {
			if seen[string(l.Text)] {
				continue
			}
			seen[string(l.Text)] = true
			if l.Dir == recording.ToCLI && schema.Default().Open().ValidateFrame(schema.Either, l.Text) != nil {
				continue
			}
			lines = append(lines, line{s.At(&l), string(l.Text)})
		}
	}
	return lines, nil
})

// seedLines returns the frames of the old descriptions that the schemas accept.
func seedLines(t testing.TB) (lines []line) {
	t.Helper()
	text, err := os.ReadFile("../../schema/testdata/seed_vectors.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for record := range strings.Lines(string(text)) {
		var v struct {
			Seed  string
			Line  int
			Frame json.RawMessage
		}
		if err := json.Unmarshal([]byte(record), &v); err != nil {
			t.Fatal(err)
		}
		if schema.Default().Open().ValidateFrame(schema.Either, v.Frame) != nil {
			refused++
			continue
		}
		lines = append(lines, line{fmt.Sprintf("seed %.3s:%d", v.Seed, v.Line), string(v.Frame)})
	}
	if len(lines) < 70 || refused > 1 {
		t.Fatalf("%d seed vectors, %d refused by the schemas", len(lines), refused)
	}
	return lines
}

// checkLine checks that a line comes out as it went in, unless it is of a legacy shape, or answers
// a request with an empty id, as a CLI does. It reports whether it is of a legacy shape.
func checkLine(t testing.TB, l line) (legacy bool) {
	t.Helper()
	var deviations []codec.Deviation
	frame, err := wire.DecodeFrame([]byte(l.text), reporting(&deviations))
	if err != nil {
		t.Errorf("%s: %v\n%s", l.at, err, l.text)
		return false
	}
	if strings.Contains(l.text, `"request_id":""`) {
		if _, err := wire.Append(nil, frame); !unsendable(err) {
			t.Errorf("%s: an empty id is written: %v", l.at, err)
		}
		return false
	}
	if slices.ContainsFunc(deviations, func(v codec.Deviation) bool { return v.Kind == codec.LegacyShape }) {
		return true
	}
	roundTrip(t, definition(t, "envelope/frame.json"), []byte(l.text))
	return false
}

func TestEveryRecordedLineComesOutAsItWentIn(t *testing.T) {
	for i, l := range recordedLines(t) {
		if testing.Short() && i%5 != 0 {
			continue // a sample
		}
		checkLine(t, l)
	}
}

func TestEverySeedVectorComesOutAsItWentIn(t *testing.T) {
	legacy := 0
	lines := seedLines(t)
	for _, l := range lines {
		if checkLine(t, l) {
			legacy++
		}
	}
	if legacy == 0 || legacy == len(lines) {
		t.Errorf("%d of %d seed vectors are of a legacy shape", legacy, len(lines))
	}
}

func TestEveryExampleComesOutAsItWentIn(t *testing.T) {
	for _, d := range wire.Definitions {
		for _, example := range schema.Default().Lookup(d.Name).Examples {
			if d.Name == "permission/update.json" && example[0] == '"' {
				continue // a bare name of old peers, kept as an element of a list only
			}
			roundTrip(t, d, example)
		}
	}
}

// notGenerated are the definitions without a Go type of their own.
var notGenerated = []string{
	"envelope/from_cli.json", "envelope/from_sdk.json", // read as a Frame
	"legacy/control_request_wrapped.json", "legacy/control_response_flat.json", "legacy/control_response_flat.json#/$defs/Response",
	"legacy/control_response_untagged.json", "legacy/control_response_untagged.json#/$defs/Response", "legacy/user_flat.json", // read as their modern form
	"message/result.json", "message/system.json", // their arms are arms of Frame
	"permission/update.json#/$defs/LegacyName", "permission/update.json#/$defs/LegacyUntyped", // kept as they are
}

func TestEveryDefinitionHasAGoType(t *testing.T) {
	var without []string
	for _, d := range schema.Default().Definitions() {
		if !d.Unknown && !slices.ContainsFunc(wire.Definitions, func(g wire.Definition) bool { return g.Name == d.Name() }) {
			without = append(without, d.Name())
		}
	}
	if diff := cmp.Diff(notGenerated, without); diff != "" {
		t.Error(diff)
	}
}

func TestEveryExampleOfAFrameIsReadAsOne(t *testing.T) {
	for _, name := range []string{"envelope/from_cli.json", "envelope/from_sdk.json", "message/system.json", "message/result.json"} {
		d := schema.Default().Lookup(name)
		for _, arm := range d.OneOf {
			for i, example := range schema.Default().Lookup(arm.Ref).Examples {
				checkLine(t, line{fmt.Sprintf("%s, example %d", arm.Ref, i), string(example)})
			}
		}
	}
}

// TestLegacyShapesAreWrittenInTheirModernForm shows every legacy line of the corpus and what
// becomes of it.
func TestLegacyShapesAreWrittenInTheirModernForm(t *testing.T) {
	lines := append(seedLines(t), recordedLines(t)...)
	for _, d := range schema.Default().Definitions() {
		if d.Legacy() && d.Pointer == "" {
			for i, example := range d.Examples {
				lines = append(lines, line{fmt.Sprintf("%s, example %d", d.Name(), i), string(example)})
			}
		}
	}
	var golden strings.Builder
	shown := map[string]bool{}
	for _, l := range lines {
		var deviations []codec.Deviation
		frame, err := wire.DecodeFrame([]byte(l.text), reporting(&deviations))
		if err != nil {
			t.Errorf("%s: %v", l.at, err)
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(l.text)); err != nil {
			t.Fatal(err)
		}
		deviations = slices.DeleteFunc(deviations, func(v codec.Deviation) bool { return v.Kind != codec.LegacyShape })
		if len(deviations) == 0 || shown[compact.String()] {
			continue
		}
		shown[compact.String()] = true
		out, err := wire.Append(nil, frame)
		if err != nil {
			t.Errorf("%s: %v", l.at, err)
			continue
		}
		fmt.Fprintf(&golden, "# %s\n", l.at)
		for _, v := range deviations {
			fmt.Fprintf(&golden, "# %s\n", v)
		}
		fmt.Fprintf(&golden, "in  %s\nout %s\n\n", &compact, out)

		again, err := wire.DecodeFrame(out, reporting(&deviations))
		if err != nil {
			t.Errorf("%s: the modern form does not decode: %v", l.at, err)
		} else if twice, _ := wire.Append(nil, again); !bytes.Equal(out, twice) {
			t.Errorf("%s: the modern form changes again:\n%s\n%s", l.at, out, twice)
		}
	}
	checkGolden(t, "testdata/legacy.golden", golden.String())
}

// checkGolden compares with a file, or writes it with -update.
func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (go test -update writes it): %s", file, diff)
	}
}

func TestOpaquePayloadsComeOutByteForByte(t *testing.T) {
	for _, payload := range []string{
		`{}`, `{"b":1,"a":{"z":[1, 2 ,3],"y":null}}`, `{"n":123456789012345678901234567890,"f":1.10,"e":1E+2,"z":-0.0}`,
		`{"s":"\ud800 \uDC00 \u00e9 \/ é","k\u0065y":"<&>"}`, `{"deep":[[[[[[[[]]]]]]]]}`, `{"":"", " ":" "}`, "{\t\"tab\" : 1 }",
	} {
		in := `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"T","input":` + payload + `,"tool_use_id":"t"}}`
		out := roundTrip(t, definition(t, "envelope/frame.json"), []byte(in))
		if !bytes.Contains(out, []byte(`"input":`+payload+`,`)) {
			t.Errorf("%s became %s", payload, out)
		}
	}
}

func TestOpaquePayloadsLoseOnlyWhatWouldBreakTheLine(t *testing.T) {
	in := "{\"type\":\"keep_alive\",\"x\":{\"a\":\n\r\n[1,\r2],\"b\":\"\u0085\u2028\u2029\"}}"
	out := roundTrip(t, definition(t, "envelope/frame.json"), []byte(in))
	if want := `{"type":"keep_alive","x":{"a":[1,2],"b":"\u0085\u2028\u2029"}}`; string(out) != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
}

func TestLoneSurrogatesSurvive(t *testing.T) {
	for _, text := range []string{`\ud800`, `\udfff`, `a\udc00\ud800b`, `\ud83d`, `\ude00`, `x\ud83d\ud83d\ude00`} {
		in := `{"type":"control_response","response":{"subtype":"error","request_id":"` + text + `","error":"e"}}`
		frame, err := wire.Decode([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, definition(t, "envelope/frame.json"), []byte(in))
		// A copy of the string keeps it too.
		id := frame.(*wire.ControlResponse).Response.(*wire.ErrorResponse).RequestID
		out, err := wire.Append(nil, &wire.ControlCancelRequest{RequestID: strings.Clone(id)})
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, definition(t, "envelope/frame.json"), out)
		if id != "" && !strings.Contains(strings.ToLower(string(out)), `\ud`) {
			t.Errorf("%s became %s", text, out)
		}
	}
}

func TestNumbersKeepTheirTextWhereTheyAreOpaqueOrUnknown(t *testing.T) {
	for _, number := range []string{"12345678901234567890123", "9007199254740993", "1e400", "1.0", "-0", "1E5", "0.10"} {
		in := `{"type":"system","subtype":"status","status":null,"uuid":"u","session_id":"s","new_member":` + number + `}`
		out := roundTrip(t, definition(t, "envelope/frame.json"), []byte(in))
		if !bytes.Contains(out, []byte(`"new_member":`+number)) {
			t.Errorf("%s became %s", number, out)
		}
	}
}

func TestTypedIntegersAreExact(t *testing.T) {
	for _, number := range []string{"9223372036854775807", "-9223372036854775808", "9007199254740993"} {
		in := `{"input_tokens":` + number + `,"output_tokens":0}`
		if out := roundTrip(t, definition(t, "shared/usage.json"), []byte(in)); string(out) != in {
			t.Errorf("%s became %s", in, out)
		}
	}
}
