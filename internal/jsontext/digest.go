package jsontext

import "math/bits"

// What a Digest keeps.
const (
	maxDigestText    = 128 // bytes of a name or a value, as written
	maxDigestMembers = 64  // members of a level
	maxDigestTries   = 256 // members of a level that are looked at
)

// A Digest collects the members of an object that have short strings as values, and those of the
// objects right inside it, from text that nobody holds: it is written in pieces, and may be broken
// or cut off anywhere. It takes time in proportion to the text, and a bounded amount of memory. The
// zero value is ready to use.
//
// Strings are found by their quotes and backslashes alone, and every closing bracket closes. What
// is kept is valid; of duplicate members it is the first.
type Digest struct {
	members []digestMember
	kept    [3]int // how many of each level, 1 and 2
	tried   [3]int

	state digestState
	depth int
	key   bool // the next string is a name

	inString, escaped, capture bool

	text [maxDigestText + 1]byte // of the string that is captured, and its quote
	size int                     // of the text, more than maxDigestText if it is too long

	level [3]digestLevel
}

// digestState says whether a Digest has seen its object.
type digestState uint8

const (
	beforeObject digestState = iota
	inObject
	behindObject // or the text is not an object
)

// A digestLevel is the object that the text is in at a depth, and its current member.
type digestLevel struct {
	object bool // not an array, and its members are kept
	named  bool // its current member has a name that is kept
	size   int
	name   [maxDigestText]byte
}

func (l *digestLevel) current() []byte { return l.name[:l.size] }

// A digestMember is a member that is kept; in is the member whose object has it, at level 2.
type digestMember struct {
	level           int
	in, name, value string
}

// Write takes the next piece of the text.
func (d *Digest) Write(p []byte) {
	for len(p) > 0 && d.state != behindObject {
		switch {
		case d.state == beforeObject:
			p = d.begin(p)
		case d.inString:
			p = d.inside(p)
		default:
			p = d.outside(p)
		}
	}
}

// begin looks for the brace that the text must begin with, after space and a byte-order mark. It
// returns the rest, as the next two do.
func (d *Digest) begin(p []byte) []byte {
	for i, c := range p {
		switch {
		case c == '{':
			d.state, d.depth, d.key = inObject, 1, true
			d.level[1].object = true
			return p[i+1:]
		case !isSpace(c) && c != 0xef && c != 0xbb && c != 0xbf:
			d.state = behindObject
			return nil
		}
	}
	return nil
}

// structural are the bytes outside strings that mean something.
var structural = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true, ',': true, ':': true}

// outside reads up to the next string.
func (d *Digest) outside(p []byte) []byte {
	for i := 0; i < len(p); i++ {
		c := p[i]
		if !structural[c] {
			continue
		}
		switch c {
		case '"':
			if d.capture = d.depth <= 2 && d.wants(&d.level[d.depth]); !d.capture {
				end := i + 1
				for end < len(p) && p[end] != '"' && p[end] != '\\' && end < i+16 {
					end++
				}
				if end < len(p) && p[end] == '"' { // a short string of no interest
					i = end
					continue
				}
			}
			d.inString, d.size = true, 0
			return p[i+1:]
		case '{', '[':
			if d.depth++; d.depth == 2 {
				d.enter(c == '{')
			}
		case '}', ']':
			if d.depth--; d.depth == 0 {
				d.state = behindObject
				return nil
			}
			d.next(false)
		case ',':
			d.next(true)
		case ':':
			d.key = false
		}
	}
	return nil
}

// wants reports whether the string that begins is a name, or the value of a name that is kept.
func (d *Digest) wants(l *digestLevel) bool {
	return l.object && (l.named || d.key && d.tried[d.depth] < maxDigestTries)
}

// enter begins level 2.
func (d *Digest) enter(object bool) {
	outer, l := &d.level[1], &d.level[2]
	l.object = object && outer.named && d.kept[2] < maxDigestMembers && !d.has(1, nil, outer.current())
	l.named, d.key = false, true
}

// next ends a value. After a comma, the next string is a name.
func (d *Digest) next(comma bool) {
	if d.depth <= 2 {
		d.level[d.depth].named, d.key = false, comma
	}
}

// inside reads the string up to its end.
func (d *Digest) inside(p []byte) []byte {
	i := 0
	for i < len(p) {
		if d.escaped {
			d.escaped = false
			i++
			continue
		}
		i += plainBytes(p[i:])
		if i >= len(p) {
			break
		}
		if p[i] == '"' {
			d.inString = false
			if d.capture {
				d.keep(p[:i])
				d.end()
			}
			return p[i+1:]
		}
		d.escaped = true
		i++
	}
	if d.capture {
		d.keep(p)
	}
	return nil
}

// plainBytes returns how many bytes come before the first quote or backslash.
func plainBytes(p []byte) int {
	i := 0
	for i+8 <= len(p) {
		x := Load8(p, i)
		if m := zeros(x^'"'*ones) | zeros(x^'\\'*ones); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(p) && p[i] != '"' && p[i] != '\\' {
		i++
	}
	return i
}

// keep adds a piece to the string that is captured.
func (d *Digest) keep(piece []byte) {
	if d.size+len(piece) <= maxDigestText {
		copy(d.text[d.size:], piece)
	}
	d.size = min(d.size+len(piece), maxDigestText+1)
}

// end takes the string that has been captured for the name or the value of a member.
func (d *Digest) end() {
	l := &d.level[d.depth]
	ok := d.size <= maxDigestText
	if ok {
		d.text[d.size] = '"'
		_, _, fault := ScanString(d.text[:d.size+1], 0)
		ok = fault == 0
	}
	if !d.key {
		if ok {
			d.add(d.depth)
		}
		l.named = false
		return
	}
	d.tried[d.depth]++
	if l.named = ok; ok {
		l.size = copy(l.name[:], d.value())
	}
}

// value returns the text of the string that has been captured and has no fault.
func (d *Digest) value() []byte {
	text, _, _ := ReadText(nil, d.text[:d.size+1], 0)
	return text
}

// add keeps the current member of a level, whose value has been captured.
func (d *Digest) add(level int) {
	var in []byte
	if level == 2 {
		in = d.level[1].current()
	}
	name := d.level[level].current()
	if d.kept[level] < maxDigestMembers && !d.has(level, in, name) {
		d.kept[level]++
		d.members = append(d.members, digestMember{level, string(in), string(name), string(d.value())})
	}
}

// has reports whether there is a member of the name: at level 1, or in the object of that name.
func (d *Digest) has(level int, in, name []byte) bool {
	for i := range d.members {
		m := &d.members[i]
		switch {
		case m.level == level && m.in == string(in) && m.name == string(name):
			return true
		case m.level == 2 && level == 1 && m.in == string(name):
			return true
		}
	}
	return false
}

// JSON returns the members as an object, in their order; nil if the text does not begin as one.
func (d *Digest) JSON() []byte {
	if !d.level[1].object {
		return nil
	}
	out := []byte{'{'}
	level := 1
	for i := range d.members {
		m := &d.members[i]
		if level == 2 && (m.level == 1 || m.in != d.members[i-1].in) {
			out, level = append(out, '}'), 1
		}
		if i > 0 && (level == 1 || d.members[i-1].level == 2) {
			out = append(out, ',')
		}
		if m.level > level {
			out, _ = AppendString(out, m.in)
			out, level = append(out, ':', '{'), 2
		}
		out, _ = AppendString(out, m.name)
		out, _ = AppendString(append(out, ':'), m.value)
	}
	if level == 2 {
		out = append(out, '}')
	}
	return append(out, '}')
}
