package page_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/page"
)

func TestAnEntryHasItsMembersAndNeedsNothingElse(t *testing.T) {
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Set().Definitions() {
		html, err := page.Entry(d.Name())
		if err != nil {
			t.Fatalf("%s: %v", d.Name(), err)
		}
		if bad := regexp.MustCompile(`<script|<style|<img|<a |style=|href=|src=| on\w+=`).FindString(string(html)); bad != "" {
			t.Errorf("%s has %q", d.Name(), bad)
		}
		for _, member := range m.Entry(d.Name()).Members {
			if !strings.Contains(string(html), `<tr data-m="`+member.Name+`"><td><code>`+member.Name) {
				t.Errorf("%s has no member %s", d.Name(), member.Name)
			}
		}
	}
	if html, err := page.Entry("control/none.json#/$defs/Request"); html != "" || err != nil {
		t.Errorf("a definition that is not there: %q, %v", html, err)
	}
}

func TestARequestSaysWhatAnswerItWants(t *testing.T) {
	for name, want := range map[string][]string{
		"control/can_use_tool.json#/$defs/Request": {"The SDK answers", "permission/result.allow", "updatedInput", "permission/result.deny", "interrupt"},
		"control/interrupt.json#/$defs/Request":    {"The CLI answers"},
		"hook/PreToolUse.json#/$defs/Input":        {"<code>hookSpecificOutput</code>", "permissionDecision"},
		"message/assistant.json":                   nil,
	} {
		html, err := page.Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		_, answer, ok := strings.Cut(string(html), `<div class="answer">`)
		if ok != (want != nil) {
			t.Errorf("%s: an answer is wanted: %v", name, ok)
		}
		for _, text := range want {
			if !strings.Contains(answer, text) {
				t.Errorf("%s: the answer has no %s:\n%s", name, text, answer)
			}
		}
	}
}
