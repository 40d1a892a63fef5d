package wire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	delta = `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel\nlo"}},` +
		`"session_id":"5b1d9c1e-3c43-4f0e-8f0b-2f7c9d1a0001","parent_tool_use_id":null,"uuid":"7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001","api_message_id":"msg_01"}`
	piece = `Hel\nlo`
)

var thinking = strings.Replace(delta, `"text_delta","text"`, `"thinking_delta","thinking"`, 1)

// deltas are lines that make a mold.
var deltas = map[string]string{
	"text":                 delta,
	"thinking":             thinking,
	"thinking, shown":      strings.Replace(thinking, `,"api_message_id"`, `,"thinking_display":"updates","api_message_id"`, 1),
	"input of a tool":      strings.Replace(delta, `"text_delta","text"`, `"input_json_delta","partial_json"`, 1),
	"subagent":             strings.Replace(delta, `:null`, `:"toolu_01"`, 1),
	"older CLI":            strings.Replace(delta, `,"api_message_id":"msg_01"`, "", 1),
	"another order, space": `{"session_id":"s", "event":{"delta":{"text":"` + piece + `","type":"text_delta"},"index":1,"type":"content_block_delta"},"uuid":"7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001","parent_tool_use_id":null,"type":"stream_event"}`,
}

// learned returns a Decoder that has a mold of the line, or has had the chance to make one.
func learned(line string, o *Options) *Decoder {
	d := &Decoder{Options: o}
	for range 3 {
		d.Decode([]byte(line))
	}
	return d
}

// general reads a line without a mold.
func general(line string, o *Options) (Frame, error) {
	return (&Decoder{Options: o}).general([]byte(line))
}

func TestALineLikeOneBeforeIsNotReadAgain(t *testing.T) {
	for name, line := range deltas {
		t.Run(name, func(t *testing.T) {
			for _, o := range []*Options{nil, {Strict: true}, {Alias: true}, {MaxDepth: 3}, {Report: func(Deviation) {}}} {
				d := learned(line, o)
				for _, text := range []string{"", "x", "other text", `with \"escapes\" \u00e9`, "é", strings.Repeat("long ", 100)} {
					other := []byte(strings.Replace(strings.Replace(line, piece, text, 1), "7c0f2f0e", "00000000", 1))
					got := d.molds.read(other, o)
					want, err := general(string(other), o)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%+v, %q: %s", o, text, diff)
					}
				}
				if d.molds.read([]byte(line), &Options{MaxDepth: 2}) != nil {
					t.Errorf("%+v: the limit of depth is not kept", o)
				}
			}
		})
	}
}

// TestAMoldTakesALineForWhatTheGeneralReaderDoes changes each byte of a line, takes each away and
// cuts the line at each.
func TestAMoldTakesALineForWhatTheGeneralReaderDoes(t *testing.T) {
	lines := []string{
		delta, delta + " ",
		strings.Replace(delta, "Hel", "größer", 1),
		strings.Replace(delta, "7c0f2f0e-", "", 1),
	}
	for i := range delta {
		lines = append(lines, delta[:i], delta[:i]+delta[i+1:])
		for _, c := range []string{`"`, `\`, `1`, ` `, `}`, "\n", "\xff", "é"} {
			lines = append(lines, delta[:i]+c+delta[i+1:])
		}
	}
	d := learned(delta, nil)
	taken := 0
	for _, line := range lines {
		got := d.molds.read([]byte(line), nil)
		if got == nil {
			continue
		}
		taken++
		want, err := general(line, nil)
		if err != nil {
			t.Errorf("%s\nis accepted, but %v", line, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
	if taken < 100 {
		t.Errorf("only %d lines fit", taken)
	}
}

func TestAMoldTakesTextsOfAnyLengthAndSpelling(t *testing.T) {
	d := learned(delta, nil)
	check := func(t interface{ Errorf(string, ...any) }, text, uuid string) {
		line := strings.Replace(strings.Replace(delta, piece, text, 1), "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001", uuid, 1)
		got := d.molds.read([]byte(line), nil)
		want, err := general(line, nil)
		if got == nil {
			return
		}
		if err != nil {
			t.Errorf("%q fits, but %v", line, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
	const uuid = "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001"
	for n := range 70 {
		for at := range n + 1 {
			for _, c := range []string{"", `\n`, "é", `"`, "\n", "\xff"} {
				check(t, strings.Repeat("x", at)+c+strings.Repeat("x", n-at), uuid)
			}
		}
	}
	pieces := rapid.SampledFrom([]string{"plain text", "x", `\n`, `\"`, `\\`, `\/`, `é`, "€", "😀", `\u00e9`, `\ud83d`, "\xff", "\xe2\x82", "\x1f", "\x00", `\x`, `\`, `"`, `"}},"session_id":"`})
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOf(pieces).Draw(t, "text"), ""),
			rapid.StringMatching(`[0-9a-f-]{36}|[0-9a-f-]{34,38}|[0-9a-f"\\é-]{36}`).Draw(t, "uuid"))
	})
}

// TestAStreamOfManyKindsIsReadAsEachLineIs goes to and fro between lines that a mold remembers and
// others, more of them than there are molds.
func TestAStreamOfManyKindsIsReadAsEachLineIs(t *testing.T) {
	var lines []string
	for _, change := range [][2]string{{`"index":0`, `"index":12`}, {"msg_01", "msg_02"}, {"msg_01", `a"}`}, {"5b1d9c1e", "00000000"}, {"msg_01", ""},
		{`,"api_message_id":"msg_01"`, ""}, {`,"api_message_id"`, `,"other"`}, {`:null`, `:"toolu_01"`}, {"Hel", ""},
		{`"api_message_id"`, `"ttft_ms":28.5,"api_message_id"`}, {`"msg_01"`, "null"}, {`"api_message_id"`, `"user_message_uuids":["a"],"api_message_id"`}} {
		lines = append(lines, strings.Replace(delta, change[0], change[1], 1))
	}
	for _, line := range deltas {
		lines = append(lines, line)
	}
	for i := range 12 {
		lines = append(lines, strings.Replace(delta, ":null", fmt.Sprintf(`:"toolu_%d"`, i), 1))
	}
	rapid.Check(t, func(t *rapid.T) {
		var d Decoder
		for i, line := range rapid.SliceOfN(rapid.SampledFrom(lines), 1, 60).Draw(t, "lines") {
			got, err := d.Decode([]byte(line))
			want, wantErr := general(line, nil)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("line %d: %s\n%v, want %v", i, line, err, wantErr)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("line %d: %s\n%s", i, line, diff)
			}
		}
	})
}

func TestFramesOfOneMoldShareNothingThatCanBeWritten(t *testing.T) {
	shown := deltas["thinking, shown"]
	d := learned(shown, nil)
	read := func() *StreamEvent {
		f, ok := d.molds.read([]byte(shown), nil).(*StreamEvent)
		if !ok {
			t.Fatal("the line does not fit")
		}
		return f
	}
	first, want := read(), read()
	first.SessionID, *first.APIMessageID, first.UUID = "x", "x", "x"
	first.ParentToolUseID = Some("x")
	*first.ThinkingDisplay = "x"
	event := first.Event.(*ContentBlockDeltaEvent)
	event.Index = 7
	event.Delta.(*ThinkingDelta).Thinking = "x"
	if diff := cmp.Diff(want, read()); diff != "" {
		t.Error(diff)
	}
}

// TestSessionsThatAlternateAreLearnedOnce shows that the lines of one session do not take the place
// of another's.
func TestSessionsThatAlternateAreLearnedOnce(t *testing.T) {
	var d Decoder
	for i := range 100 {
		line := strings.Replace(delta, "5b1d9c1e", fmt.Sprintf("%08d", i%3), 1)
		if i >= 3 && d.molds.read([]byte(line), nil) == nil {
			t.Fatalf("line %d does not fit", i)
		}
		if _, err := d.Decode([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if d.molds.victim != 3 {
		t.Errorf("%d molds were made of 3 sessions", d.molds.victim)
	}
}

// TestAMoldKnowsEveryMember fails when a member has been added to an object that carries a piece:
// usualPiece must refuse lines that have it, or the mold must remember it.
func TestAMoldKnowsEveryMember(t *testing.T) {
	known := map[string][]string{
		"StreamEvent": {"Event", "SessionID", "ParentToolUseID", "UUID", "TTFTMS", "ThinkingDisplay", "APIMessageID",
			"AbandonedBlocks", "UserMessageUUID", "UserMessageUUIDs", "ResumeReason", "OwedRows", "TextRunsJoined", "Extra"},
		"ContentBlockDeltaEvent": {"Index", "Delta", "Extra"},
		"TextDelta":              {"Text", "Extra"},
		"ThinkingDelta":          {"Thinking", "EstimatedTokens", "Extra"},
		"InputJSONDelta":         {"PartialJSON", "Extra"},
	}
	for _, v := range []any{StreamEvent{}, ContentBlockDeltaEvent{}, TextDelta{}, ThinkingDelta{}, InputJSONDelta{}} {
		typ := reflect.TypeOf(v)
		var got []string
		for i := range typ.NumField() {
			got = append(got, typ.Field(i).Name)
		}
		if diff := cmp.Diff(known[typ.Name()], got); diff != "" {
			t.Errorf("%s: %s", typ.Name(), diff)
		}
	}
}

func TestALineWithMoreThanAPieceMakesNoMold(t *testing.T) {
	for _, more := range []string{`"ttft_ms":28.5`, `"thinking_display":"updates"`, `"abandoned_blocks":{"message_id":"m","indexes":[1]}`,
		`"user_message_uuid":"u"`, `"user_message_uuids":["u"]`, `"resume_reason":"r"`, `"new":1`} {
		d := learned(strings.Replace(delta, `"api_message_id"`, more+`,"api_message_id"`, 1), nil)
		if d.molds.list[0] != nil {
			t.Errorf("%s: there is a mold", more)
		}
	}
	for _, change := range [][2]string{{`"index":0`, `"index":0,"new":1`}, {`"text_delta"`, `"text_delta","new":1`}, {`"7c0f2f0e-`, `"`}, {"5b1d9c1e", strings.Repeat("5", maxMold)}} {
		d := learned(strings.Replace(delta, change[0], change[1], 1), nil)
		if d.molds.list[0] != nil {
			t.Errorf("%.40s: there is a mold", change[1])
		}
	}
}

// TestMoldsThatNeverFitAreGivenUp shows that a stream whose lines have their members in another
// order each time makes few molds.
func TestMoldsThatNeverFitAreGivenUp(t *testing.T) {
	var d Decoder
	cast := 0
	for i := range 2000 {
		before := d.molds.victim
		if _, err := d.Decode([]byte(strings.Replace(delta, ":null", fmt.Sprintf(`:"toolu_%d"`, i), 1))); err != nil {
			t.Fatal(err)
		}
		if d.molds.victim != before {
			cast++
		}
	}
	if cast > 100 {
		t.Errorf("%d molds were made of 2000 lines", cast)
	}
}

func TestAMoldKeepsNothingOfALineThatTheCallerWritesTo(t *testing.T) {
	d := &Decoder{Options: &Options{Alias: true}}
	for range 3 {
		line := []byte(deltas["subagent"])
		if _, err := d.Decode(line); err != nil {
			t.Fatal(err)
		}
		clear(line)
	}
	want, _ := general(deltas["subagent"], nil)
	if diff := cmp.Diff(want, d.molds.read([]byte(deltas["subagent"]), nil)); diff != "" {
		t.Error(diff)
	}
}

func TestAliasSharesTheLineAlsoWhereAMoldFits(t *testing.T) {
	o := &Options{Alias: true}
	d := learned(delta, o)
	line := []byte(strings.Replace(delta, piece, "plain", 1))
	f := d.molds.read(line, o).(*StreamEvent)
	line[strings.Index(string(line), "plain")] = 'P'
	text := f.Event.(*ContentBlockDeltaEvent).Delta.(*TextDelta).Text
	if (text == "Plain") != sharesStrings {
		t.Errorf("text %q", text)
	}
	line = []byte(delta)
	f = d.molds.read(line, nil).(*StreamEvent)
	clear(line)
	if text := f.Event.(*ContentBlockDeltaEvent).Delta.(*TextDelta).Text; text != "Hel\nlo" || f.UUID != "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001" {
		t.Errorf("without it the frame changes with the line: %q, %q", text, f.UUID)
	}
}
