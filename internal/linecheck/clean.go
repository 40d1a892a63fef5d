package linecheck

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// strictly are the options of the decoder that stands in for the schemas.
var strictly = &codec.Options{Strict: true}

// clean reports whether there is nothing to say of a line. It asks the strict decoder, which takes
// a line exactly if the closed form of the schemas does and is many times faster. A line that is
// not clean may still be fine: the schemas tell.
func (c *Checker) clean(dir schema.Direction, line []byte) bool {
	if len(line) > schema.MaxSize {
		return false
	}
	frame, err := wire.DecodeFrame(line, strictly)
	if err != nil || !c.types[dir][frame.Type()] {
		return false
	}
	return !c.lint || !holdsContent(frame)
}

// holdsContent reports whether a frame has an opaque value of which the schemas say what it holds.
// The lint looks inside it, the decoder does not.
func holdsContent(f wire.Frame) bool {
	request, ok := f.(*wire.ControlRequest)
	if !ok {
		return false
	}
	_, ok = request.Request.(*wire.MCPMessageRequest)
	return ok
}

// typesOf returns the types of the lines that a direction has: those whose definition is the one
// that a line of either direction has, which the decoder knows.
func typesOf(set *schema.Set, dir schema.Direction) map[string]bool {
	known := definitionsByType(set, schema.Either)
	types := map[string]bool{}
	for name, definition := range definitionsByType(set, dir) {
		types[name] = definition == known[name]
	}
	return types
}

// definitionsByType returns the definition that the closed form has for each type of line.
func definitionsByType(set *schema.Set, dir schema.Direction) map[string]string {
	frame := set.Lookup(dir.Definition())
	union, _ := set.Union(frame.Node)
	byType := map[string]string{}
	for _, arm := range union.Arms {
		if tag := arm.Tag("type"); tag != nil && !arm.Unknown && !arm.Legacy {
			for _, name := range tag.Values {
				byType[name] = frame.OneOf[arm.Index].Ref
			}
		}
	}
	return byType
}
