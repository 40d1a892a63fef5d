package generator

import "github.com/dave/jennifer/jen"

// emitRegistry writes the table of all definitions that have a Go type. It is a
// file of tests: they reach every reader and writer through it.
func emitRegistry(f *jen.File, p *program) {
	f.Comment("// A Definition reaches the reader and the writer of a schema definition.")
	f.Type().Id("Definition").Struct(
		jen.Id("Name").String(),
		jen.Id("Decode").Func().Params(jen.Id("data").Index().Byte(), jen.Id("o").Op("*").Qual(codecPath, "Options")).Params(jen.Op("*").Id("Decoded"), jen.Error()),
	)
	f.Comment("// Definitions has every schema definition with a Go type.")
	f.Var().Id("Definitions").Op("=").Index().Id("Definition").ValuesFunc(func(g *jen.Group) {
		for _, e := range p.entries {
			codecOf := code("codecOf(%s, %s)", e.typ.reader(false), e.typ.writer())
			if e.typ.kind == unionKind && e.typ.name == "Frame" {
				codecOf = code("frameCodec")
			}
			g.Add(code("\n{%q, ", e.definition).Add(codecOf).Op("}"))
		}
		g.Line()
	})
}
