package jsontext

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// PathAt returns the JSON pointer of the innermost value that holds the byte offset of a line; a
// member's name and the colon belong to the member's value, space and commas between values to the
// object or array around them. Where the text before the offset is broken, the path is that of the
// innermost value up to there. PathAt reads the line from its start: it is for reports, not for
// decoding.
func PathAt(line []byte, offset int) string {
	p := Paths{Line: line}
	return p.At(offset)
}

// Paths is PathAt for many offsets of a line. It walks over the line, token by token, without
// checking more than their order, and knows the path of the token it stands on. Offsets that mostly
// increase take little more than one walk together.
type Paths struct {
	Line []byte
	Most int // paths are shortened to about this length; 0 means that they are not

	from    int // the token that has been read last
	pos     int // its end
	begun   bool
	closing bool // the token is a closing bracket
	open    []container
	text    []byte // the path of the innermost container
}

// A container is an object or array that the walk is in.
type container struct {
	start int // offset of its bracket
	path  int // length of its own path, with which text begins
	array bool
	state walkState
	index int // of the current element
	name  int // offset of the current member's name
	colon int // after the name
}

// walkState is where in a container the walk is.
type walkState uint8

const (
	wantFirst walkState = iota // at its start, or after a comma
	wantColon                  // after a member's name
	wantValue                  // after the colon
	inValue                    // in a member's value, or in an element
	wantComma                  // after it
)

// At returns the path of the value at an offset.
func (p *Paths) At(target int) string {
	if target < p.from {
		p.back(target)
	}
	for p.pos <= target && p.step(target) {
	}
	return p.path()
}

// back returns to the start of the innermost container that begins at the target or before it.
func (p *Paths) back(target int) {
	n := len(p.open)
	for n > 0 && p.open[n-1].start > target {
		n--
	}
	p.open, p.closing = p.open[:n], false
	if n == 0 {
		p.from, p.pos, p.begun = 0, 0, false
		return
	}
	c := &p.open[n-1]
	*c = container{start: c.start, path: c.path, array: c.array}
	p.from, p.pos = c.start, c.start+1
}

// step reads the next token. It returns false if the token begins after the target, or if the text
// is broken there.
func (p *Paths) step(target int) bool {
	p.settle()
	i := p.pos
	for i < len(p.Line) && isSpace(p.Line[i]) {
		i++
	}
	if i > target || i >= len(p.Line) {
		return false
	}
	var top *container
	if n := len(p.open); n > 0 {
		top = &p.open[n-1]
	}
	end := i + 1
	switch c := p.Line[i]; c {
	case ',':
		if top == nil || top.state != wantComma {
			return false
		}
		top.state = wantFirst
		top.index++
	case ':':
		if top == nil || top.state != wantColon {
			return false
		}
		top.state = wantValue
	case '}', ']':
		if top == nil || top.array != (c == ']') || top.state != wantComma && top.state != wantFirst {
			return false
		}
		p.closing = true
	case '{', '[':
		if !p.enter(top) {
			return false
		}
		p.descend(top)
		p.open = append(p.open, container{start: i, path: len(p.text), array: c == '['})
	case '"':
		end = stringEnd(p.Line, i)
		if top != nil && !top.array && top.state == wantFirst {
			top.state, top.name, top.colon = wantColon, i, end
		} else if !p.enter(top) {
			return false
		}
	default:
		if !p.enter(top) {
			return false
		}
		for end < len(p.Line) && strings.IndexByte(",:\"{}[] \t\r\n", p.Line[end]) < 0 {
			end++
		}
	}
	p.from, p.pos = i, end
	return true
}

// enter begins a value, if one may stand here.
func (p *Paths) enter(top *container) bool {
	if top == nil {
		first := !p.begun
		p.begun = true
		return first
	}
	if top.state != wantValue && !(top.array && top.state == wantFirst) {
		return false
	}
	top.state = inValue
	return true
}

// settle ends the value whose last token has been read.
func (p *Paths) settle() {
	if p.closing {
		p.open = p.open[:len(p.open)-1]
		p.closing = false
		p.from = p.pos
	}
	if n := len(p.open); n > 0 && p.open[n-1].state == inValue {
		p.open[n-1].state = wantComma
		p.from = p.pos
	}
}

// descend makes text the path of the current value of the innermost container.
func (p *Paths) descend(top *container) {
	switch {
	case top == nil:
		p.text = p.text[:0]
	case top.state == wantFirst || top.state == wantComma:
		p.text = p.text[:top.path]
	case top.array:
		p.text = strconv.AppendInt(append(p.text[:top.path], '/'), int64(top.index), 10)
	default:
		p.text = append(append(p.text[:top.path], '/'), EscapePointer(p.nameAt(top.name, top.colon))...)
	}
}

func (p *Paths) path() string {
	if n := len(p.open); n > 0 {
		p.descend(&p.open[n-1])
	} else {
		p.text = p.text[:0]
	}
	if p.Most > 0 {
		return Shorten(p.text, p.Most)
	}
	return string(p.text)
}

// Shorten cuts the middle out of a path of more than most bytes.
func Shorten[T string | []byte](path T, most int) string {
	if len(path) <= most {
		return string(path)
	}
	head := strings.ToValidUTF8(string(path[:most/2]), "")
	tail := strings.ToValidUTF8(string(path[len(path)-most/2:]), "")
	return head + "..." + tail
}

// nameAt returns a member's name, as it stands in the line where it is broken.
func (p *Paths) nameAt(from, to int) string {
	text := p.Line[from:min(to, len(p.Line))]
	if s, ok := Text(text); ok {
		return s
	}
	return strings.ToValidUTF8(strings.Trim(string(text), `"`), "\ufffd")
}

// stringEnd returns the index after the string that begins at data[i], or a number past the end of
// data.
func stringEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		n := bytes.IndexAny(data[i:], `"\`)
		if n < 0 {
			break
		}
		if i += n; data[i] == '"' {
			return i + 1
		}
		i++ // what the backslash escapes
	}
	return math.MaxInt
}

// EscapePointer returns a member's name as a step of a JSON pointer.
func EscapePointer(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// UnescapePointer returns the member's name of a step.
func UnescapePointer(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}
