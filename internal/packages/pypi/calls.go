package pypi

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/ccwire/ccwire/internal/packages/model"
)

const callsHeading = `from typing import Any, Literal, overload

from .types import *

`

// calls returns the types of what _calls.py has: which value goes with which name. They cost
// nothing at run time.
func calls(m *model.Model) []byte {
	var out bytes.Buffer
	out.WriteString(callsHeading)
	var silent []string
	for _, r := range m.Requests {
		if r.Response == nil {
			silent = append(silent, r.Subtype)
			continue
		}
		fmt.Fprintf(&out, "@overload\ndef success(request_id: str, subtype: Literal[%q], response: %s) -> ControlResponse: ...\n",
			r.Subtype, annotation(r.Response))
	}
	fmt.Fprintf(&out, "@overload\ndef success(request_id: str, subtype: %s) -> ControlResponse: ...\n", literal(silent))
	out.WriteString("def failure(request_id: str, message: str) -> ControlResponse: ...\n")

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
