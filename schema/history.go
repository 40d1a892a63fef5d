package schema

import "slices"

// History says since when a definition is seen, as part of a sentence, or that none was ever
// recorded; "" if nothing is known.
func (d *Definition) History() string {
	switch {
	case slices.Contains([]string{"declared", "recognised", "described"}, d.Evidence):
		return "never recorded"
	case d.Since != "":
		return "seen since " + d.Since
	}
	return ""
}

// MemberHistory says, of the value of a member, what sets the member apart from its definition, in
// a sentence; "" if nothing does.
func (n *Node) MemberHistory() string {
	switch {
	case n.Evidence != "" && !n.Legacy():
		return "Never recorded."
	case n.RequiredSince != "":
		return "Always written since " + n.RequiredSince + "."
	case n.Since != "":
		return "Seen since " + n.Since + "."
	}
	return ""
}
