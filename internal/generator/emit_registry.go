package generator

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// emitRegistry writes tables of all definitions that have a Go type and of the
// arms of all unions. It is a file of tests: they reach every reader and writer
// through it, and it does not compile if an arm lacks a method.
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
	f.Comment("// Unions has the arms of every union, the unknown one last.")
	f.Var().Id("Unions").Op("=").Map(jen.String()).Index().Any().ValuesFunc(func(g *jen.Group) {
		for _, file := range p.files {
			for _, u := range file.unions {
				arms := u.arms()
				for _, r := range p.legacy {
					if u.isFrame && r.arm != "" {
						arms = append(arms, r.arm)
					}
				}
				arms = append(arms, "Unknown"+u.name)
				for i, arm := range arms {
					arms[i] = fmt.Sprintf("%s((*%s)(nil))", u.name, arm)
				}
				g.Add(code("\n%q: {\n%s,\n}", u.def.Name(), strings.Join(arms, ",\n")))
			}
		}
		g.Line()
	})
}
