package schema

import "fmt"

// A Tool is a built-in tool of the CLI with the definitions of what it takes and returns. Lines
// carry both as opaque values: the name of the tool beside them says what they are.
type Tool struct {
	Names  []string    // today's name, then older ones
	Input  *Definition // nil if there is none
	Result *Definition // nil if there is none
}

// Tool returns the tool of that name, today's or an older one, or nil.
func (s *Set) Tool(name string) *Tool { return s.tools[name] }

// findTools collects the definitions with x-tool. Those of one file are of one tool.
func (s *Set) findTools() (errs []error) {
	files := map[string]*Tool{}
	for _, d := range s.definitions {
		if d.Tool == nil {
			continue
		}
		t := files[d.File]
		if t == nil {
			t = &Tool{Names: d.Tool}
			files[d.File] = t
		}
		switch d.key() {
		case "Input":
			t.Input = d
		case "Result":
			t.Result = d
		default:
			errs = append(errs, &LoadError{d.File, d.Pointer + "/x-tool", fmt.Errorf("is for Input and Result")})
		}
		for _, name := range d.Tool {
			if other := s.tools[name]; other != nil && other != t {
				errs = append(errs, &LoadError{d.File, d.Pointer + "/x-tool", fmt.Errorf("%q is a name of another tool, too", name)})
			}
			s.tools[name] = t
		}
	}
	return errs
}

// tool returns the definition of a value that the name beside it says is of a tool, nil if there is
// none.
func (s *Set) tool(n *Node, beside map[string]any) *Definition {
	name, _ := beside[n.ToolInput].(string)
	if t := s.tools[name]; t != nil && n.ToolInput != "" {
		return t.Input
	}
	name, _ = beside[n.ToolResult].(string)
	if t := s.tools[name]; t != nil && n.ToolResult != "" {
		return t.Result
	}
	return nil
}
