package jsontext

import (
	"testing"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestNothingBehindTheTextIsTouched(t *testing.T) {
	for _, piece := range []string{"a", `\n`, `\u00e9`, `\ud83d\ude00`, "é", `a\"`, "\xff", "\x01", `\`} {
		var text []byte
		for len(text) < 150 {
			text = append(text, piece...)
			data := jsontest.Guarded(t, text)
			ScanString(data, 0)
			PlainEnd(data, 0)
			ReadText(nil, data, 0)
			// The memory that text is written to ends at a page too.
			ReadText(jsontest.Guarded(t, make([]byte, len(text)))[:0], data, 0)
			s := NewScanner(jsontest.Guarded(t, append([]byte(`"`), append(text, '"')...)))
			s.Skip()
			s = NewScanner(jsontest.Guarded(t, append([]byte(`{"`), append(text, `":1}`...)...)))
			s.Hop()
			s.Pos = 0
			s.Skip()
			_, _ = AppendString(nil, Shared(data))
		}
	}
}

func TestNothingBehindAValueIsTouched(t *testing.T) {
	text := []byte(`{"a":[true,false,null,-12.5e+30,"x\n",{},[]],"bcdefghijklmnopqrstuvw":{"":0}}`)
	for end := range text {
		s := NewScanner(jsontest.Guarded(t, text[:end]))
		if s.Skip() {
			t.Errorf("%s is taken", text[:end])
		}
		s = NewScanner(jsontest.Guarded(t, text[end:]))
		s.Skip()
	}
}
