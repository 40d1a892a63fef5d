package sim

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/flags"
)

// initializeFields are the members of initialize that --initialize-fields can name: the session is
// started with them as with the flag of the same name.
var initializeFields = []initializeField{
	{"settings", "a JSON object", func(r object.Object) (string, bool) {
		v, ok := r.Get("settings").(object.Object)
		return object.Text(v), ok
	}},
	{"disallowedTools", "an array of strings", func(r object.Object) (string, bool) {
		v, ok := r.Get("disallowedTools").([]any)
		texts := make([]string, len(v))
		for i := range v {
			text, isText := v[i].(string)
			texts[i], ok = text, ok && isText
		}
		return strings.Join(texts, ","), ok
	}},
}

type initializeField struct {
	name, kind string
	value      func(r object.Object) (value string, ok bool)
}

// initializeNames are the names that --initialize-fields lists.
func initializeNames(o *flags.Set) (names []string) {
	for _, value := range o.Values("initialize-fields") {
		names = append(names, strings.Split(value, ",")...)
	}
	return names
}

// startError says why a session cannot start.
type startError struct {
	text   string
	reason string // for an SDK
	code   int
}

// awaitInitialize reads the first line where the flags say that it is initialize, and takes of it
// what counts at the start only.
func (s *Session) awaitInitialize(set *flags.Set) *startError {
	fields := initializeNames(set)
	lacks := func(format string, args ...any) *startError {
		return &startError{fmt.Sprintf("Error: "+format, args...), "initialize_fields_not_delivered", 1}
	}
	if !set.Has("await-initialize") || !set.StreamInput() {
		if len(fields) > 0 {
			return lacks("--initialize-fields requires --await-initialize and --input-format=stream-json with stdin piped")
		}
		return nil
	}
	line, code := s.firstLine()
	if code != 0 {
		return &startError{code: code}
	}
	if len(line) == 0 {
		if len(fields) > 0 {
			return lacks("--initialize-fields: no usable initialize request was read")
		}
		return nil
	}
	v, err := object.Parse(line)
	o, _ := v.(object.Object)
	r := o.Object("request")
	if r.Text("subtype") != "initialize" {
		what := "a different message"
		if err != nil {
			what = "not valid JSON"
		}
		return &startError{"Error: --await-initialize requires the initialize control request as the first stdin line, and the first line is " + what + ".", "initialize_not_first", 1}
	}
	for _, field := range initializeFields {
		if !slices.Contains(fields, field.name) {
			continue
		}
		value, ok := field.value(r)
		switch {
		case set.Has(field.name):
			return lacks("--initialize-fields=%s cannot be used with --%[1]s.", field.name)
		case !ok:
			return lacks("--initialize-fields=%s requires initialize.%[1]s to be %s.", field.name, field.kind)
		}
		set.Add(field.name, value)
	}
	launch := object.Object{}
	keep := func(name string) {
		if r.Has(name) {
			launch.Set(name, r.Get(name))
		}
	}
	for _, name := range fields {
		keep(name)
	}
	if set.Has("managed-settings-in-initialize") {
		keep("managedSettings")
	}
	if mcp := r.Object("mcpServers"); len(mcp) > 0 && !s.release.Before("2.1.326") {
		keep("mcpServers")
		set.Add("mcp-config", object.Text(object.Of("mcpServers", mcp)))
	}
	for _, v := range r.List("plugins") {
		if plugin, ok := v.(object.Object); ok {
			set.Add("plugin-dir", plugin.Text("path"))
		}
	}
	s.host.Launch(launch)
	return nil
}

// firstLine reads the first line of the input, which stays there to be read again. The code is that
// of a signal that has come before it, or 0.
func (s *Session) firstLine() (line []byte, code int) {
	in := bufio.NewReader(s.Stdin)
	first := make(chan []byte, 1)
	go func() { // ends with the line or the input, or is left behind in the read
		var read []byte
		for len(read) < maxLine {
			part, err := in.ReadSlice('\n')
			read = append(read, part...)
			if err != nil && err != bufio.ErrBufferFull || err == nil && len(bytes.TrimSpace(read)) > 0 {
				break // what is wrong with the input shows again
			}
		}
		first <- read
	}()
	for {
		select {
		case line := <-first:
			s.Stdin = io.MultiReader(bytes.NewReader(line), in)
			return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))), 0
		case name := <-s.signal:
			switch name {
			case "KILL":
				return nil, -1
			case "TERM":
				return nil, 143
			case "INT":
				return nil, 130
			}
		case <-s.life.Context().Done():
			return nil, -1
		}
	}
}
