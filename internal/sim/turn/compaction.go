package turn

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// compaction is what a compaction leaves of a conversation.
type compaction struct {
	text   string   // that takes the place of what is not kept
	anchor string   // the uuid of its line
	rounds int      // how many of the last ones are kept
	kept   []string // the uuids of their lines
	tokens int      // of everything that is left
	files  []string // that were read or written

	searched []string // the tools that were searched for
}

// keptRounds is how many of the last rounds of a conversation are kept, if that need not be more.
func keptRounds(rounds int) int {
	if rounds > 2 {
		return 1
	}
	return 0
}

// The sizes of what the CLI itself writes into a conversation that was compacted: that of all it
// tells the model of the session, in tokens, and those of texts, in characters.
const (
	sessionTokens = 2345
	fileChars     = 202 // around a file that was read
	summaryChars  = 680 // around a summary
	titleChars    = 9   // before a summary in its element
	keptChars     = 223 // that say that the last rounds are kept
	lostChars     = 256 // that say that something was too large for the summary
)

// compact puts a summary in the place of what was said before the last rounds. If there are none
// what the user has asked last can be kept.
func (s *Stage) compact(summary string, rounds int, keepLast bool) *compaction {
	talk := &s.Main.Talk
	c := &compaction{anchor: ids.UUID(), rounds: rounds, kept: talk.Tail(rounds)}
	last, lastUUID := talk.Last(), talk.LastUUID()
	keepLast = keepLast && rounds == 0 && lastUUID != "" && !answersTools(last)
	tools, files := lookedAt(talk.Messages())
	c.files, c.searched = s.touched(talk.Messages()), s.Tools.Searched()
	c.text = summaryText(summary, tools)
	chars := summaryChars + len(s.Transcript.Path()) + length(inner(summary)) + len(strings.Join(tools, ", "))
	if strings.Contains(summary, "<summary>") {
		chars += titleChars
	}
	talk.Compact(c.anchor, object.Of("type", "text", "text", c.text), rounds)
	if keepLast {
		talk.Add(last.Role, last.Content...)
		talk.Line(lastUUID, "")
		c.kept = []string{lastUUID}
	}
	if len(c.kept) > 0 {
		chars += keptChars
	}
	c.tokens = sessionTokens + tokensIn(chars) + files
	if s.Out.Release().Before("2.1.328") {
		c.tokens -= 19
	}
	for _, m := range talk.Messages() {
		for _, b := range m.Content {
			c.tokens += tokensIn(length(blockText(b)))
		}
	}
	c.tokens -= tokensIn(length(c.text))
	return c
}

// metadata is the member compact_metadata of a compact_boundary.
func (c *compaction) metadata(trigger string, before, dropped int, began time.Time) object.Object {
	o := object.Of("trigger", trigger, "pre_tokens", before, "post_tokens", c.tokens, "cumulative_dropped_tokens", dropped,
		"duration_ms", time.Since(began).Milliseconds(), "pre_compact_discovered_tools", object.If(len(c.searched) > 0, c.searched))
	if n := len(c.kept); n > 0 {
		o.Set("preserved_segment", object.Of("head_uuid", c.kept[0], "anchor_uuid", c.anchor, "tail_uuid", c.kept[n-1]))
		o.Set("preserved_messages", object.Of("anchor_uuid", c.anchor, "uuids", c.kept, "all_uuids", c.kept))
	}
	return o
}

// parent is the uuid of the line before the compaction, if it is kept, and another if it is not.
func (c *compaction) parent(other string) string {
	if n := len(c.kept); n > 0 {
		return c.kept[n-1]
	}
	return other
}

// lookedAt returns the names of the tools that were used in messages, and how many tokens the files
// have that were read.
func lookedAt(messages []conversation.Message) (tools []string, tokens int) {
	used, reads := map[string]bool{}, map[string]string{}
	files := map[string]bool{}
	for _, m := range messages {
		for _, v := range m.Content {
			b, _ := v.(object.Object)
			switch name := b.Text("name"); b.Text("type") {
			case "tool_use":
				if !used[name] {
					used[name] = true
					tools = append(tools, name)
				}
				if name == "Read" {
					reads[b.Text("id")] = filepath.Clean(b.Object("input").Text("file_path"))
				}
			case "tool_result":
				if file := reads[b.Text("tool_use_id")]; file != "" && !files[file] && !b.Bool("is_error") {
					files[file] = true
					tokens += tokensIn(fileChars + length(blockText(b)))
				}
			}
		}
	}
	slices.Sort(tools)
	return tools, tokens
}

// touched returns the files that were read or written in messages.
func (s *Stage) touched(messages []conversation.Message) (files []string) {
	named := map[string]string{}
	for _, m := range messages {
		for _, v := range m.Content {
			b, _ := v.(object.Object)
			if path := b.Object("input").Text("file_path"); b.Text("type") == "tool_use" && path != "" {
				if !filepath.IsAbs(path) {
					path = filepath.Join(s.Place.Dir(), path)
				}
				named[b.Text("id")] = path
			}
			if path := named[b.Text("tool_use_id")]; path != "" && !b.Bool("is_error") && !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
	}
	return files
}

// answersTools reports whether a message has results of tools.
func answersTools(m conversation.Message) bool {
	for _, v := range m.Content {
		if b, _ := v.(object.Object); b.Text("type") == "tool_result" {
			return true
		}
	}
	return false
}

// blockText is what a block of a message says.
func blockText(v any) string {
	b, _ := v.(object.Object)
	switch b.Text("type") {
	case "tool_use":
		return b.Text("name") + object.Text(b.Get("input"))
	case "tool_result":
		if text, ok := b.Get("content").(string); ok {
			return text
		}
		return conversation.Text(b.List("content"))
	}
	return b.Text("text")
}

// length is the length of a text in characters.
func length(text string) int { return len([]rune(text)) }

// tokensIn is how many tokens a text of some characters has.
func tokensIn(chars int) int { return (chars + 2) / 4 }

// said is how many tokens a message has, without what the user does not see.
func said(m conversation.Message) (n int) {
	for _, b := range m.Content {
		if text := blockText(b); !strings.HasPrefix(text, "<system-reminder>") {
			n += tokensIn(length(text))
		}
	}
	return n
}
