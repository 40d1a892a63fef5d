package codec

// A Scan moves over a line of a form that is known beforehand. Generated code
// tries the line of which a stream has the most this way, and reads it member
// by member when it turns out to be another. A Scan changes nothing but itself,
// so that a wrong guess costs little.
type Scan struct {
	line  []byte
	pos   int
	room  []byte // strings are copied to its end
	alias bool
}

// A Text is a string in a line that a Scan has moved past.
type Text struct {
	body  []byte
	plain bool // without escapes
}

// Len returns how much memory the string may need.
func (t Text) Len() int { return len(t.body) }

// NewScan returns a Scan of the line, and whether the options allow a value
// that nests to the depth.
func NewScan(line []byte, o *Options, depth int) (s Scan, ok bool) {
	if o == nil {
		return Scan{line: line}, true
	}
	return Scan{line: line, alias: o.Alias}, o.MaxDepth <= 0 || depth <= o.MaxDepth
}

// Take moves past the next n bytes and returns them, nil if there are fewer.
func (s *Scan) Take(n int) []byte {
	if len(s.line)-s.pos < n {
		return nil
	}
	b := s.line[s.pos : s.pos+n]
	s.pos += n
	return b
}

// AtEnd reports whether the whole line has been read.
func (s *Scan) AtEnd() bool { return s.pos == len(s.line) }

// Int64 moves past an integer that is written as a few digits.
func (s *Scan) Int64(n *int64) bool {
	rest := s.line[s.pos:]
	var v int64
	i := 0
	for i < len(rest) && i < 18 && '0' <= rest[i] && rest[i] <= '9' {
		v = v*10 + int64(rest[i]-'0')
		i++
	}
	if i == 0 || rest[0] == '0' && i > 1 {
		return false
	}
	s.pos += i
	*n = v
	return true
}

// Text moves to the quote that ends the string whose text begins at the
// position.
func (s *Scan) Text(t *Text) bool {
	end, plain, fault := scanText(s.line, s.pos)
	if fault != nil {
		return false
	}
	t.body, t.plain = s.line[s.pos:end], plain
	s.pos = end
	return true
}

// UUID is Text for a string of 36 plain characters.
func (s *Scan) UUID(t *Text) bool {
	const size = 36
	rest := s.line[s.pos:]
	if len(rest) <= size || rest[size] != '"' ||
		special(load8(rest, 0))|special(load8(rest, 8))|special(load8(rest, 16))|special(load8(rest, 24))|special(load8(rest, size-8)) != 0 {
		return false
	}
	t.body, t.plain = rest[:size], true
	s.pos += size
	return true
}

// Repeated is Text for a string that is likely to be the same as on the lines
// before; see [Decoder.Repeated].
func (s *Scan) Repeated(p *string, d *Decoder, slot int) bool {
	memo := &d.memo[slot&7]
	m := *memo
	if rest := s.line[s.pos:]; m != "" && len(rest) > len(m) && rest[len(m)] == '"' && string(rest[:len(m)]) == m {
		s.pos += len(m)
		*p = m
		return true
	}
	var t Text
	if !s.Text(&t) || !t.plain || len(t.body) > maxRepeated {
		return false
	}
	*memo = string(t.body)
	*p = *memo
	return true
}

// Lend gives the Scan memory for the strings that Keep returns.
func (s *Scan) Lend(room []byte) { s.room = room[:0] }

// Keep returns the string, by the options' choice copied or in the line.
func (s *Scan) Keep(t Text) string {
	switch n := len(t.body); {
	case n == 0:
		return ""
	case t.plain && s.alias:
		return sharedString(t.body)
	case n > cap(s.room)-len(s.room):
		if t.plain {
			return string(t.body)
		}
		return sharedString(unescape(make([]byte, 0, n), t.body))
	}
	from := len(s.room)
	if t.plain {
		s.room = append(s.room, t.body...)
	} else {
		s.room = unescape(s.room, t.body)
	}
	return sharedString(s.room[from:])
}
