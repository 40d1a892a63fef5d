package wire

// Prompt returns the line that gives the model a text, as a user would type it.
func Prompt(text string) *User {
	return &User{Message: UserMessage{Content: UserMessageContent{Text: &text}}}
}
