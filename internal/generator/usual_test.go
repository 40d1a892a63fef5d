package generator

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// built returns the model of the schemas.
func built(t *testing.T) *builder {
	t.Helper()
	in, err := load(os.DirFS(schemaDir))
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := build(in)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMembersThatTheUsualLineLacksAreRare(t *testing.T) {
	b := built(t)
	if _, err := newUsualLine(b); err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range b.structs {
		for _, fd := range s.fields {
			if fd.rare {
				got[s.name] = append(got[s.name], fd.wire)
			}
		}
	}
	want := map[string][]string{"StreamEvent": {"ttft_ms", "thinking_display", "abandoned_blocks", "user_message_uuid", "user_message_uuids", "resume_reason"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnExampleThatIsNoUsualLineIsAnError(t *testing.T) {
	for name, row := range map[string]struct{ old, new, want string }{
		"another event":                  {"content_block_delta", "message_stop", "no place for message_stop"},
		"an unknown name":                {`"index"`, `"place"`, "has no member place"},
		"a rare member":                  {`"parent_tool_use_id"`, `"user_message_uuids":[],"parent_tool_use_id"`, "no way to scan UserMessageUUIDs"},
		"an optional member behind null": {`"uuid":`, `"api_message_id": "msg_01", "uuid":`, "api_message_id must follow a string"},
		"another id":                     {`"uuid": "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001"`, `"uuid": "short"`, "a string and a UUID behind it"},
	} {
		t.Run(name, func(t *testing.T) {
			b := built(t)
			def := b.structs[usual].def
			text := string(def.Examples[0])
			changed := strings.Replace(text, row.old, row.new, 1)
			if changed == text {
				t.Fatalf("%s has no %s", text, row.old)
			}
			def.Examples[0] = json.RawMessage(changed)
			u, err := newUsualLine(b)
			if err == nil {
				err = emitUsual(newFile(""), u)
			}
			if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), usual) {
				t.Errorf("got %v, want %q", err, row.want)
			}
		})
	}
}
