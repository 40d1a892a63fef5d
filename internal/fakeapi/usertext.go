package fakeapi

import "strings"

const (
	reminderOpen  = "<system-reminder>"
	reminderClose = "</system-reminder>"
)

// withoutReminders removes the system reminders that the CLI puts into user texts, and the space
// around what is left. A reminder that is not closed goes to the end.
func withoutReminders(s string) string {
	var kept strings.Builder
	for {
		before, rest, found := strings.Cut(s, reminderOpen)
		kept.WriteString(before)
		if !found {
			return strings.TrimSpace(kept.String())
		}
		_, s, _ = strings.Cut(rest, reminderClose)
	}
}

// userText is the text of a user message, one line per block, without system reminders.
func (c callContent) userText() string {
	var parts []string
	for _, b := range c {
		if s := withoutReminders(b.Text); b.Type == "text" && s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

// matchText is what Match.Text looks at: userText, or when that is empty the whole text with its
// reminders.
func (c callContent) matchText() string {
	if s := c.userText(); s != "" {
		return s
	}
	var parts []string
	for _, b := range c {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// shortText is userText without its long blocks, which are the CLI's own prose more often than the
// user's words. What is still long is left out too.
func (c callContent) shortText() string {
	var short callContent
	for _, b := range c {
		if len(withoutReminders(b.Text)) <= maxText {
			short = append(short, b)
		}
	}
	if s := short.userText(); len(s) <= maxText {
		return s
	}
	return ""
}
