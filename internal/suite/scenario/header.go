package scenario

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/transport/cli"
)

var headerLine = regexp.MustCompile(`^([a-z]+): *(.*)$`)

// parseComment splits the archive's comment into prose and header lines. The header is the last
// paragraph.
func (s *Scenario) parseComment(text string) error {
	text = strings.TrimSpace(text)
	prose, header := "", text
	if i := strings.LastIndex(text, "\n\n"); i >= 0 {
		prose, header = strings.TrimSpace(text[:i]), text[i+2:]
	}
	if prose == "" {
		return fmt.Errorf("no prose: say what must hold and why, then an empty line, then the header")
	}
	s.Prose = prose
	s.Title = firstSentence(prose)
	seen := map[string]bool{}
	for line := range strings.Lines(header) {
		line = strings.TrimSpace(line)
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("header line %q: want name: value", line)
		}
		if seen[m[1]] && m[1] != "env" && m[1] != "varies" {
			return fmt.Errorf("duplicate header %s", m[1])
		}
		seen[m[1]] = true
		if err := s.setHeader(m[1], m[2]); err != nil {
			return fmt.Errorf("header %s: %w", m[1], err)
		}
	}
	for _, name := range []string{"level", "since"} {
		if !seen[name] {
			return fmt.Errorf("header %s is missing", name)
		}
	}
	return nil
}

func (s *Scenario) setHeader(name, value string) (err error) {
	switch name {
	case "level":
		s.Level = Level(value)
		if s.Level != Required && s.Level != Recommended {
			err = fmt.Errorf("%q is neither required nor recommended", value)
		}
	case "role":
		if s.Role = value; value != "cli" {
			err = fmt.Errorf("unknown role %q", value)
		}
	case "since":
		s.Versions.Since, err = cli.ParseVersion(value)
	case "until":
		s.Versions.Until, err = cli.ParseVersion(value)
	case "args":
		s.Args, err = splitWords(value)
	case "bareargs":
		s.Bare = true
		s.Args, err = splitWords(value)
	case "earlier":
		s.Earlier, err = splitWords(value)
	case "env":
		words, werr := splitWords(value)
		if err = werr; err != nil {
			return err
		}
		for _, w := range words {
			k, v, ok := strings.Cut(w, "=")
			if !ok || k == "" {
				return fmt.Errorf("%q: want NAME=value", w)
			}
			s.Env[k] = v
		}
	case "catches":
		s.Catches = strings.Fields(value)
	case "timeout":
		s.Timeout, err = time.ParseDuration(value)
	case "varies":
		var v Variation
		v, err = parseVariation(value)
		s.Varies = append(s.Varies, v)
	default:
		err = fmt.Errorf("unknown header (level, role, since, until, args, bareargs, earlier, env, timeout, catches, varies)")
	}
	return err
}

// splitWords splits at spaces; a word in single quotes or back quotes is taken as it is, one in
// double quotes as Go reads it.
func splitWords(text string) (words []string, err error) {
	for text = strings.TrimLeft(text, " \t"); text != ""; text = strings.TrimLeft(text, " \t") {
		switch text[0] {
		case '"', '`':
			q, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("quoted word %s: %w", text, err)
			}
			w, err := strconv.Unquote(q)
			if err != nil {
				return nil, err
			}
			words, text = append(words, w), text[len(q):]
		case '\'':
			end := strings.IndexByte(text[1:], '\'')
			if end < 0 {
				return nil, fmt.Errorf("no closing quote in %s", text)
			}
			words, text = append(words, text[1:1+end]), text[end+2:]
		default:
			w := text
			if i := strings.IndexAny(text, " \t"); i >= 0 {
				w = text[:i]
			}
			words, text = append(words, w), text[len(w):]
		}
	}
	return words, nil
}

// firstSentence returns the first sentence of a text as one line.
func firstSentence(text string) string {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	line := strings.Join(strings.Fields(paragraph), " ")
	if i := strings.Index(line, ". "); i >= 0 {
		line = line[:i+1]
	}
	return line
}
