package turn

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// Mentions in a message: of a path, which may be in quotes and have a range of lines after it, or
// of an agent.
var (
	quotedMention = regexp.MustCompile(`(?:^|\s)@"([^"]+)"`)
	plainMention  = regexp.MustCompile(`(?:^|\s)@([^\s"]\S*)`)
	mentionLines  = regexp.MustCompile(`^([^#]+)(?:#L(\d+)(?:-(\d+))?)?(?:#[^#]*)?$`)
)

// mentioned tells the model of what a message mentions, or the text of the command that it is:
// files, which count as read, folders and agents. What is not there, or may not be read, is not
// told.
func (t *Turn) mentioned(p *queue.Prompt) (list []transcript.Attachment) {
	if p.Origin != nil || p.Verbatim {
		return nil
	}
	text, ok := t.commands[p]
	if !ok {
		text = p.Text()
	}
	paths, agents := mentionsOf(text)
	for _, path := range paths {
		if a, ok := t.mentionedPath(path); ok {
			list = append(list, a)
		}
	}
	for _, name := range agents {
		if !t.stage.hasAgent(name) {
			continue
		}
		text := fmt.Sprintf("The user has expressed a desire to invoke the agent %q. It is to be invoked as fits, with the context that it needs.", name)
		list = append(list, transcript.Reminder(text, "agent_mention", "agentType", name))
	}
	for _, a := range list {
		for _, text := range a.Rendered {
			t.stage.Main.Talk.Tell(text)
		}
	}
	return list
}

// mentionsOf returns the paths and the agents that a text mentions, each once.
func mentionsOf(text string) (paths, agents []string) {
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, m := range quotedMention.FindAllStringSubmatch(text, -1) {
		if name, ok := strings.CutSuffix(m[1], " (agent)"); ok {
			add(&agents, name)
		} else {
			add(&paths, m[1])
		}
	}
	for _, m := range plainMention.FindAllStringSubmatch(text, -1) {
		name := strings.TrimRightFunc(m[1], func(r rune) bool { // it ends with a word
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		if agent, ok := strings.CutPrefix(name, "agent-"); ok {
			add(&agents, agent)
		} else if name != "" {
			add(&paths, name)
		}
	}
	return paths, agents
}

// mentionedPath is what the model is told of a file or a folder.
func (t *Turn) mentionedPath(mention string) (transcript.Attachment, bool) {
	m := mentionLines.FindStringSubmatch(mention)
	if m == nil {
		return transcript.Attachment{}, false
	}
	path := m[1]
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.stage.Place.Cwd(), path)
	}
	shown, inside := t.stage.Place.Inside(path)
	if !inside {
		shown = path
	}
	if names, ok := t.stage.Tools.Listing(path); ok {
		content, ls := strings.Join(names, "\n"), "ls "+path
		return transcript.Attachment{
			What: object.Of("type", "directory", "path", path, "content", content, "displayPath", shown),
			Rendered: []string{"Called the Bash tool with the following input: " + object.Text(object.Of("command", ls, "description", "Lists files in "+path)),
				"Result of calling the Bash tool:\n" + content},
			Role: "user",
		}, true
	}
	in := object.Of("file_path", path)
	if first, err := strconv.Atoi(m[2]); err == nil {
		last := first
		if n, err := strconv.Atoi(m[3]); err == nil {
			last = n
		}
		in = in.With("offset", first, "limit", last-first+1)
	}
	use, text, ok := t.stage.Tools.Read(t.ctx, in)
	if !ok {
		return transcript.Attachment{}, false
	}
	return transcript.Attachment{
		What: object.Of("type", "file", "filename", path, "content", use, "displayPath", shown, "savedCopyFraming", object.Of("enveloped", false)),
		Rendered: []string{"Called the Read tool with the following input: " + object.Text(object.Of("file_path", path)),
			"Result of calling the Read tool:\n" + text},
		Role: "user",
	}, true
}

// hasAgent reports whether there is a type of subagents with a name.
func (s *Stage) hasAgent(name string) bool {
	return slices.ContainsFunc(s.Ext.AgentList(), func(v any) bool { o, _ := v.(object.Object); return o.Text("name") == name })
}
