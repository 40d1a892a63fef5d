package generator

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// emitFrames writes the revision and the rules for legacy frames.
func emitFrames(f *jen.File, p *program) {
	f.Comment("// Revision identifies the schemas that the package was generated from.")
	f.Const().Id("Revision").Op("=").Lit(p.revision)

	f.Comment("// legacyFrames are the shapes of older peers. A rule without a patch has an arm of its own.")
	f.Var().Id("legacyFrames").Op("=").Index().Id("legacyFrame").ValuesFunc(func(g *jen.Group) {
		for _, r := range p.legacy {
			rule := jen.Dict{jen.Id("Name"): jen.Lit(r.def.File), jen.Id("Tag"): jen.Lit(r.tag)}
			if len(r.present) > 0 {
				rule[jen.Id("Present")] = stringsLit(r.present)
			}
			if len(r.absent) > 0 {
				rule[jen.Id("Absent")] = stringsLit(r.absent)
			}
			if len(r.def.Modern) > 0 {
				rule[jen.Id("Patch")] = jen.Index().Add(run("PatchOp")).ValuesFunc(func(g *jen.Group) {
					for _, op := range r.def.Modern {
						step := jen.Dict{jen.Id("Op"): jen.Lit(op.Op), jen.Id("Path"): jen.Lit(op.Path)}
						if op.From != "" {
							step[jen.Id("From")] = jen.Lit(op.From)
						}
						if len(op.Value) > 0 {
							step[jen.Id("Value")] = quoted(string(op.Value))
						}
						g.Values(step)
					}
				})
			}
			entry := jen.Dict{jen.Id("rule"): run("Legacy").Values(rule)}
			if r.arm != "" {
				entry[jen.Id("arm")] = jen.Func().Params().Id("Frame").Block(jen.Return(jen.New(jen.Id(r.arm))))
			}
			g.Line().Values(entry)
		}
		g.Line()
	})
}

func context() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

// emitCalls writes the operations of both sides.
func emitCalls(f *jen.File, p *program) {
	f.Add(comment("A Caller sends a control request and returns the body of its answer, nil if it has none. It may have a method AnswerOptions(Request) *Options too, which says how the body is decoded, and who hears of deviations in it; otherwise it is read in the tolerant mode."))
	f.Type().Id("Caller").Interface(
		jen.Id("Call").Params(context(), jen.Id("r").Id("Request")).Params(jen.Id("Raw"), jen.Error()),
	)
	client := "// Client has a method for every control request that an SDK sends"
	if len(p.callsOf(hostFolder)) > 0 {
		client += ", but for those of [HostClient]"
	}
	f.Comment(client + ".")
	f.Type().Id("Client").Struct(jen.Id("Caller"))
	var served []*call
	for _, c := range p.calls {
		if c.direction != "cli-to-sdk" && c.folder != hostFolder {
			emitCall(f, "Client", c)
		}
		if c.direction != "sdk-to-cli" {
			served = append(served, c)
		}
	}

	emitAnswers(f, p)

	f.Comment("// Handler answers the control requests that a CLI sends. Embed [BaseHandler] for those that nobody needs.")
	f.Type().Id("Handler").InterfaceFunc(func(g *jen.Group) {
		for _, c := range served {
			g.Add(comment(c.doc))
			g.Id(c.name).Params(context(), jen.Id("r").Op("*").Id(c.request)).Params(answer(c)...)
		}
	})
	f.Comment("// BaseHandler is a [Handler] that refuses every request with [ErrNotHandled].")
	f.Type().Id("BaseHandler").Struct()
	for _, c := range served {
		f.Commentf("%s returns [ErrNotHandled].", c.name)
		f.Func().Params(jen.Id("BaseHandler")).Id(c.name).Params(jen.Qual("context", "Context"), jen.Op("*").Id(c.request)).Params(answer(c)...).BlockFunc(func(g *jen.Group) {
			if c.response == nil {
				g.Return(jen.Id("ErrNotHandled"))
				return
			}
			g.Return(jen.Nil(), jen.Id("ErrNotHandled"))
		})
	}
	f.Add(comment("Dispatch gives a request to the method of its subtype and returns the body of the answer. The error is [ErrNotHandled] for a subtype that no method takes and, with the reason, for a request that does not decode; and [ErrNilAnswer] if the method returns neither an answer nor an error."))
	f.Func().Id("Dispatch").Params(context(), jen.Id("h").Id("Handler"), jen.Id("r").Id("Request")).Params(jen.Id("Appender"), jen.Error()).BlockFunc(func(g *jen.Group) {
		if len(served) > 0 {
			g.Add(dispatch(served))
		}
		g.Return(jen.Nil(), jen.Id("notHandled").Call(jen.Id("r")))
	})
}

// emitAnswers writes the reader of answers.
func emitAnswers(f *jen.File, p *program) {
	f.Add(comment("DecodeAnswer reads the body of a successful answer to a request of a subtype, under the options; nil means the tolerant mode. It returns nil for a subtype whose answers have no body."))
	f.Func().Id("DecodeAnswer").Params(jen.Id("subtype").String(), jen.Id("body").Index().Byte(), jen.Id("o").Op("*").Id("Options")).Params(jen.Id("Appender"), jen.Error()).Block(
		jen.Switch(jen.Id("subtype")).BlockFunc(func(g *jen.Group) {
			for _, c := range p.calls {
				switch {
				case c.response == nil:
					continue
				case c.response.kind == unionKind:
					g.Case(jen.Lit(c.subtype)).Block(jen.Return(jen.Id("Decode"+c.response.name).Call(jen.Id("body"), jen.Id("o"))))
				default:
					g.Case(jen.Lit(c.subtype)).Block(jen.Return(jen.Id("readAnswer").Call(jen.New(jen.Id(c.response.name)), jen.Id("body"), jen.Id("o"))))
				}
			}
		}),
		jen.Return(jen.Nil(), jen.Nil()),
	)
}

// dispatch is the switch that calls the method of a request.
func dispatch(served []*call) jen.Code {
	return jen.Switch(jen.Id("r").Op(":=").Id("r").Assert(jen.Type())).BlockFunc(func(g *jen.Group) {
		for _, c := range served {
			serve := jen.Id("h").Dot(c.name).Call(jen.Id("ctx"), jen.Id("r"))
			g.Case(jen.Op("*").Id(c.request)).BlockFunc(func(g *jen.Group) {
				if c.response == nil {
					g.Return(jen.Nil(), serve)
					return
				}
				g.List(jen.Id("a"), jen.Err()).Op(":=").Add(serve)
				g.If(jen.Err().Op("==").Nil().Op("&&").Id("a").Op("==").Nil()).Block(jen.Err().Op("=").Id("ErrNilAnswer"))
				g.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
				g.Return(jen.Id("a"), jen.Nil())
			})
		}
	})
}

// hostFolder is the folder of the requests that only the host of a user interface or of a remote
// session sends. They have a client of their own.
const hostFolder = "host"

// callsOf returns the operations whose schemas are in a folder.
func (p *program) callsOf(folder string) (calls []*call) {
	for _, c := range p.calls {
		if c.folder == folder {
			calls = append(calls, c)
		}
	}
	return calls
}

// emitHostCalls writes the client of those requests.
func emitHostCalls(f *jen.File, calls []*call) {
	f.Comment("// HostClient has a method for every control request that only the host of a user interface, of a remote session or of a browser sends.")
	f.Type().Id("HostClient").Struct(jen.Id("Caller"))
	for _, c := range calls {
		emitCall(f, "HostClient", c)
	}
}

// emitCall writes the method of a request that an SDK sends.
func emitCall(f *jen.File, client string, c *call) {
	f.Add(comment(fmt.Sprintf("%s sends %s. %s", c.name, c.subtype, c.doc)))
	fn := f.Func().Params(jen.Id("c").Id(client)).Id(c.name).Params(context(), jen.Id("r").Op("*").Id(c.request))
	send := jen.Id("c").Dot("Call").Call(jen.Id("ctx"), jen.Id("r"))
	body := jen.List(jen.Id("body"), jen.Err()).Op(":=").Add(send)
	switch {
	case c.response == nil || c.direction == "both":
		fn.Error().Block(jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(send), jen.Return(jen.Err()))
	case c.response.kind == unionKind:
		fn.Params(jen.Id(c.response.name), jen.Error()).Block(
			body,
			jen.If(jen.Err().Op("!=").Nil().Op("||").Id("body").Op("==").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
			jen.Return(jen.Id("Decode"+c.response.name).Call(jen.Id("body"), jen.Nil())),
		)
	default:
		fn.Params(jen.Op("*").Id(c.response.name), jen.Error()).Block(
			body,
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
			jen.Id("out").Op(":=").New(jen.Id(c.response.name)),
			jen.Return(jen.Id("out"), jen.Id("readBody").Call(jen.Id("c").Dot("Caller"), jen.Id("r"), jen.Id("out"), jen.Id("body"))),
		)
	}
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
