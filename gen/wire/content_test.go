package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestContentIsBlocksAndATextWhicheverItIs(t *testing.T) {
	text, tool := &wire.TextBlock{Text: "a"}, &wire.ToolUseBlock{ID: "t", Name: "Read", Input: wire.Raw(`{}`)}
	for _, row := range []struct {
		name    string
		content wire.UserMessageContent
		blocks  []wire.ContentBlock
		text    string
	}{
		{"text", wire.UserMessageContent{Text: wire.Ptr("a")}, []wire.ContentBlock{text}, "a"},
		{"empty text", wire.UserMessageContent{Text: wire.Ptr("")}, []wire.ContentBlock{&wire.TextBlock{}}, ""},
		{"one block", wire.UserMessageContent{List: []wire.ContentBlock{text}}, []wire.ContentBlock{text}, "a"},
		{"several", wire.UserMessageContent{List: []wire.ContentBlock{text, tool, text}}, []wire.ContentBlock{text, tool, text}, "aa"},
		{"another block", wire.UserMessageContent{List: []wire.ContentBlock{tool}}, []wire.ContentBlock{tool}, ""},
		{"nothing", wire.UserMessageContent{}, nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.blocks, row.content.Blocks()); diff != "" {
				t.Error(diff)
			}
			if got := row.content.String(); got != row.text {
				t.Errorf("the text is %q, want %q", got, row.text)
			}
		})
	}
	absent := wire.ToolResultBlock{ToolUseID: "t"}
	if absent.Content.Blocks() != nil || absent.Content.String() != "" {
		t.Error("an absent content is not empty")
	}
}

func TestTheTextOfAnAssistantLineIsThatOfItsTextBlocks(t *testing.T) {
	line := `{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""},` +
		`{"type":"text","text":"See "},{"type":"text","text":"here."},{"type":"tool_use","id":"t","name":"Read","input":{}},{"type":"new_block","text":"x"}]}}`
	frame, err := wire.Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if got := frame.(*wire.Assistant).Text(); got != "See here." {
		t.Errorf("got %q", got)
	}
	if got := new(wire.Assistant).Text(); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestAPromptIsALineThatTheStrictModeTakes(t *testing.T) {
	line, err := wire.Append(nil, wire.Prompt("hello\n"))
	if want := `{"type":"user","message":{"role":"user","content":"hello\n"}}`; err != nil || string(line) != want {
		t.Fatalf("got %s, %v", line, err)
	}
	if _, err := wire.DecodeFrame(line, strict()); err != nil {
		t.Error(err)
	}
}

func TestTheValueOfAnAbsentMemberIsZero(t *testing.T) {
	var absent wire.Assistant
	if got := wire.Value(absent.UUID); got != "" {
		t.Errorf("got %q", got)
	}
	if got := wire.Value(wire.Ptr(7)); got != 7 {
		t.Errorf("got %d", got)
	}
}
