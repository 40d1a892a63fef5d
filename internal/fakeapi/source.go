package fakeapi

import (
	"net/http"
	"strings"
)

// Source is where in the CLI a request comes from.
type Source string

const (
	// Main is the session's own conversation.
	Main Source = "main"
	// Subagent is the conversation of an agent that the session started. It is known by the CLI's
	// agent header, or, for a CLI that sends none, by its first text: the prompt of an Agent or
	// Task tool use of the script.
	Subagent Source = "subagent"
	// Helper is a call that the CLI makes for itself (a title, the paths in a command's output, a
	// web search): it offers the model no tool that the CLI would run, and is not sent as a
	// conversation, or says no more than "Warmup". What the user may say next, which some SDKs want
	// to know, is asked in a copy of the conversation: such a call is known by [SuggestionMark].
	Helper Source = "helper"
)

// agentHeader names the subagent that makes a request, in recent versions of the CLI.
const agentHeader = "X-Claude-Code-Agent-Id"

// warmup is the first text of calls that some versions make at start-up, to fill a cache.
const warmup = "Warmup"

// SuggestionMark opens the question what the user may say next.
const SuggestionMark = "[SUGGESTION MODE"

// source tells where a request comes from. prompts are those that started subagents.
func (c *call) source(h http.Header, prompts map[string]bool, noHelpers bool) Source {
	switch {
	case c.clientTools() == 0 && c.ContextManagement == nil && !noHelpers, c.firstUser().userText() == warmup,
		strings.HasPrefix(c.lastUser().userText(), SuggestionMark):
		return Helper
	case h.Get(agentHeader) != "", prompts[c.firstUser().userText()]:
		return Subagent
	}
	return Main
}
