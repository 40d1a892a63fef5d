package sessions

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// queued is a prompt that came while the model was at work. It is kept as an attachment, and it is
// a message once the model was told it.
type queued struct {
	source   string // the uuid that the prompt had; "" for none
	delivery string
	hidden   bool // it is none of the user's
}

func newQueued(attachment object.Object) *queued {
	if attachment.Text("type") != "queued_command" {
		return nil
	}
	q := &queued{source: attachment.Text("source_uuid"), delivery: attachment.Text("delivery_id")}
	switch attachment.Get("prompt").(type) {
	case string, []any:
		q.hidden = attachment.Bool("isMeta") && !foreign(attachment.Object("origin"))
	default:
		q.hidden = true
	}
	return q
}

// key is the name of what the queue says about a prompt.
func (q *queued) key() string {
	switch {
	case q == nil:
		return ""
	case q.delivery != "":
		return "delivery:" + q.delivery
	case q.source != "":
		return "uuid:" + q.source
	}
	return ""
}

// deliveries are what the queue says about prompts that the model was told in a turn.
type deliveries struct {
	counts map[string]int
	copies map[string][sha256.Size]byte // of the first attachment of a source
	mixed  map[string]bool              // sources that different attachments have
	of     map[string][]string          // the attachments of a delivery, by their uuid
	told   map[string]bool              // those of them that the model was told
}

func (d *deliveries) read(o object.Object) {
	if d.counts == nil {
		*d = deliveries{map[string]int{}, map[string][sha256.Size]byte{}, map[string]bool{}, map[string][]string{}, map[string]bool{}}
	}
	switch o.Text("type") {
	case "queue-operation":
		if o.Text("operation") == "remove" && o.Text("reason") == "absorbed_mid_turn" {
			q := queued{delivery: o.Text("deliveryId"), source: o.Text("commandUuid")}
			d.counts[q.key()]++
		}
	case "attachment":
		q := newQueued(o.Object("attachment"))
		uuid := o.Text("uuid")
		switch {
		case q == nil:
		case q.delivery != "":
			if !slices.Contains(d.of[q.key()], uuid) {
				d.of[q.key()] = append(d.of[q.key()], uuid)
			}
		case q.source != "":
			sum := sha256.Sum256(object.Append(nil, o.Get("attachment")))
			switch before, ok := d.copies[q.source]; {
			case !ok:
				d.copies[q.source] = sum
			case before != sum:
				d.mixed[q.key()] = true
			}
		}
	}
}

// settle says which attachments of a delivery count: the last ones, as many as were told.
func (d *deliveries) settle() {
	for key := range d.mixed {
		delete(d.counts, key)
	}
	for key, uuids := range d.of {
		for _, uuid := range uuids[max(0, len(uuids)-d.counts[key]):] {
			d.told[uuid] = true
		}
	}
	delete(d.counts, "")
}

// tell returns, for the places of nodes about which the queue says something, whether the model was
// told them.
func (d *deliveries) tell(nodes []*node) map[int]bool {
	told := map[int]bool{}
	places := map[string][]int{}
	for i, n := range nodes {
		if key := n.queued.key(); d.counts[key] > 0 {
			places[key] = append(places[key], i)
		}
	}
	for key, list := range places {
		for j, i := range list {
			if nodes[i].queued.delivery != "" {
				told[i] = d.told[nodes[i].uuid]
			} else {
				told[i] = j >= len(list)-d.counts[key]
			}
		}
	}
	return told
}

// local returns the places of commands that the CLI has served itself, and of what they wrote.
func local(nodes []*node) map[int]bool {
	places := map[int]bool{}
	for i, n := range nodes {
		if n.kind != "user" || !n.meta || n.words != caveat {
			continue
		}
		recorded := false
	after:
		for j := i + 1; j < len(nodes); j++ {
			switch m := nodes[j]; {
			case m.kind == "assistant":
				break after
			case m.kind != "user" || m.meta:
				continue
			case m.words == record && !recorded:
				recorded = true
			case m.words != output || !recorded:
				break after
			}
			places[j] = true
		}
	}
	return places
}

// replied returns, for each place, whether what follows is of the model and not of the user.
func replied(nodes []*node) []bool {
	served := local(nodes)
	list := make([]bool, len(nodes))
	reply := false
	for i, n := range slices.Backward(nodes) {
		list[i] = reply
		switch {
		case n.kind == "assistant" || n.result || n.words == interrupted:
			reply = true
		case n.kind == "user" && !n.meta && !n.summary && !served[i]:
			reply = false
		}
	}
	return list
}

// A place in the conversation is an entry, as it is or as the prompt that it has queued.
type place struct {
	*node
	prompt bool
}

// prompts finds the queued prompts that are messages. Those from trailing on are of the end, where
// nothing follows them.
func (g *graph) prompts(nodes []*node, trailing int, all bool) []place {
	told := g.delivered.tell(nodes)
	follows := replied(nodes)
	taken := map[string]bool{}
	for _, n := range nodes {
		taken[n.uuid] = true
	}
	var list []place
	for i, n := range nodes {
		is, ok := told[i]
		if !ok {
			is = follows[i] || i >= trailing
		}
		p := place{node: n}
		if q := n.queued; is && q != nil && (all || !q.hidden) {
			uuid := cmp.Or(q.source, n.uuid)
			p.prompt = uuid == n.uuid || !taken[uuid]
			taken[uuid] = true
		}
		list = append(list, p)
	}
	return list
}

// after returns the queued prompts after the end of the conversation.
func (g *graph) after(chain []*node, leaf *node) []*node {
	children := map[string][]*node{}
	for _, n := range g.all {
		if n.speaks() {
			continue
		}
		for _, id := range slices.Compact([]string{n.parent, g.by[n.uuid].link}) {
			children[id] = append(children[id], n)
		}
	}
	seen := map[string]bool{}
	for _, n := range chain {
		seen[n.uuid] = true
	}
	elsewhere := g.elsewhere(seen)
	var found []*node
	var visit func(*node)
	visit = func(n *node) {
		next := slices.Clone(children[n.uuid])
		slices.SortStableFunc(next, func(a, b *node) int { return cmp.Compare(a.time, b.time) })
		for _, m := range next {
			if seen[m.uuid] {
				continue
			}
			seen[m.uuid] = true
			if m.queued != nil && !elsewhere[m.uuid] {
				found = append(found, m)
			}
			visit(m)
		}
	}
	visit(leaf)
	return found
}

// elsewhere returns the entries that lead to messages that are not in the conversation.
func (g *graph) elsewhere(on map[string]bool) map[string]bool {
	found := map[string]bool{}
	for _, n := range g.all {
		if !n.speaks() || n.sidechain || n.team || on[n.uuid] {
			continue
		}
		for m := g.by[n.parent]; m != nil && !on[m.uuid] && !found[m.uuid]; m = g.by[m.parent] {
			found[m.uuid] = true
		}
	}
	return found
}
