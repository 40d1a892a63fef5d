package sessions

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/object"
)

// A node is what is kept of an entry of the conversation while its transcript is read.
type node struct {
	kind      string
	uuid      string
	parent    string // the entry before, as the file says; "" for none
	link      string // the entry before, as compactions leave it
	time      string
	agent     string
	sidechain bool
	team      bool
	meta      bool
	summary   bool // of a compaction
	foreign   bool // somebody else than the user has said it, whom the user sees
	briefing  bool

	message string   // the id of the API's message
	uses    []string // the ids of tools that are used
	answers []string // the ids of tools whose results these are
	result  bool     // it has results of tools, and an entry before it
	source  string   // the entry that used the tool
	words   words
	queued  *queued
	kept    *kept

	at     int // its place in the file
	offset int64
	size   int
}

// words say what the text of a message of the user is.
type words uint8

const (
	caveat      words = iota + 1 // what comes before a command that the CLI serves itself
	record                       // such a command
	output                       // what it wrote
	interrupted                  // that the user stopped something
)

// kept is what a compaction leaves of the messages before it.
type kept struct {
	anchor     string
	uuids      []string // nil if head and tail say it
	head, tail string
}

// conversational are the types of entries that have a place in the conversation.
var conversational = []string{"user", "assistant", "progress", "system", "attachment"}

// newNode returns what is kept of an entry, nil if it has no place in the conversation.
func newNode(o object.Object) *node {
	kind, uuid := o.Text("type"), o.Text("uuid")
	if _, ok := o.Get("uuid").(string); !ok || !slices.Contains(conversational, kind) {
		return nil
	}
	n := &node{
		kind: kind, uuid: uuid, parent: o.Text("parentUuid"), time: o.Text("timestamp"), agent: o.Text("agentId"),
		sidechain: o.Bool("isSidechain"), team: o.Text("teamName") != "", meta: o.Bool("isMeta"), summary: o.Bool("isCompactSummary"),
		foreign: foreign(o.Object("origin")), source: o.Text("sourceToolAssistantUUID"),
	}
	n.link = n.parent
	message := o.Object("message")
	switch kind {
	case "assistant":
		n.message = message.Text("id")
		n.uses = blockIDs(message, "tool_use", "id")
	case "user":
		n.answers = blockIDs(message, "tool_result", "tool_use_id")
		n.result = n.parent != "" && hasBlock(message, "tool_result")
		n.words = wordsOf(o)
	case "attachment":
		attachment := o.Object("attachment")
		n.briefing = attachment.Text("type") == "fork_briefing"
		n.queued = newQueued(attachment)
	case "system":
		if o.Text("subtype") == "compact_boundary" {
			n.kept = newKept(o.Object("compactMetadata"))
		}
	}
	return n
}

// main reports whether a node can be where the conversation ends.
func (n *node) main() bool { return !n.sidechain && !n.team && n.kind != "progress" && !n.briefing }

func (n *node) speaks() bool { return n.kind == "user" || n.kind == "assistant" }

// sameWriter reports whether the same agent has written two entries.
func sameWriter(a, b *node) bool { return a.sidechain == b.sidechain && a.agent == b.agent }

func blockIDs(message object.Object, kind, member string) (ids []string) {
	for _, v := range message.List("content") {
		block, _ := v.(object.Object)
		if id, ok := block.Get(member).(string); ok && block.Text("type") == kind {
			ids = append(ids, id)
		}
	}
	return ids
}

func hasBlock(message object.Object, kind string) bool {
	return slices.ContainsFunc(message.List("content"), func(v any) bool {
		block, _ := v.(object.Object)
		return block.Text("type") == kind
	})
}

// wordsOf tells texts that the CLI keeps as messages of the user.
func wordsOf(o object.Object) words {
	texts, _ := said(o)
	if len(texts) == 0 {
		return 0
	}
	// A message of which every text says so is one of an interruption.
	stops := func(s string) bool {
		return strings.HasPrefix(s, "[Request interrupted") || strings.HasPrefix(s, "[Agent call interrupted") || strings.HasPrefix(s, "[Tool call ")
	}
	if !slices.ContainsFunc(texts, func(s string) bool { return !stops(s) }) {
		return interrupted
	}
	if o.Has("promptSource") {
		return 0
	}
	switch text := texts[len(texts)-1]; {
	case strings.HasPrefix(text, "<local-command-caveat>"):
		return caveat
	case strings.HasPrefix(text, "<command-name>"):
		return record
	case strings.HasPrefix(text, "<local-command-stdout>"), strings.HasPrefix(text, "<local-command-stderr>"):
		return output
	}
	return 0
}

// foreign reports whether what the CLI keeps as its own is shown because of where it came from.
func foreign(origin object.Object) bool {
	switch origin.Text("kind") {
	case "channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer":
		return true
	}
	return false
}

func newKept(metadata object.Object) *kept {
	if messages := metadata.Object("preservedMessages"); messages != nil {
		return &kept{anchor: messages.Text("anchorUuid"), uuids: texts(messages.List("uuids"))}
	}
	if segment := metadata.Object("preservedSegment"); segment != nil {
		return &kept{anchor: segment.Text("anchorUuid"), head: segment.Text("headUuid"), tail: segment.Text("tailUuid")}
	}
	return nil
}

// texts returns the elements of a list that are texts; it is never nil.
func texts(list []any) []string {
	all := []string{}
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// A graph has the nodes of a transcript.
type graph struct {
	all       []*node // in the order of the file
	nodes     []*node // each uuid once: the last that has it, where the first is
	by        map[string]*node
	delivered deliveries
	hidden    bool // the CLI keeps the session out of its history
}

// readGraph reads a transcript. Lines that are not entries are left out.
func readGraph(ctx context.Context, path string) (*graph, error) {
	g := &graph{by: map[string]*node{}}
	place := map[string]int{}
	err := scan(ctx, path, func(line codec.Line, o object.Object, err error) bool {
		if err != nil {
			return true
		}
		g.delivered.read(o)
		g.hidden = g.hidden || o.Text("type") == "history-suppression"
		n := newNode(o)
		if n == nil {
			return true
		}
		n.at, n.offset, n.size = len(g.all), line.Offset, int(line.Len)
		g.all = append(g.all, n)
		if i, ok := place[n.uuid]; ok {
			g.nodes[i] = n
		} else {
			place[n.uuid] = len(g.nodes)
			g.nodes = append(g.nodes, n)
		}
		g.by[n.uuid] = n
		return true
	})
	g.delivered.settle()
	return g, err
}
