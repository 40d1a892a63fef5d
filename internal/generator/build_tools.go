package generator

import (
	"slices"

	"github.com/ccwire/ccwire/schema"
)

// tools adds the built-in tools, and tells structs which of their members are of tools. It does
// nothing for a subset without tools.
func (b *builder) tools(p *program) error {
	for _, d := range b.set.Definitions() {
		if d.Tool == nil || !b.has(d) {
			continue
		}
		i := slices.IndexFunc(p.tools, func(t *tool) bool { return t.names[0] == d.Tool[0] })
		if i < 0 {
			i = len(p.tools)
			p.tools = append(p.tools, &tool{names: d.Tool})
		}
		name, err := b.names.Definition(d)
		if err != nil {
			return err
		}
		if defName(d) == "Input" {
			p.tools[i].input = name
		} else {
			p.tools[i].result = name
		}
	}
	if p.typedTools = p.tools != nil || b.input.choice.Tools; !p.typedTools {
		return nil
	}
	for _, s := range b.structs {
		for _, prop := range s.def.Properties {
			if prop.ToolInput != "" || prop.ToolResult != "" {
				s.tools = append(s.tools, newToolMember(s, &prop))
			}
		}
	}
	return nil
}

func newToolMember(s *structType, p *schema.Property) toolMember {
	if p.ToolInput != "" {
		return toolMember{value: s.field(p.Name), name: s.field(p.ToolInput)}
	}
	return toolMember{value: s.field(p.Name), name: s.field(p.ToolResult), result: true}
}
