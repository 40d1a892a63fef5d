package turn

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// suggestion is what the model is asked after a turn: what the user may say next.
type suggestion struct {
	mu     sync.Mutex // guards the fields below
	cancel context.CancelFunc
	ended  chan struct{} // closed when nothing more comes of the last one; nil if there was none
}

// The model is asked for a suggestion once the SDK had time to say something itself, and at the end
// of the input the answer is waited for.
const (
	suggestsAfter    = 20 * time.Millisecond
	suggestsAtTheEnd = 30 * time.Second
)

// suggestsUpTo is how many tokens of the last message may be new to the API.
const suggestsUpTo = 10_000

// suggest asks the model what the user may say next, if the SDK wants to know. It does not wait for
// the answer.
func (t *Turn) suggest(o Outcome) {
	s := t.stage
	wanted := s.Host.Suggestions() || s.Flags.Has("prompt-suggestions") && s.Flags.Value("prompt-suggestions") != "false"
	if !wanted || s.Place.Off("CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION") || s.Out.Release().Before("2.1.90") {
		return
	}
	messages, last := s.Main.Talk.Messages(), s.Main.Last
	if o.API != nil || o.Failure != nil || blocksSaid(messages) < 2 || s.Policy.Mode() == "plan" || last.Input+last.Output+last.CacheWrite > suggestsUpTo {
		return
	}
	s.dropSuggestion()
	ctx, cancel := context.WithCancel(s.Life.Context())
	ended := make(chan struct{})
	g := &s.suggestion
	g.mu.Lock()
	g.cancel, g.ended = cancel, ended
	g.mu.Unlock()
	s.Life.Go(func() { // ends with its context at the latest
		defer close(ended)
		defer cancel()
		if text := s.askForSuggestion(ctx, messages); text != "" && ctx.Err() == nil {
			s.Out.Tell("type", "prompt_suggestion", "suggestion", text)
		}
	})
}

// dropSuggestion ends the request for a suggestion, if one is made.
func (s *Stage) dropSuggestion() {
	g := &s.suggestion
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cancel != nil {
		g.cancel()
	}
}

// AwaitSuggestion waits for the suggestion that the model was asked for, at the end of the input.
func (s *Stage) AwaitSuggestion() {
	g := &s.suggestion
	g.mu.Lock()
	ended := g.ended
	g.mu.Unlock()
	if ended == nil {
		return
	}
	timer := time.NewTimer(suggestsAtTheEnd)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	case <-s.Life.Context().Done():
	}
}

// askForSuggestion returns what the model suggests, "" for nothing that a user would say.
func (s *Stage) askForSuggestion(ctx context.Context, messages []conversation.Message) string {
	timer := time.NewTimer(suggestsAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ""
	}
	model := s.ModelOf(s.Main)
	q := &fakeapi.Ask{Model: models.Asked(model), Tools: 20, System: s.systemPrompt()}
	request := fakeapi.SuggestionMark + ": What may the user say next? Answer with nothing else.]"
	conversation.Ask(q, append(messages, conversation.Message{Role: "user", Content: []any{object.Of("type", "text", "text", request)}}))
	m, err := s.Model.Ask(q).Whole(ctx)
	if err != nil {
		return ""
	}
	s.Spent.Spend(model, ledger.Read(m.Object("usage")))
	text := ""
	for _, v := range m.List("content") {
		b, _ := v.(object.Object)
		if strings.HasSuffix(b.Text("type"), "tool_use") {
			return ""
		}
		if b.Text("type") == "text" && text == "" {
			text = suggested(b.Text("text"))
		}
	}
	return text
}

// blocksSaid is how many blocks the model has said in a conversation.
func blocksSaid(messages []conversation.Message) (n int) {
	for _, m := range messages {
		if m.Role == "assistant" {
			n += len(m.Content)
		}
	}
	return n
}

// Shapes of suggestions: what is around the words, and what no user would say.
var (
	suggestionTag    = regexp.MustCompile(`(?is)^<(?:suggestion|response|output|answer|result)>(.*)</\w+>$`)
	suggestionLabel  = regexp.MustCompile(`(?i)^\s*(?:suggested\s+(?:response|reply|input|prompt)|suggestion|response|reply|answer|output|result)\s*:\s*`)
	suggestionBroken = regexp.MustCompile(`(?i)^(?:done|nothing found\.?|\W*silence\W*)$|^(?:nothing to suggest|no suggestion)|\bsilence is\b|\bstay(?:s|ing)? silent\b` +
		`|^(?:\(.*\)|\[.*\])$|^(?:api error:|prompt is too long|request timed out|invalid api key|image was too large)|^\w+:\s`)
	suggestionProse = regexp.MustCompile(`[\n*]|[.!?]\s+[A-Z]`)
	suggestionTaste = regexp.MustCompile(`(?i)thanks|thank you|looks good|sounds good|that works|that worked|that's all|nice|great|perfect|makes sense|awesome|excellent`)
	suggestionVoice = regexp.MustCompile(`(?i)^(?:let me|i'll|i've|i'm|i can|i would|i think|i notice|here's|here is|here are|that's|this is|this will|you can|you should|you could|sure,|of course|certainly)`)
)

// oneWord are the suggestions of a word.
var oneWord = strings.Fields("yes yeah yep yea yup sure ok okay push commit deploy stop continue check exit quit no")

// The longest suggestion.
const (
	suggestionWords = 12
	suggestionChars = 99
)

// suggested is the suggestion in an answer of the model, "" if a user would not say that.
func suggested(text string) string {
	text = strings.TrimSpace(text)
	if m := suggestionTag.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	text = strings.TrimSpace(suggestionLabel.ReplaceAllString(text, ""))
	words := len(strings.Fields(text))
	short := words < 2 && !strings.HasPrefix(text, "/") && !slices.Contains(oneWord, strings.ToLower(text))
	if short || words > suggestionWords || length(text) > suggestionChars {
		return ""
	}
	for _, wrong := range []*regexp.Regexp{suggestionBroken, suggestionProse, suggestionTaste, suggestionVoice} {
		if wrong.MatchString(text) {
			return ""
		}
	}
	return text
}
