package schema

import (
	"path"
	"slices"
)

// requestFolders are the folders that have a file for each subtype of a control request: what every
// SDK may use, and what only the hosts of a user interface or of a remote session do.
var requestFolders = []string{"control", "host"}

// IsRequest reports whether the definition is a control request of one subtype, which is the name
// of its file.
func (d *Definition) IsRequest() bool {
	return d.Pointer == "/$defs/Request" && slices.Contains(requestFolders, path.Dir(d.File))
}

// Request returns the definition of a control request, nil for a subtype that is unknown.
func (s *Set) Request(subtype string) *Definition { return s.ofSubtype(subtype, "Request") }

// Response returns the definition of what a successful answer to a control request holds. It is nil
// for a subtype that is unknown or whose answer says nothing.
func (s *Set) Response(subtype string) *Definition { return s.ofSubtype(subtype, "Response") }

func (s *Set) ofSubtype(subtype, name string) *Definition {
	for _, folder := range requestFolders {
		if d := s.Lookup(folder + "/" + subtype + ".json#/$defs/" + name); d != nil {
			return d
		}
	}
	return nil
}
