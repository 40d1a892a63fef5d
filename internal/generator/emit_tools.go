package generator

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// The unions of tools. What tells their arms apart is the name of the tool, which stands beside the
// value and not in it.
const (
	toolInput  = "ToolInput"
	toolResult = "ToolResult"
)

// emitToolTypes writes the unions.
func emitToolTypes(f *jen.File, p *program) {
	inputs, results := toolArms(p)
	declareTools(f, toolInput, "the input of a tool: what a permission callback or a hook is asked about", inputs, "")
	declareTools(f, toolResult, "the result of a tool", results, "*ToolText for a text in place of a result, ")
}

func declareTools(f *jen.File, name, doc string, arms []string, more string) {
	unknown := "Unknown" + name
	f.Add(comment(fmt.Sprintf("%s is %s. It is read on demand, by [Decode%s] and by methods of the types that carry it; on the wire it is raw JSON.", name, doc, name)))
	f.Comment("//")
	list := ""
	for _, arm := range arms {
		list += "*" + arm + ", "
	}
	f.Add(comment(fmt.Sprintf("Its arms are %s%sand *%s for other tools and for what does not decode.", list, more, unknown)))
	f.Type().Id(name).Interface(jen.Id("Appender"), jen.Id("is"+name).Params(), jen.Id("readable"))
	f.Add(comment(fmt.Sprintf("%s is the %s of a tool without a schema, or one that does not decode, kept as it is.", unknown, strings.ToLower(name[len("Tool"):]))))
	f.Type().Id(unknown).Struct(
		jen.Comment("Name of the tool."),
		jen.Id("Name").String(),
		jen.Comment("The whole value."),
		jen.Id("Raw").Id("Raw"),
		jen.Comment("Why the value does not decode, a [*Error]; nil if the tool is unknown."),
		jen.Id("Err").Error(),
	)
}

// emitToolCodecs writes what makes types arms of the unions, and the methods of those that carry
// them.
func emitToolCodecs(f *jen.File, p *program) {
	inputs, results := toolArms(p)
	emitToolArms(f, p, toolInput, inputs, func(t *tool) string { return t.input })
	emitToolArms(f, p, toolResult, results, func(t *tool) string { return t.result })
	for _, file := range p.files {
		for _, s := range file.structs {
			for _, m := range s.tools {
				emitToolMember(f, s, m)
			}
		}
	}
}

func emitToolArms(f *jen.File, p *program, union string, arms []string, of func(*tool) string) {
	f.Commentf("new%s returns the arm of a tool, nil if there is none.", union)
	f.Func().Id("new"+union).Params(jen.Id("name").String()).Id(union).Block(
		jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
			for _, t := range p.tools {
				if arm := of(t); arm != "" {
					g.Case(literals(t.names)...).Block(jen.Return(jen.New(jen.Id(arm))))
				}
			}
		}),
		jen.Return(jen.Nil()),
	)
	for _, arm := range append(arms, "Unknown"+union) {
		f.Func().Params(jen.Op("*").Id(arm)).Id("is" + union).Params().Block()
	}
	unknown := "Unknown" + union
	method(f, unknown, "read").Params(decoder(), jen.Id("_").Bool()).Bool().Block(jen.Return(d("Raw", jen.Op("&").Id("v").Dot("Raw"))))
	f.Comment("// AppendJSON appends the raw value.")
	method(f, unknown, "AppendJSON").Params(buffer()).Add(appended()).Block(
		jen.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Id("dst"), run("ErrNil").Call(jen.Lit(unknown)))),
		jen.Return(run("AppendRaw").Call(jen.Id("dst"), jen.Id("v").Dot("Raw"))),
	)
	marshaler(f, unknown)
}

// emitToolMember writes the method that reads a member as what its tool says it is.
func emitToolMember(f *jen.File, s *structType, m toolMember) {
	union, name := toolInput, "TypedInput"
	if m.result {
		union, name = toolResult, "TypedResult"
	}
	f.Add(comment(fmt.Sprintf("%s reads the member %q in the type of the tool that %q names.", name, m.value.wire, m.name.wire)))
	method(f, s.name, name).Params().Id(union).Block(
		jen.Return(jen.Id("Decode"+union).Call(jen.Id("v").Dot(m.name.name), jen.Id("v").Dot(m.value.name))),
	)
}

// toolArms returns the types of the inputs and of the results.
func toolArms(p *program) (inputs, results []string) {
	for _, t := range p.tools {
		if t.input != "" {
			inputs = append(inputs, t.input)
		}
		if t.result != "" {
			results = append(results, t.result)
		}
	}
	return inputs, results
}
