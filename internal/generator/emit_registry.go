package generator

import (
	"github.com/dave/jennifer/jen"
)

// emitRegistry writes tables of all definitions that have a Go type and of the arms of all unions.
// It is a file of tests: they reach every reader and writer through it, and it does not compile if
// an arm lacks a method.
func emitRegistry(f *jen.File, p *program) {
	f.Comment("// Definitions has every schema definition with a Go type.")
	f.Var().Id("Definitions").Op("=").Index().Id("Definition").ValuesFunc(func(g *jen.Group) {
		for _, e := range p.entries {
			var codec *jen.Statement
			switch {
			case e.typ.name == "Frame":
				codec = jen.Id("frameCodec")
			case e.typ.kind == structKind || e.typ.kind == choiceKind:
				codec = jen.Parens(jen.Op("*").Id(e.typ.name)).Call(jen.Nil())
			default:
				b := jen.Id("b").Op("*").Id("box").Index(e.typ.goType())
				v := jen.Id("b").Dot("V")
				codec = jen.Id("codecOf").Call(
					jen.Func().Params(b, decoder()).Bool().Block(e.typ.returnRead(v, false)...),
					jen.Func().Params(b, buffer()).Add(appended()).Block(jen.Return(e.typ.append(v))),
				)
			}
			g.Line().Values(jen.Lit(e.definition), codec)
		}
		g.Line()
	})
	f.Comment("// Unions has the arms of every union, the unknown one last.")
	f.Var().Id("Unions").Op("=").Map(jen.String()).Index().Any().Values(jen.DictFunc(func(all jen.Dict) {
		for _, file := range p.files {
			for _, u := range file.unions {
				all[jen.Lit(u.def.Name())] = jen.ValuesFunc(func(g *jen.Group) {
					for _, arm := range append(u.arms(), u.unknown()) {
						g.Line().Id(u.name).Call(jen.Parens(jen.Op("*").Id(arm)).Call(jen.Nil()))
					}
					g.Line()
				})
			}
		}
	}))
}
