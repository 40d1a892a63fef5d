package probe

import (
	"bytes"
	"errors"
	"io"
)

const (
	// longestName is how long a name may be.
	longestName = 48
	// mostNames bounds how many names of a package are kept.
	mostNames = 200_000
	// lookBack is how much of what stands before a name is looked at.
	lookBack = 48
)

// names are strings of a package that may be names of the protocol.
type names struct {
	words map[string]bool // strings that are one word, and keys
	flags map[string]bool // declared options, with their dashes
	full  bool            // there were more
}

func newNames() *names { return &names{words: map[string]bool{}, flags: map[string]bool{}} }

// isName reports whether a byte may be part of a name.
func isName(c byte) bool { return nameBytes[c] }

var nameBytes = func() (is [256]bool) {
	for c := range is {
		is[c] = c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	return is
}()

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// scan adds the names in a stream. It keeps one block of the stream in memory.
func (n *names) scan(r io.Reader) error {
	buf := make([]byte, 1<<20)
	end := 0 // of what was read
	at := 0  // of what was not looked at yet
	for {
		read, err := io.ReadFull(r, buf[end:])
		end += read
		last := err != nil
		if last && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		stop := end
		if !last {
			stop -= longestName + 2 // a name that begins before is whole
		}
		at = n.block(buf[:end], at, stop)
		if last {
			return nil
		}
		keep := max(0, min(at, end)-lookBack)
		end = copy(buf, buf[keep:end])
		at -= keep
	}
}

// block looks at the names in b that begin from at on and before stop. It returns where to go on.
func (n *names) block(b []byte, at, stop int) int {
	for at < stop {
		if !isName(b[at]) {
			at++
			continue
		}
		end := at
		for end < len(b) && isName(b[end]) {
			end++
		}
		if at > 0 && !isName(b[at-1]) && end < len(b) && end-at <= longestName {
			n.word(b, at, end)
		}
		at = end
	}
	return at
}

// word adds b[from:to] if what is around it says that it is a name.
func (n *names) word(b []byte, from, to int) {
	before, word, after := b[from-1], b[from:to], b[to]
	switch {
	case len(n.words)+len(n.flags) >= mostNames:
		n.full = true
	case bytes.HasPrefix(word, []byte("--")):
		if len(word) > 3 && declares(b[max(0, from-lookBack):from]) {
			n.flags[string(word)] = true
		}
	case isQuote(before) && after == before, (before == ',' || before == '{') && after == ':':
		if !n.words[string(word)] {
			n.words[string(word)] = true
		}
	}
}

// declares reports whether what stands before a flag is the beginning of a declaration: the call
// of a method option or of a constructor, perhaps with a short flag before the long one.
func declares(before []byte) bool {
	if short := bytes.TrimSuffix(before, []byte(", ")); len(short) < len(before) {
		dash := bytes.LastIndexByte(short, '-')
		if dash < 0 || len(short)-dash > 4 {
			return false
		}
		before = short[:dash]
	}
	if len(before) < 2 || !isQuote(before[len(before)-1]) || before[len(before)-2] != '(' {
		return false
	}
	before = before[:len(before)-2]
	if bytes.HasSuffix(before, []byte("ption")) {
		return true
	}
	i := len(before)
	for i > 0 && (isName(before[i-1]) && before[i-1] != '-' || before[i-1] == '$') {
		i--
	}
	return i < len(before) && bytes.HasSuffix(before[:i], []byte("new "))
}
