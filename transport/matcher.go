package transport

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkMatcher says why a hook's matcher is no pattern. The CLI takes such a matcher for one that
// matches nothing, and runs without the hook.
func checkMatcher(matcher string) error {
	if matcher == "*" { // all, like the empty one
		return nil
	}
	c := patternCheck{rest: matcher}
	for c.rest != "" {
		if err := c.term(); err != nil {
			return err
		}
	}
	if len(c.groups) > 0 {
		return errors.New("a group is not closed")
	}
	return nil
}

// patternCheck reads a regular expression of JavaScript, without flags. It does not check the names
// of groups and references to them.
type patternCheck struct {
	rest       string
	repeatable bool   // what was read last can be repeated
	groups     []bool // the open groups, and whether each can be repeated
}

// groupStarts are the beginnings of groups that are more than a parenthesis. All CLIs know them;
// flags for a part of the pattern, such as (?i:, are not among them.
var groupStarts = []struct {
	text       string
	repeatable bool
}{
	{"(?:", true}, {"(?=", true}, {"(?!", true}, {"(?<=", false}, {"(?<!", false},
}

var (
	groupName = regexp.MustCompile(`^\(\?<[\pL_$][\pL\pN_$]*>`)
	counts    = regexp.MustCompile(`^\{([0-9]+)(?:,([0-9]*))?\}`)
)

// term reads one part of the pattern.
func (c *patternCheck) term() error {
	switch c.rest[0] {
	case '\\':
		return c.escape()
	case '[':
		c.repeatable = true
		return c.class()
	case '(':
		return c.open()
	case ')':
		if len(c.groups) == 0 {
			return errors.New("a ) has no (")
		}
		last := len(c.groups) - 1
		c.repeatable, c.groups = c.groups[last], c.groups[:last]
		c.rest = c.rest[1:]
	case '*', '+', '?':
		return c.repeat(c.rest[:1])
	case '{':
		if m := counts.FindStringSubmatch(c.rest); m != nil {
			least, most := number(m[1]), number(m[2])
			if m[2] != "" && most < least {
				return fmt.Errorf("the numbers of %s are out of order", m[0])
			}
			return c.repeat(m[0])
		}
		c.literal() // a brace
	case '^', '$', '|':
		c.repeatable = false
		c.rest = c.rest[1:]
	default:
		c.literal()
	}
	return nil
}

// number is for comparisons: one that is too large counts as the largest.
func number(digits string) uint64 {
	n, _ := strconv.ParseUint(digits, 10, 64)
	return n
}

func (c *patternCheck) literal() {
	_, size := utf8.DecodeRuneInString(c.rest)
	c.rest, c.repeatable = c.rest[size:], true
}

func (c *patternCheck) escape() error {
	if len(c.rest) == 1 {
		return errors.New("it ends with a backslash")
	}
	boundary := c.rest[1] == 'b' || c.rest[1] == 'B'
	c.rest = c.rest[1:]
	c.literal()
	c.repeatable = !boundary
	return nil
}

func (c *patternCheck) repeat(operator string) error {
	if !c.repeatable {
		return fmt.Errorf("%s has nothing to repeat", operator)
	}
	c.repeatable = false
	c.rest = strings.TrimPrefix(c.rest[len(operator):], "?")
	return nil
}

func (c *patternCheck) open() error {
	if !strings.HasPrefix(c.rest, "(?") {
		c.enter("(", true)
		return nil
	}
	for _, start := range groupStarts {
		if strings.HasPrefix(c.rest, start.text) {
			c.enter(start.text, start.repeatable)
			return nil
		}
	}
	if start := groupName.FindString(c.rest); start != "" {
		c.enter(start, true)
		return nil
	}
	return fmt.Errorf("%.4s is not the start of a group in JavaScript", c.rest)
}

func (c *patternCheck) enter(start string, repeatable bool) {
	c.rest = c.rest[len(start):]
	c.groups = append(c.groups, repeatable)
	c.repeatable = false
}

// class reads a set of characters, such as [^a-z\d].
func (c *patternCheck) class() error {
	rest := strings.TrimPrefix(c.rest[1:], "^")
	low, inRange := rune(-1), false // of what may be a range
	for rest != "" && rest[0] != ']' {
		char, size := utf8.DecodeRuneInString(rest)
		switch {
		case char == '\\' && len(rest) == 1:
			return errors.New("it ends with a backslash")
		case char == '\\':
			_, escaped := utf8.DecodeRuneInString(rest[1:])
			size += escaped
			low, inRange = -1, false // which character it is does not matter here
		case char == '-' && low >= 0 && !inRange && len(rest) > 1 && rest[1] != ']':
			inRange = true
		case inRange && char < low:
			return fmt.Errorf("the range %c-%c is out of order", low, char)
		case inRange:
			low, inRange = -1, false
		default:
			low = char
		}
		rest = rest[size:]
	}
	if rest == "" {
		return errors.New("a [ is not closed")
	}
	c.rest = rest[1:]
	return nil
}
