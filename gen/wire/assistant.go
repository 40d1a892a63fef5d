package wire

// Text returns the texts of the message's text blocks, joined with nothing between them. Thinking,
// tool calls and all other blocks are left out. Most lines carry one block of a message, so that
// the text of a turn is in several lines.
func (v *Assistant) Text() string { return joinTexts(v.Message.Content) }
