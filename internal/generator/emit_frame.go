package generator

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// emitFrames writes the entry points and the rules for legacy frames.
func emitFrames(f *jen.File, p *program) {
	f.Comment("// Revision identifies the schemas that the package was generated from.")
	f.Const().Id("Revision").Op("=").Lit(p.revision)

	emitTextBlock(f)

	f.Comment("// legacyFrames are the shapes of older peers. A rule without a patch has an arm of its own.")
	f.Var().Id("legacyFrames").Op("=").Index().Struct(
		jen.Id("rule").Qual(codecPath, "Legacy"),
		jen.Id("arm").Func().Params().Id("legacyFrame"),
	).ValuesFunc(func(g *jen.Group) {
		for _, r := range p.legacy {
			var ops []string
			for _, op := range r.def.Modern {
				ops = append(ops, fmt.Sprintf("{Op: %q, From: %q, Path: %q, Value: %q}", op.Op, op.From, op.Path, string(op.Value)))
			}
			patch := "nil"
			if len(ops) > 0 {
				patch = "[]codec.PatchOp{" + strings.Join(ops, ", ") + "}"
			}
			arm := "nil"
			if r.arm != "" {
				arm = fmt.Sprintf("func() legacyFrame { return new(%s) }", r.arm)
			}
			g.Add(code("\n{codec.Legacy{Name: %q, Tag: %q, Present: %s, Absent: %s, Patch: %s}, %s}", r.def.File, r.tag, list(r.present), list(r.absent), patch, arm))
		}
	})
	f.Type().Id("legacyFrame").Interface(
		jen.Id("Frame"),
		jen.Id("read").Params(jen.Op("*").Qual(codecPath, "Decoder")).Bool(),
	)
}

// list is a slice of strings as source.
func list(s []string) string {
	if len(s) == 0 {
		return "nil"
	}
	return fmt.Sprintf("%#v", s)
}

// emitCalls writes the operations of both sides.
func emitCalls(f *jen.File, p *program) {
	f.ImportName("context", "context")
	ctx := func() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

	f.Comment("// A Caller sends a control request and returns the body of its answer, nil if it has none.")
	f.Type().Id("Caller").Interface(
		jen.Id("Call").Params(ctx(), jen.Id("r").Id("Request")).Params(jen.Qual(codecPath, "Raw"), jen.Error()),
	)
	f.Comment("// Client has a method for every control request that an SDK sends.")
	f.Type().Id("Client").Struct(jen.Id("Caller"))
	for _, c := range p.calls {
		if c.direction == "cli-to-sdk" {
			continue
		}
		f.Add(comment(fmt.Sprintf("%s sends %s. %s", c.name, c.subtype, c.doc)))
		fn := f.Func().Params(jen.Id("c").Id("Client")).Id(c.name).Params(ctx(), jen.Id("r").Op("*").Id(c.request))
		if c.response == nil || c.direction == "both" {
			fn.Error().Block(code("_, err := c.Call(ctx, r)"), code("return err"))
			continue
		}
		if c.response.kind == unionKind {
			fn.Params(jen.Id(c.response.name), jen.Error()).Block(
				code("body, err := c.Call(ctx, r)"),
				code("if err != nil || body == nil {\nreturn nil, err\n}"),
				code("return Decode%s(body, nil)", c.response.name),
			)
			continue
		}
		fn.Params(jen.Op("*").Id(c.response.name), jen.Error()).Block(
			code("body, err := c.Call(ctx, r)"),
			code("if err != nil {\nreturn nil, err\n}"),
			code("out := new(%s)", c.response.name),
			code("if body == nil { // older CLIs answer without a body\nreturn out, nil\n}"),
			code("return out, out.UnmarshalJSON(body)"),
		)
	}

	f.Comment("// Handler answers the control requests that a CLI sends.")
	f.Type().Id("Handler").InterfaceFunc(func(g *jen.Group) {
		for _, c := range p.calls {
			if c.direction == "sdk-to-cli" {
				continue
			}
			g.Add(comment(c.doc))
			g.Id(c.name).Params(ctx(), jen.Id("r").Op("*").Id(c.request)).Params(answer(c)...)
		}
	})
	f.Comment("// Dispatch gives a request to the method of its subtype and returns the body of the answer. It is false for a")
	f.Comment("// subtype that no method takes.")
	f.Func().Id("Dispatch").Params(ctx(), jen.Id("h").Id("Handler"), jen.Id("r").Id("Request")).Params(jen.Id("body").Qual(codecPath, "Appender"), jen.Id("ok").Bool(), jen.Err().Error()).Block(
		jen.Switch(jen.Id("r").Op(":=").Id("r").Assert(jen.Type())).BlockFunc(func(g *jen.Group) {
			for _, c := range p.calls {
				if c.direction == "sdk-to-cli" {
					continue
				}
				nilResult := "a == nil"
				g.Case(jen.Op("*").Id(c.request)).Block(
					code("a, err := h.%s(ctx, r)", c.name),
					code("if err != nil || %s {\nreturn nil, true, err\n}", nilResult),
					code("return a, true, nil"),
				)
			}
		}),
		code("return nil, false, nil"),
	)
}

// answer is the result of a handler's method.
func answer(c *call) []jen.Code {
	if c.response == nil {
		return []jen.Code{jen.Error()}
	}
	if c.response.kind == unionKind {
		return []jen.Code{jen.Id(c.response.name), jen.Error()}
	}
	return []jen.Code{jen.Op("*").Id(c.response.name), jen.Error()}
}
