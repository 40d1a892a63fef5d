package laws

// event is an event of a streamed message.
type event struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
}

// stream is how far the streamed message of an agent is.
type stream struct {
	open   bool // between message_start and message_stop
	block  int  // the index of the open block, -1 if none is
	blocks int  // how many blocks were opened
}

// stream returns the stream of the main agent, or that of the subagent of a tool use.
func (s *session) stream(parent string) *stream {
	if s.streams[parent] == nil {
		s.streams[parent] = &stream{block: -1}
	}
	return s.streams[parent]
}

// next checks that an event may come here:
//
//	message_start
//	(content_block_start content_block_delta* content_block_stop)*
//	message_delta* message_stop
//
// Blocks are numbered from 0. Pings and errors may come anywhere, and so may a kind of event that
// is not known.
func (m *stream) next(s *session, e *event) {
	fits := true
	switch e.Type {
	case "message_start":
		fits = !m.open
		*m = stream{open: true, block: -1}
	case "content_block_start":
		fits = m.open && m.block < 0 && e.Index == m.blocks
		m.block, m.blocks = e.Index, e.Index+1
	case "content_block_delta":
		fits = m.open && m.block == e.Index
	case "content_block_stop":
		fits = m.open && m.block == e.Index
		m.block = -1
	case "message_delta":
		fits = m.open && m.block < 0
	case "message_stop":
		fits = m.open && m.block < 0
		m.open = false
	}
	if !fits {
		s.broken("the grammar of stream events", "%s of block %d may not come here", e.Type, e.Index)
	}
}
