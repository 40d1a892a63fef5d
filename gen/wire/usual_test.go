package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
)

const usual = `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel\nlo"}},` +
	`"session_id":"5b1d9c1e-3c43-4f0e-8f0b-2f7c9d1a0001","parent_tool_use_id":null,"uuid":"7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001","api_message_id":"msg_01"}`

// learned returns a Decoder that has seen the strings that repeat.
func learned() *Decoder {
	d := new(Decoder)
	if _, err := d.general([]byte(usual)); err != nil {
		panic(err)
	}
	return d
}

func TestTheUsualLineIsReadInOneGo(t *testing.T) {
	d := learned()
	for _, o := range []*codec.Options{nil, {Strict: true}, {Alias: true}, {MaxDepth: 3}} {
		if usualLine(&d.d, []byte(usual), o) == nil {
			t.Errorf("%+v: it is not", o)
		}
	}
	if usualLine(&d.d, []byte(usual), &codec.Options{MaxDepth: 2}) != nil {
		t.Error("the limit of depth is not kept")
	}
}

// TestTheUsualLineIsReadAsAnyOther changes each byte of the line, takes each
// away and cuts the line at each: what is read in one go must be what the
// general way gives.
func TestTheUsualLineIsReadAsAnyOther(t *testing.T) {
	d := learned()
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
		got := usualLine(&d.d, []byte(line), nil)
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
	if taken < 100 {
		t.Errorf("only %d lines were read in one go", taken)
	}
}
