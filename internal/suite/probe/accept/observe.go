package accept

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Seen is what came of one line: what the CLI wrote and asked its model after it.
type seen struct {
	values   map[string][]string // by the kind of the line and the path in it
	complain []string            // texts in which the CLI says that something is wrong
	refused  bool                // the reply to the request is an error
	answered bool                // what was waited for has come
	dead     bool                // the CLI has ended
	stuck    bool                // the CLI answers nothing more
}

func (s *seen) fine() bool { return s.answered && !s.refused && !s.dead && !s.stuck }

var (
	uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(toolu|msg|req)_[A-Za-z0-9_]+|accepts_\d+|\d{4}-\d\d-\d\dT[0-9:.]+Z|127\.0\.0\.1:\d+`)
	// complaints are how CLIs say that they cannot use what they got.
	complaints = regexp.MustCompile(`(?i)invalid|expected|zod|validation|callback_failed|must be|must map|malformed|not valid|no such tool|required`)
	// passing lines come at times of their own.
	passing = regexp.MustCompile(`^(keep_alive|system/(session_title_changed|commands_changed|thinking_tokens|background_tasks_changed|hook_\w+|control_request_progress)|transcript_mirror|tool_progress|rate_limit_event)$`)
)

// see adds a value and what is in it.
func (s *seen) see(path string, v any, paths *strings.Replacer) {
	switch v := v.(type) {
	case map[string]any:
		s.add(path, "object")
		for name, e := range v {
			s.see(path+"/"+uuids.ReplaceAllString(name, "ID"), e, paths)
		}
	case []any:
		s.add(path, "array of "+strconv.Itoa(len(v)))
		for _, e := range v {
			s.see(path+"/*", e, paths)
		}
	case string:
		s.add(path, uuids.ReplaceAllString(paths.Replace(v), "ID"))
	default:
		text, _ := json.Marshal(v) // it was JSON
		s.add(path, string(text))
	}
}

func (s *seen) add(path, value string) {
	if !slices.Contains(s.values[path], value) {
		s.values[path] = append(s.values[path], value)
	}
}

// line adds a line of the CLI.
func (s *seen) line(text []byte, paths *strings.Replacer) {
	var v map[string]any
	if json.Unmarshal(text, &v) != nil {
		return
	}
	kind, _ := v["type"].(string)
	body := v
	for _, name := range []string{"request", "response"} {
		if inner, ok := v[name].(map[string]any); ok {
			body = inner
		}
	}
	if sub, ok := body["subtype"].(string); ok {
		kind += "/" + sub
	}
	if passing.MatchString(kind) {
		return
	}
	s.see(kind, v, paths)
	if kind == "control_response/error" || kind == "control_request/hook_callback" || kind == "control_request/can_use_tool" {
		return
	}
	if kind == "result/success" || strings.HasPrefix(kind, "result/") {
		if v["is_error"] == true {
			s.complain = append(s.complain, "the turn ends with an error")
		}
		return
	}
	if kind == "user" || strings.HasPrefix(kind, "system/informational") || kind == "assistant" {
		s.complainOf(v["message"], paths)
		s.complainOf(v["content"], paths)
		s.complainOf(v["tag"], paths)
	}
}

func (s *seen) complainOf(v any, paths *strings.Replacer) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			s.complainOf(e, paths)
		}
	case []any:
		for _, e := range v {
			s.complainOf(e, paths)
		}
	case string:
		if complaints.MatchString(v) {
			s.complain = append(s.complain, uuids.ReplaceAllString(paths.Replace(v), "ID"))
		}
	}
}

// request adds a request to the model: all of it but the conversation before its last message.
func (s *seen) request(body []byte, whole bool, paths *strings.Replacer) {
	var v map[string]any
	if json.Unmarshal(body, &v) != nil {
		return
	}
	delete(v, "metadata")
	if messages, ok := v["messages"].([]any); ok && len(messages) > 0 && !whole {
		v["messages"] = messages[len(messages)-1:]
	}
	s.see("api", v, paths)
}

// differ lists the paths at which two plays differ.
func differ(a, b *seen) (paths []string) {
	all := maps.Clone(a.values)
	maps.Copy(all, b.values)
	for path := range all {
		if !sameSet(a.values[path], b.values[path]) {
			paths = append(paths, path)
		}
	}
	return paths
}

func sameSet(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, e := range a {
		if !slices.Contains(b, e) {
			return false
		}
	}
	return true
}

// same reports whether two plays do not differ but at volatile paths.
func same(a, b *seen, volatile map[string]bool) bool {
	return !slices.ContainsFunc(differ(a, b), func(path string) bool { return !volatile[path] })
}
