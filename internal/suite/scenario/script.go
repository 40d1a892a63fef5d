package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// parseScript reads the steps.
func parseScript(lines []Line) ([]Step, error) {
	var steps []Step
	var group *Unordered // the open <unordered group
	var groupStep Step
	for _, l := range lines {
		when, body, err := cutCondition(l.Text)
		if err != nil {
			return nil, l.Fail(err)
		}
		step := Step{Line: l.Number, Source: l.Text, When: when}
		word, rest := cutWord(body)
		switch {
		case word == "<unordered" && group == nil && rest == "":
			group, groupStep = &Unordered{}, step
			continue
		case word == "<end" && group != nil && rest == "":
			if len(group.Patterns) < 2 {
				return nil, l.Fail(errors.New("<unordered needs two patterns or more"))
			}
			groupStep.Op = *group
			steps, group = append(steps, groupStep), nil
			continue
		}
		ops, err := parseStep(word, rest)
		if err != nil {
			return nil, l.Fail(err)
		}
		if group != nil {
			for _, op := range ops {
				e, ok := op.(Expect)
				if !ok {
					return nil, l.Fail(errors.New("only < steps are allowed between <unordered and <end"))
				}
				group.Patterns = append(group.Patterns, Alternative{when, e.Pattern})
			}
			continue
		}
		for _, op := range ops {
			step.Op = op
			steps = append(steps, step)
		}
	}
	if group != nil {
		return nil, &Error{Line: groupStep.Line, Err: errors.New("<unordered without <end")}
	}
	return steps, nil
}

// parseStep reads one step. A short form may stand for several.
func parseStep(word, rest string) ([]Op, error) {
	if ops, ok, err := parseShort(word, rest); ok {
		return ops, err
	}
	op, err := parseOp(word, rest)
	return []Op{op}, err
}

func parseOp(word, rest string) (Op, error) {
	switch word {
	case ">":
		return newSend(rest)
	case ">raw":
		s, err := strconv.Unquote(rest)
		if err != nil {
			return nil, fmt.Errorf("want a quoted text: %w", err)
		}
		s, err = repeat(s)
		return SendRaw{[]byte(s)}, err
	case "<":
		p, err := ParsePattern(rest)
		return Expect{p}, err
	case "<not":
		p, err := ParsePattern(rest)
		return Not{p}, err
	case "<never":
		p, err := ParsePattern(rest)
		return Never{p}, err
	case "<none":
		return parseNone(rest)
	case "<again":
		if rest == "" {
			return nil, errors.New("want the id of a request")
		}
		return Again{rest}, nil
	case "auto":
		r, err := parseRule(rest)
		return Auto{r}, err
	case "eof":
		return EOF{}, noMore(rest)
	case "signal":
		if rest != "INT" && rest != "TERM" && rest != "KILL" {
			return nil, fmt.Errorf("unknown signal %q (INT, TERM, KILL)", rest)
		}
		return Signal{rest}, nil
	case "touch":
		if !filepath.IsLocal(rest) || filepath.Base(rest) != rest || rest == "." {
			return nil, fmt.Errorf("%q: want the name of a file in the working directory", rest)
		}
		return Touch{rest}, nil
	case "exit":
		if rest == "any" {
			return Exit{Any: true}, nil
		}
		n, err := strconv.Atoi(rest)
		return Exit{Code: n}, err
	case "stderr":
		s, err := strconv.Unquote(rest)
		if err != nil {
			return nil, fmt.Errorf("want a quoted regular expression: %w", err)
		}
		re, err := regexp.Compile(s)
		return Stderr{re}, err
	case "api":
		return parseAPI(rest)
	}
	return nil, fmt.Errorf("unknown step %q", word)
}

func noMore(rest string) error {
	if rest != "" {
		return fmt.Errorf("unexpected %q", rest)
	}
	return nil
}

func newSend(text string) (Op, error) {
	if !json.Valid([]byte(text)) {
		return nil, errors.New("not JSON (use >raw for a line that is not)")
	}
	return Send{text}, nil
}

func parseNone(rest string) (Op, error) {
	word, rest := cutWord(rest)
	d, err := time.ParseDuration(word)
	if err != nil || rest == "" {
		return None{For: d}, err
	}
	p, err := ParsePattern(rest)
	return None{For: d, Pattern: p}, err
}

func parseAPI(rest string) (Op, error) {
	word, rest := cutWord(rest)
	if word == "total" {
		n, err := strconv.Atoi(rest)
		return APITotal{n}, err
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("%q: want the number of a request, from 1, or total N", word)
	}
	if rest == "" {
		return API{N: n}, nil
	}
	p, err := ParsePattern(rest)
	return API{N: n, Pattern: p}, err
}

func parseRule(rest string) (Rule, error) {
	if strings.HasPrefix(rest, "{") {
		want, answer, ok := strings.Cut(rest, " => ")
		if !ok {
			return nil, errors.New("want PATTERN => RESPONSE")
		}
		p, err := ParsePattern(want)
		if err == nil && !json.Valid([]byte(answer)) {
			err = errors.New("the response is not JSON")
		}
		return AnswerWith{p, answer}, err
	}
	word, rest := cutWord(rest)
	switch word {
	case "allow":
		return AllowTools{}, noMore(rest)
	case "mcp":
		name, rest := cutWord(rest)
		if name == "" {
			return nil, errors.New("want the name of the server")
		}
		o, err := parseMCPOptions(rest)
		return ServeMCP{name, o}, err
	}
	return nil, fmt.Errorf("unknown rule %q (allow, mcp, PATTERN => RESPONSE)", word)
}
