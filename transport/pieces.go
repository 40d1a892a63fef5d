package transport

import "github.com/ccwire/ccwire/gen/wire"

// pieces are messages with pieces of text that a turn has taken from a mailbox together, and those
// that its loop is done with: both spare the locks of most messages. They are for the turn's
// goroutine alone.
type pieces struct {
	box   *mailbox // of the connection
	taken fifo[laneItem[wire.Frame]]
	spent []wire.Frame
}

// next returns the oldest message that was taken, nil if there is none.
func (p *pieces) next() wire.Frame {
	if p.taken.size() == 0 {
		return nil
	}
	return p.taken.pop().value
}

// takeAfter takes the pieces of text right after a message, if it is one. The caller reads the
// messages of the connection.
func (p *pieces) takeAfter(f wire.Frame) {
	if isShortText(f) {
		p.box.takePieces(&p.taken)
	}
}

// giveBack puts what was taken and not used into the mailbox again. The caller reads its messages,
// and nobody has since.
func (p *pieces) giveBack() {
	if p.taken.size() > 0 {
		p.box.putBack(p.taken.all())
		p.taken = fifo[laneItem[wire.Frame]]{}
	}
}

// spend takes a message that nobody uses any more.
func (p *pieces) spend(f wire.Frame) {
	if isShortText(f) {
		p.spent = append(p.spent, f)
	}
	if len(p.spent) >= maxTogether {
		p.giveSpent()
	}
}

// giveSpent gives the messages that nobody uses any more to the reader.
func (p *pieces) giveSpent() {
	if len(p.spent) == 0 {
		return
	}
	p.box.spent.add(p.spent)
	clear(p.spent)
	p.spent = p.spent[:0]
}

// takePieces adds pieces of text that can be taken now to a queue, as long as nothing else comes.
// With a policy that drops messages they stay: it counts those that were not received.
func (m *mailbox) takePieces(into *fifo[laneItem[wire.Frame]]) {
	if m.idle.Load() || m.policy == DropOldest || m.policy == FailWhenFull {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.unread
	for into.size() < maxTogether && m.decoded.size() > 0 && m.dropped.Messages == 0 && isShortText(m.decoded.first().value) {
		item := m.decoded.pop()
		into.push(item)
		m.bytes -= item.size
		m.unread--
	}
	if m.unread < before {
		m.tookLocked()
	}
}

// putBack takes messages that were taken as those that come first.
func (m *mailbox) putBack(messages []laneItem[wire.Frame]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decoded.pushFirst(messages)
	for _, item := range messages {
		m.bytes += item.size
	}
	m.unread += len(messages)
	m.noteLocked()
	wake(m.ready)
}
