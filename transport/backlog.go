package transport

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// maxChunk is the size of a chunk of short lines.
const maxChunk = 64 << 10

// backlog is a queue of lines in chunks: the oldest ones in memory, then those in a file, and the
// newest chunk, which is being filled, in memory again. A line is all that a message holds here, so
// that the limits are those of real memory but for a chunk at each end.
type backlog struct {
	memory int64 // limit of held; negative means none
	disk   int64 // limit of the file; negative means none, 0 no file

	chunks fifo[chunk]
	held   int64    // bytes of the chunks in memory
	onDisk int      // chunks in the file
	file   *os.File // nil if there is none
	end    int64    // of the last chunk in the file
	err    error    // why there is no file, or no more in it
}

// chunk is a run of records: a uvarint with the length of a line above its marks, and the line.
type chunk struct {
	data   []byte // nil if it is in the file
	offset int64  // in the file
	size   int
	read   int // bytes that were popped
}

// record is a line that waited.
type record struct {
	line []byte
	lineMarks
}

// lineMarks is what is known of a line without decoding it.
type lineMarks struct {
	oversize bool // the line is what is known of one that was over the limit
	result   bool // it ends a turn
}

const (
	markOversize = 1 << iota
	markResult
	markBits = iota
)

func (m lineMarks) bits() (bits uint64) {
	if m.oversize {
		bits |= markOversize
	}
	if m.result {
		bits |= markResult
	}
	return bits
}

func (b *backlog) empty() bool { return b.chunks.size() == 0 }

// push adds a line. It reports false if there is no room.
func (b *backlog) push(line []byte, marks lineMarks) bool {
	need := len(line) + binary.MaxVarintLen64
	if b.empty() || b.chunks.last().room() < need {
		if !b.grow(need) {
			return false
		}
	}
	head := uint64(len(line))<<markBits | marks.bits()
	c := b.chunks.last()
	c.data = append(binary.AppendUvarint(c.data, head), line...)
	return true
}

func (c *chunk) room() int { return cap(c.data) - len(c.data) }

// grow adds a chunk in memory, for which the newest one goes to the file if there is no room.
func (b *backlog) grow(need int) bool {
	size := max(need, maxChunk)
	if b.memory >= 0 {
		size = max(need, min(maxChunk, int(b.memory/4)))
	}
	if b.chunks.size() > 1 && b.memory >= 0 && b.held+int64(size) > b.memory {
		if !b.spill() {
			return false
		}
	}
	b.chunks.push(chunk{data: make([]byte, 0, size)})
	b.held += int64(size)
	return true
}

// spill writes the newest chunk to the file.
func (b *backlog) spill() bool {
	c := b.chunks.last()
	if b.disk == 0 || b.disk > 0 && b.end+int64(len(c.data)) > b.disk {
		return false
	}
	if b.file == nil {
		file, err := tempFile()
		if err != nil {
			b.disk, b.err = 0, err
			return false
		}
		b.file = file
	}
	if _, err := b.file.WriteAt(c.data, b.end); err != nil {
		b.disk, b.err = 0, err // it may be full; what is in it can be read
		return false
	}
	b.held -= int64(cap(c.data))
	c.offset, c.size, c.data = b.end, len(c.data), nil
	b.end += int64(c.size)
	b.onDisk++
	return true
}

// pop removes the oldest line, which must exist.
func (b *backlog) pop() (*record, error) {
	c := b.chunks.first()
	if c.data == nil {
		if err := b.load(c); err != nil {
			return nil, err
		}
	}
	head, n := binary.Uvarint(c.data[c.read:])
	begin := c.read + n
	c.read = begin + int(head>>markBits)
	r := &record{line: c.data[begin:c.read], lineMarks: lineMarks{oversize: head&markOversize != 0, result: head&markResult != 0}}
	if c.read == len(c.data) {
		b.held -= int64(cap(c.data))
		b.chunks.pop()
		if b.empty() {
			b.close()
		}
	}
	return r, nil
}

// load reads a chunk back from the file, which is empty when the last one was.
func (b *backlog) load(c *chunk) error {
	data := make([]byte, c.size)
	if _, err := b.file.ReadAt(data, c.offset); err != nil {
		return fmt.Errorf("unread messages are lost: %w", errors.Join(err, b.close()))
	}
	c.data = data
	b.held += int64(len(data))
	if b.onDisk--; b.onDisk == 0 {
		b.end = 0
	}
	return nil
}

// close gives up the file.
func (b *backlog) close() error {
	b.chunks, b.held, b.onDisk, b.end = fifo[chunk]{}, 0, 0, 0
	if b.file == nil {
		return nil
	}
	name := b.file.Name()
	err := b.file.Close()
	b.file = nil
	os.Remove(name) // it is gone already where an open file can be removed
	return err
}

// tempFile makes a file that only this process can find.
func tempFile() (*os.File, error) {
	file, err := os.CreateTemp("", "ccwire-messages-")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name()) // fails on Windows, where close does it
	return file, nil
}

// frame decodes the line as the reader did.
func (r *record) frame() wire.Frame {
	if r.oversize {
		return wire.Unreadable(r.line, errOversize)
	}
	f, err := wire.Decode(r.line)
	if err != nil {
		return wire.Unreadable(r.line, err)
	}
	return f
}

// errOversize is the error of a line over the limit.
var errOversize = &codec.Error{Kind: codec.TooLong, Offset: -1}
