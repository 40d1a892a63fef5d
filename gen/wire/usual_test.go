package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
)

const usual = `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel\nlo"}},` +
	`"session_id":"5b1d9c1e-3c43-4f0e-8f0b-2f7c9d1a0001","parent_tool_use_id":null,"uuid":"7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001","api_message_id":"msg_01"}`

// learned returns a Decoder that has read the line.
func learned() *Decoder {
	d := new(Decoder)
	if d.usual.read(&d.d, []byte(usual), nil) == nil {
		panic("it is not the usual line")
	}
	return d
}

func TestTheUsualLineIsReadInOneGo(t *testing.T) {
	for _, o := range []*codec.Options{nil, {Strict: true}, {Alias: true}, {MaxDepth: 3}} {
		for _, d := range []*Decoder{new(Decoder), learned()} {
			if d.usual.read(&d.d, []byte(usual), o) == nil {
				t.Errorf("%+v: it is not", o)
			}
			if _, _, ok := d.usual.mold.Fits([]byte(strings.Replace(usual, "Hel", "else", 1))); !ok {
				t.Errorf("%+v: a line like it is read from the start", o)
			}
		}
	}
	d := learned()
	if d.usual.read(&d.d, []byte(strings.Replace(usual, `,"api_message_id":"msg_01"`, "", 1)), nil) == nil {
		t.Error("that of an older CLI is not")
	}
	if d.usual.read(&d.d, []byte(usual), &codec.Options{MaxDepth: 2}) != nil {
		t.Error("the limit of depth is not kept")
	}
}

// TestALineThatDiffersInMoreThanItsTextsIsReadAnew changes what the reader
// remembers, and comes back to it.
func TestALineThatDiffersInMoreThanItsTextsIsReadAnew(t *testing.T) {
	d := learned()
	for _, change := range [][2]string{{`"index":0`, `"index":12`}, {"msg_01", "msg_02"}, {"msg_01", `a"}`}, {"5b1d9c1e", "00000000"}, {"msg_01", ""}, {`,"api_message_id":"msg_01"`, ""}, {`,"api_message_id"`, `,"other"`}, {`:null`, `:"toolu_01"`}, {"Hel", ""}} {
		for _, line := range []string{strings.Replace(usual, change[0], change[1], 1), usual} {
			got, err := d.Decode([]byte(line))
			want, wantErr := new(Decoder).general([]byte(line))
			if (err == nil) != (wantErr == nil) {
				t.Errorf("%s\n%v, want %v", line, err, wantErr)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s", line, diff)
			}
		}
	}
}

// TestTheUsualLineIsReadAsAnyOther changes each byte of the line, takes each
// away and cuts the line at each: what is read in one go must be what the
// general way gives.
func TestTheUsualLineIsReadAsAnyOther(t *testing.T) {
	lines := []string{
		usual,
		strings.Replace(usual, "Hel", strings.Repeat("long ", 15), 1),
		strings.Replace(usual, "Hel", strings.Repeat("longer ", 100), 1),
		strings.Replace(usual, "Hel", "größer", 1),
		strings.Replace(usual, "7c0f2f0e-", "", 1),
		usual + " ",
	}
	for i := range usual {
		lines = append(lines, usual[:i], usual[:i]+usual[i+1:])
		for _, c := range []string{`"`, `\`, `1`, ` `, `}`, "\n", "\xff", "é"} {
			lines = append(lines, usual[:i]+c+usual[i+1:])
		}
	}
	taken := 0
	for _, line := range lines {
		for _, d := range []*Decoder{new(Decoder), learned()} {
			got := d.usual.read(&d.d, []byte(line), nil)
			if got == nil {
				continue
			}
			taken++
			want, err := new(Decoder).general([]byte(line))
			if err != nil {
				t.Errorf("%s\nis accepted, but %v", line, err)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s", line, diff)
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d lines were read in one go", taken)
	}
}

func TestRareMembersOfAnEventAreApart(t *testing.T) {
	line := strings.Replace(usual, `"api_message_id"`, `"ttft_ms":28.5,"api_message_id"`, 1)
	for text, want := range map[string]*StreamEventRare{usual: nil, line: {TTFTMS: new(28.5)}} {
		f, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e := f.(*StreamEvent)
		if diff := cmp.Diff(want, e.Rare); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
		if e.Rare == nil {
			e.Rare = new(StreamEventRare) // the same as none
		}
		if got, err := Append(nil, e); err != nil || string(got) != text {
			t.Errorf("%s, %v\nwant %s", got, err, text)
		}
	}
}
