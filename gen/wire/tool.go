package wire

import "github.com/ccwire/ccwire/gen/wire/internal/run"

// DecodeToolInput reads the input of the tool of that name, in the tolerant mode. It never fails:
// the input of a tool that has no schema, and one that does not decode, is an [*UnknownToolInput].
// One that lacks a required member does not decode, so that no permission is given for what is not
// there.
// What it returns can be changed and sent back: see [CanUseToolRequest.AllowWith].
func DecodeToolInput(name string, raw Raw) ToolInput {
	v := newToolInput(name)
	if v == nil {
		return &UnknownToolInput{Name: name, Raw: raw}
	}
	if err := decodeWhole(v, raw); err != nil {
		return &UnknownToolInput{Name: name, Raw: raw, Err: err}
	}
	return v
}

// DecodeToolResult reads the result of the tool of that name, in the tolerant mode: the member
// tool_use_result of a user message, whose tool is named by the call that it answers, or the
// tool_response of a hook. It never fails: the result of a tool that has no schema, and one that
// does not decode or lacks a required member, is an [*UnknownToolResult]. A text is a [*ToolText],
// whatever the tool.
func DecodeToolResult(name string, raw Raw) ToolResult {
	if text, ok := raw.Text(); ok {
		return &ToolText{text}
	}
	v := newToolResult(name)
	if v == nil {
		return &UnknownToolResult{Name: name, Raw: raw}
	}
	if err := decodeWhole(v, raw); err != nil {
		return &UnknownToolResult{Name: name, Raw: raw, Err: err}
	}
	return v
}

// decodeWhole reads data into v, in the tolerant mode but for required members: one that is missing
// or misshapen is an error.
func decodeWhole(v readable, data []byte) error {
	var d run.Decoder
	d.Reset(data, nil)
	d.Insist()
	if !v.read(&d, false) || !d.Finish() {
		return d.Err()
	}
	return nil
}

// A ToolText is a text in place of a result: why a call failed or was refused, or what a tool says
// that returns nothing else.
type ToolText struct{ Text string }

func (*ToolText) isToolResult() {}

func (v *ToolText) read(d *run.Decoder, _ bool) bool { return d.String(&v.Text) }

// AppendJSON appends the text as a JSON string.
func (v *ToolText) AppendJSON(dst []byte) ([]byte, error) {
	if v == nil {
		return dst, run.ErrNil("ToolText")
	}
	return run.AppendString(dst, v.Text)
}

// MarshalJSON implements json.Marshaler.
func (v ToolText) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil) }

// AllowWith returns the answer that lets the tool run with another input, such as a changed one of
// [CanUseToolRequest.TypedInput].
func (v *CanUseToolRequest) AllowWith(input ToolInput) (*PermissionAllow, error) {
	if input == nil {
		return nil, run.ErrNil("ToolInput")
	}
	raw, err := input.AppendJSON(nil)
	if err != nil {
		return nil, err
	}
	return &PermissionAllow{UpdatedInput: raw}, nil
}
