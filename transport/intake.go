package transport

import (
	"io"

	"github.com/ccwire/ccwire/gen/wire"
)

// maxTogether is how many messages go into the mailbox together.
const maxTogether = 64

// intake is the reader's end of a mailbox: what came together goes in together, which spares the
// locks and the wakeups of most messages. It is for the reader's goroutine alone, which flushes it
// before whatever may not come before the messages, and before it waits.
type intake struct {
	*mailbox
	src     io.Reader     // of what is read
	decoder *wire.Decoder // of the messages

	messages []laneItem[wire.Frame] // that are not in the mailbox yet, of which only the reader adds any
	bytes    int64                  // of their lines
	allowed  int                    // messages that the mailbox has room for
	most     int64                  // bytes that it has room for
}

// Read is a read of the source, for which the reader may have to wait.
func (in *intake) Read(p []byte) (int, error) {
	in.flush()
	in.tell()
	n, err := in.src.Read(p)
	in.spent.reuse(in.decoder)
	return n, err
}

// put takes in a message and its line, which is not kept if there is room for the message. It waits
// for room if the policy says so, and calls held before it does, once until the consumer has read
// everything: with the reason why messages are not in a file, nil if the file is full or not
// wanted.
func (in *intake) put(f wire.Frame, line []byte, oversize bool, held func(error)) putResult {
	if size := int64(len(line)); len(in.messages) < in.allowed && in.bytes+size <= in.most {
		in.messages = append(in.messages, laneItem[wire.Frame]{f, size})
		in.bytes += size
		return putOK
	}
	for {
		done, result := in.tryPut(f, line, oversize)
		if done {
			return result
		}
		if first, err := in.hold(); first {
			held(err)
		}
		in.tell()
		<-in.room
	}
}

// tryPut puts a message into the mailbox after those that came before it.
func (in *intake) tryPut(f wire.Frame, line []byte, oversize bool) (done bool, result putResult) {
	in.spent.reuse(in.decoder)
	in.mu.Lock()
	defer in.mu.Unlock()
	in.flushLocked()
	done, result = in.tryPutLocked(f, line, oversize)
	in.allowed, in.most = in.roomLocked()
	return done, result
}

// flush puts the messages into the mailbox. Its consumer is not woken: see tell.
func (in *intake) flush() {
	if len(in.messages) == 0 {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.flushLocked()
	in.allowed, in.most = in.roomLocked()
}

func (in *intake) flushLocked() {
	in.putDecodedLocked(in.messages, in.bytes)
	clear(in.messages)
	in.messages, in.bytes = in.messages[:0], 0
}

// roomLocked returns how many messages, and bytes of their lines, the mailbox takes in decoded and
// without a look at its policy, whatever the consumer does meanwhile.
func (m *mailbox) roomLocked() (messages int, bytes int64) {
	if !m.rest.empty() {
		return 0, 0
	}
	messages = min(maxTogether, maxDecoded-m.unread)
	if m.limits.Messages > 0 && (m.policy == DropOldest || m.policy == FailWhenFull) {
		messages = min(messages, m.limits.Messages-m.unread)
	}
	return messages, maxDecodedBytes - m.bytes
}

// putDecodedLocked takes in messages for which there was room.
func (m *mailbox) putDecodedLocked(messages []laneItem[wire.Frame], bytes int64) {
	if m.closed || len(messages) == 0 {
		return
	}
	for _, item := range messages {
		m.decoded.push(item)
	}
	m.bytes += bytes
	m.unread += len(messages)
	m.noteLocked()
}
