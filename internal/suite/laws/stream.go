package laws

// event is an event of a streamed message.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		ID    string `json:"id"`
		Usage tokens `json:"usage"`
	} `json:"message"`
	Block block  `json:"content_block"`
	Delta block  `json:"delta"`
	Usage tokens `json:"usage"`
}

type tokens struct {
	Output *float64 `json:"output_tokens"`
}

// stream is how far the streamed message of an agent is.
type stream struct {
	open   bool // between message_start and message_stop
	block  int  // the index of the open block, -1 if none is
	blocks int  // how many blocks were opened

	id     string // of the message
	texts  []text // of its blocks
	output *float64
}

// text is what the deltas of a block make.
type text struct {
	kind string
	text []byte
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
		*m = stream{open: true, block: -1, id: e.Message.ID, output: e.Message.Usage.Output}
	case "content_block_start":
		fits = m.open && m.block < 0 && e.Index == m.blocks
		m.block, m.blocks = e.Index, e.Index+1
		m.texts = append(m.texts, text{kind: e.Block.Type})
		m.add(&e.Block)
	case "content_block_delta":
		fits = m.open && m.block == e.Index
		m.add(&e.Delta)
	case "content_block_stop":
		fits = m.open && m.block == e.Index
		m.block = -1
	case "message_delta":
		fits = m.open && m.block < 0
		if a, b := m.output, e.Usage.Output; a != nil && b != nil && *b < *a {
			s.broken("tokens of a message never go down", "there are %v, there were %v", *b, *a)
		}
	case "message_stop":
		fits = m.open && m.block < 0
		m.open = false
	}
	if !fits {
		s.broken("the grammar of stream events", "%s of block %d may not come here", e.Type, e.Index)
	}
}

// add adds what a block begins with, or a delta.
func (m *stream) add(b *block) {
	if n := len(m.texts); n > 0 {
		t := &m.texts[n-1]
		t.text = append(append(t.text, b.Text...), b.Thinking...)
	}
}

// made checks that the deltas make the text of a block, if they are those of its message.
func (m *stream) made(s *session, id string, b *block) {
	if b.Type != "text" && b.Type != "thinking" || id == "" || id != m.id {
		return
	}
	for i := range m.texts {
		if t := &m.texts[i]; t.kind == b.Type && string(t.text) == b.Text+b.Thinking {
			return
		}
	}
	s.broken("the deltas make the message", "no block of the stream is %s", cut(b.Text+b.Thinking))
}
