package wire_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// An outline is what can be told of a line that does not decode.
type outline struct{ Type, Subtype, ID, Session string }

func TestUnreadableLinesAreKeptWithTypeAndID(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, row := range []struct {
		name, line string
		want       outline
	}{
		{"essential member missing", `{"type":"control_cancel_request","uuid":"u","session_id":"s"}`, outline{"control_cancel_request", "", "u", "s"}},
		{"cut off", `{"type":"system","subtype":"init","uuid":"u","session_id":"s","tools":["a","b`, outline{"system", "init", "u", "s"}},
		{"cut off in its text", `{"uuid":"u","type":"result","subtype":"success","result":"` + long, outline{"result", "success", "u", ""}},
		{"invalid UTF-8", "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"\xff\"},\"uuid\":\"u\"}", outline{"user", "", "u", ""}},
		{"duplicate member", `{"type":"keep_alive","type":"keep_alive","uuid":"u"}`, outline{"keep_alive", "", "u", ""}},
		{"request", `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","input":{"a":`, outline{"control_request", "", "r", ""}},
		{"answer", `{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"a":`, outline{"control_response", "", "r", ""}},
		{"cancelled request", `{"type":"control_cancel_request","request_id":"r",}`, outline{"control_cancel_request", "", "r", ""}},
		{"not an object", `[1,2`, outline{}},
		{"nothing", ``, outline{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			line := []byte(row.line)
			_, err := wire.Decode(line)
			if err == nil {
				t.Fatal("it decodes")
			}
			f := wire.Unreadable(line, err)
			clear(line)
			if string(f.Raw) != row.line || !errors.Is(f.Err, err) {
				t.Errorf("kept %s, %v", f.Raw, f.Err)
			}
			if diff := cmp.Diff(row.want, outline{f.Type(), f.Subtype(), f.ID(), wire.SessionID(f)}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheDigestOfALongLineHasTypeAndID(t *testing.T) {
	line := `{"duration_ms":1,"result":"` + strings.Repeat("x", 1000) + `","uuid":"u","subtype":"success","type":"result"}`
	l, err := codec.NewReader(strings.NewReader(line), &codec.ReaderOptions{MaxLine: 100}).Next()
	if err != nil || l.Kind != codec.OversizeLine {
		t.Fatal(l.Kind, err)
	}
	f := wire.Unreadable(l.Bytes, &codec.Error{Kind: codec.TooLong})
	if diff := cmp.Diff(outline{"result", "success", "u", ""}, outline{f.Type(), f.Subtype(), f.ID(), wire.SessionID(f)}); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownFramesHaveIDs(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"new","uuid":"u","request_id":"r"}`:     "u",
		`{"type":"new","request_id":"r"}`:                "r",
		`{"type":"new","response":{"request_id":"r"}}`:   "r",
		`{"type":"new","uuid":7,"request_id":"r\u0031"}`: "r1",
		`{"type":"new"}`: "",
	} {
		frame, err := wire.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if f := frame.(*wire.UnknownFrame); f.ID() != want || f.Err != nil {
			t.Errorf("%s: %q, %v", line, f.ID(), f.Err)
		}
	}
}

func TestABrokenLineIsNotWrittenAgain(t *testing.T) {
	broken := wire.Unreadable([]byte(`{"type":"user",`), errors.New("broken"))
	if _, err := wire.Append(nil, broken); !errors.Is(err, codec.Unencodable) {
		t.Errorf("got %v", err)
	}
	whole := wire.Unreadable([]byte(`{"uuid":"u"}`), errors.New("no type"))
	if out, err := wire.Append(nil, whole); err != nil || !bytes.Equal(out, whole.Raw) {
		t.Errorf("%s, %v", out, err)
	}
}
