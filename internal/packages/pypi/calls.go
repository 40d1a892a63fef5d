package pypi

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

const callsHeading = `from typing import Any, Literal, overload

from .types import *

`

// sent returns the type of what a program sends, which has no unknown arms.
func sent(e *model.Expr) string {
	if e.Kind != model.Ref || e.Type.Union == nil {
		return annotation(e)
	}
	var arms []string
	for _, a := range e.Type.Union.Arms {
		if !a.Legacy && !a.Unknown {
			arms = append(arms, a.Type.Name)
		}
	}
	return strings.Join(arms, " | ")
}

// calls returns the types of what _calls.py has: which value goes with which name. They cost
// nothing at run time.
func calls(m *model.Model) []byte {
	var out bytes.Buffer
	out.WriteString(callsHeading)
	out.WriteString("class _Answers:\n")
	for _, r := range m.Requests {
		says := ""
		if r.Response != nil {
			says = ", response: " + sent(r.Response)
		}
		fmt.Fprintf(&out, "    def %s(self, request_id: str%s) -> ControlResponse: ...\n", r.Subtype, says)
	}
	out.WriteString("\nanswer: _Answers\n\ndef refuse(request_id: str, message: str) -> ControlResponse: ...\n")

	table := func(name, key string, rows func(row func(key, value string))) {
		row := func(k, value string) {
			fmt.Fprintf(&out, "@overload\ndef %s(%s: Literal[%s], value: Any) -> %s: ...\n", name, key, strconv.Quote(k), value)
		}
		rows(row)
		fmt.Fprintf(&out, "@overload\ndef %s(%s: str, value: Any) -> Any: ...\n", name, key)
	}
	table("response", "subtype", func(row func(key, value string)) {
		for _, r := range m.Requests {
			if r.Response != nil {
				row(r.Subtype, annotation(r.Response))
			}
		}
	})
	table("hook_output", "event", func(row func(key, value string)) {
		for _, h := range m.Hooks {
			if h.Output != nil {
				row(h.Event, h.Output.Name)
			}
		}
	})
	tools := func(name string, of func(*model.Tool) *model.Expr) {
		table(name, "tool", func(row func(key, value string)) {
			for _, t := range m.Tools {
				for _, key := range t.Names {
					if e := of(t); e != nil {
						row(key, annotation(e))
					}
				}
			}
		})
	}
	tools("tool_input", input)
	tools("tool_result", result)
	return out.Bytes()
}
