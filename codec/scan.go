package codec

import "bytes"

// A Scan moves over a line of a form that is known beforehand. Generated code
// reads the first of the lines that fit a [Mold] this way.
type Scan struct {
	line []byte
	pos  int
}

// NewScan returns a Scan of the line.
func NewScan(line []byte) Scan { return Scan{line: line} }

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
	t.from, t.to, t.plain = s.pos, end, plain
	s.pos = end
	return true
}

// UUID is Text for a string of 36 plain characters.
func (s *Scan) UUID(t *Text) bool {
	rest := s.line[s.pos:]
	if len(rest) <= uuidSize || rest[uuidSize] != '"' || !plainUUID(rest) {
		return false
	}
	t.from, t.to, t.plain = s.pos, s.pos+uuidSize, true
	s.pos += uuidSize
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
	if !s.Text(&t) || !t.plain || t.Len() > maxRepeated {
		return false
	}
	*memo = string(s.line[t.from:t.to])
	*p = *memo
	return true
}

// Optional is Repeated for a member that may be missing. It is there if the text
// before its value comes next.
func (s *Scan) Optional(p *string, has *bool, before string, d *Decoder, slot int) bool {
	*has = bytes.HasPrefix(s.line[s.pos:], []byte(before))
	if !*has {
		return true
	}
	s.pos += len(before)
	return s.Repeated(p, d, slot)
}
