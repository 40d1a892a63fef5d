package conversation

// line is a line of a conversation.
type line struct {
	uuid    string
	message string // the id of the assistant's message; "" for a line of the user
}

// Line notes that a line of the conversation was written: of the assistant's message with an id, or
// of the user if that is "".
func (c *Conversation) Line(uuid, message string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line{uuid, message})
}

// Rounds is how many rounds the conversation has: what was said before the assistant spoke is the
// first, and each message of the assistant begins another.
func (c *Conversation) Rounds() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return 1 + len(c.rounds())
}

// rounds are the places of the lines that begin a message of the assistant.
func (c *Conversation) rounds() (list []int) {
	last := ""
	for i, l := range c.lines {
		if l.message != "" && l.message != last {
			list = append(list, i)
			last = l.message
		}
	}
	return list
}

// Tail returns the uuids of the lines of the last rounds.
func (c *Conversation) Tail(rounds int) (uuids []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.tail(rounds) {
		uuids = append(uuids, l.uuid)
	}
	return uuids
}

// tail are the lines of the last rounds.
func (c *Conversation) tail(rounds int) []line {
	starts := c.rounds()
	if rounds == 0 || len(starts) == 0 {
		return nil
	}
	return c.lines[starts[max(len(starts)-rounds, 0)]:]
}

// Compact puts a text of the user, whose line has a uuid, in the place of what was said before the
// last rounds.
func (c *Conversation) Compact(uuid string, text any, rounds int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append([]line{{uuid: uuid}}, c.tail(rounds)...)
	first := len(c.messages)
	for ; rounds > 0 && first > 0; first-- {
		if c.messages[first-1].Role == "assistant" {
			rounds--
		}
	}
	c.messages = append([]Message{{"user", []any{text}}}, c.messages[first:]...)
}

// LastUUID is the uuid of the last line, "" if there is none.
func (c *Conversation) LastUUID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == 0 {
		return ""
	}
	return c.lines[len(c.lines)-1].uuid
}
