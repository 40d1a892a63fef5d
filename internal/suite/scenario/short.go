package scenario

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseShort reads the short forms of frequent steps. ok is false if the word is not one of them.
func parseShort(word, rest string) (ops []Op, ok bool, err error) {
	switch word {
	case "init":
		ops, err = shortInit(rest)
	case "user":
		ops, err = shortUser(rest)
	case "request":
		ops, err = named(rest, true, func(id, body string) (Op, error) {
			return newSend(fmt.Sprintf(`{"type":"control_request","request_id":%s,"request":%s}`, quote(id), body))
		})
	case "answer":
		ops, err = named(rest, true, func(name, body string) (Op, error) {
			return newSend(fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":"$ref:%s","response":%s}}`, name, body))
		})
	case "fail":
		ops, err = named(rest, true, func(name, text string) (Op, error) {
			return newSend(fmt.Sprintf(`{"type":"control_response","response":{"subtype":"error","request_id":"$ref:%s","error":%s}}`, name, text))
		})
	case "<ok":
		ops, err = named(rest, false, func(id, body string) (Op, error) {
			return expect(fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":%s%s}}`, quote(id), member("response", body)))
		})
	case "<error":
		ops, err = named(rest, false, func(id, body string) (Op, error) {
			return expect(fmt.Sprintf(`{"type":"control_response","response":{"subtype":"error","request_id":%s%s}}`, quote(id), member("error", body)))
		})
	case "<request":
		ops, err = named(rest, true, func(name, body string) (Op, error) {
			return expect(fmt.Sprintf(`{"type":"control_request","request_id":"$bind:%s","request":%s}`, name, body))
		})
	case "<cancel":
		ops, err = named(rest, false, func(name, rest string) (Op, error) {
			if rest != "" {
				return nil, noMore(rest)
			}
			return expect(fmt.Sprintf(`{"type":"control_cancel_request","request_id":"$ref:%s"}`, name))
		})
	case "<result":
		ops, err = shortResult(rest)
	default:
		return nil, false, nil
	}
	return ops, true, err
}

func expect(pattern string) (Op, error) {
	p, err := ParsePattern(pattern)
	return Expect{p}, err
}

// named reads "NAME BODY" and makes a step of it.
func named(rest string, body bool, f func(name, body string) (Op, error)) ([]Op, error) {
	name, text := cutWord(rest)
	if name == "" || strings.ContainsAny(name, `{"`) {
		return nil, errors.New("want a name")
	}
	if body && text == "" {
		return nil, errors.New("want JSON after the name")
	}
	op, err := f(name, text)
	return []Op{op}, err
}

func member(name, body string) string {
	if body == "" {
		return ""
	}
	return fmt.Sprintf(`,%q:%s`, name, body)
}

func quote(s string) string { return plainJSON(s) }

// shortInit sends initialize with the given members and waits for the reply.
func shortInit(rest string) ([]Op, error) {
	members := ""
	if rest != "" {
		inner := strings.TrimSpace(rest)
		if !strings.HasPrefix(inner, "{") || !strings.HasSuffix(inner, "}") {
			return nil, errors.New("want an object with the members of initialize")
		}
		if inner = strings.TrimSpace(inner[1 : len(inner)-1]); inner != "" {
			members = "," + inner
		}
	}
	send, err := newSend(`{"type":"control_request","request_id":"init","request":{"subtype":"initialize"` + members + `}}`)
	if err != nil {
		return nil, err
	}
	reply, err := expect(`{"type":"control_response","response":{"subtype":"success","request_id":"init"}}`)
	return []Op{send, reply}, err
}

func shortUser(rest string) ([]Op, error) {
	text, err := strconv.Unquote(rest)
	if err != nil {
		return nil, fmt.Errorf("want a quoted text: %w", err)
	}
	op, err := newSend(fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%s},"parent_tool_use_id":null,"session_id":""}`, quote(text)))
	return []Op{op}, err
}

// shortResult waits for the end of a turn: "<result {…}", or "<result" for a good one.
func shortResult(rest string) ([]Op, error) {
	if rest == "" {
		rest = `{"subtype":"success","is_error":false}`
	}
	inner := strings.TrimSpace(rest)
	if len(inner) < 2 || inner[0] != '{' {
		return nil, errors.New("want an object")
	}
	sep := ","
	if strings.TrimSpace(inner[1:len(inner)-1]) == "" {
		sep = ""
	}
	op, err := expect(`{"type":"result"` + sep + inner[1:])
	return []Op{op}, err
}
