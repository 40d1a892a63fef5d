package generator

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/ccwire/ccwire/internal/naming"
)

// emitUnionTable writes what the reader of a union must know.
func emitUnionTable(f *jen.File, u *unionType) {
	tags := []jen.Code{value("First", jen.Lit(u.tags[0])), value("Open", quoted(fmt.Sprintf(`{%q:"`, u.tags[0])))}
	if len(u.tags) == 2 {
		tags = append(tags, value("Second", jen.Lit(u.tags[1])), value("Then", quoted(fmt.Sprintf(`,%q:"`, u.tags[1]))))
	}
	unknown := jen.Func().Params(jen.Id("raw").Id("Raw"), jen.Err().Error()).Id("readable").Block(
		jen.Return(jen.Op("&").Id(u.unknown()).Values(jen.Id("raw"), jen.Err())))
	if u.isFrame {
		unknown = jen.Id("unknownFrame")
	}
	rows := []jen.Code{
		value("tags", run("TagSet").Values(tags...)),
		value("arm", jen.Id("new"+u.name)),
		value("unknown", unknown),
	}
	var legacy []string
	for _, l := range u.legacy {
		legacy = append(legacy, l.Tag)
	}
	for _, g := range u.groups {
		if g.arm != nil && g.arm.legacy {
			legacy = append(legacy, g.value)
		}
	}
	if len(legacy) > 0 {
		rows = append(rows, value("legacy", stringsLit(legacy)))
	}
	for _, a := range u.arms() {
		if alloc := u.allocator(a); alloc != "" {
			rows = append(rows, value("shape", jen.Op("&").Id(private(a)+"Shape")),
				value("usual", jen.Func().Params(decoder()).Id("readable").Block(jen.Return(jen.Id(alloc).Call(jen.Id("d"))))))
		}
	}
	f.Var().Id(unionOf(u.name)).Op("=").Id("union").Index(jen.Id(u.name)).Values(jen.Id("table").ValuesFunc(func(g *jen.Group) {
		for _, row := range rows {
			g.Line().Add(row)
		}
		g.Line()
	}))

	if prefix, ok := tagConstants[u.name]; ok {
		f.Commentf("%ss returns the values of %q that the schemas know.", prefix, u.tags[0])
		f.Func().Id(prefix + "s").Params().Index().String().Block(jen.Return(jen.Index().String().ValuesFunc(func(g *jen.Group) {
			for _, gr := range u.groups {
				g.Line().Id(constName(prefix, gr.value))
			}
			if len(u.groups) > 0 {
				g.Line()
			}
		})))
	}

	f.Commentf("new%s returns the arm that the tags name, nil if there is none.", u.name)
	f.Func().Id("new" + u.name).Params(decoder()).Id("readable").BlockFunc(func(g *jen.Group) {
		var arms []*arm // that the first tag decides on
		g.Switch(jen.String().Call(d("First"))).BlockFunc(func(g *jen.Group) {
			for _, gr := range u.groups {
				if gr.arm != nil {
					values := []string{gr.value}
					for _, l := range u.legacy {
						if l.Modern == gr.value {
							values = append(values, l.Tag)
						}
					}
					g.Case(literals(values)...).Block(jen.Return(u.newArm(gr.arm)))
					arms = append(arms, gr.arm)
					continue
				}
				if len(gr.arms) == 0 {
					g.Case(jen.Lit(gr.value)).Block(d("Second"))
					continue
				}
				g.Case(jen.Lit(gr.value)).Block(jen.Switch(jen.String().Call(d("Second"))).BlockFunc(func(g *jen.Group) {
					for _, a := range gr.arms {
						g.Case(literals(a.values)...).Block(jen.Return(u.newArm(a)))
					}
					if open := u.otherwise(gr.arms); open != nil {
						g.Default().Block(open...)
					}
				}))
			}
		})
		if open := u.otherwise(arms); open != nil {
			for _, statement := range open {
				g.Add(statement)
			}
			return
		}
		g.Return(jen.Nil())
	})
	if !u.isFrame {
		f.Commentf("Decode%s reads a %s; nil options mean the tolerant mode.", u.name, u.name)
		f.Func().Id("Decode"+u.name).Params(jen.Id("data").Index().Byte(), jen.Id("o").Op("*").Id("Options")).Params(jen.Id(u.name), jen.Error()).Block(
			jen.Return(jen.Id(unionOf(u.name)).Dot("decode").Call(jen.Id("data"), jen.Id("o"))),
		)
	}
}

// otherwise is the statements that return the arm for values that no arm has, nil if there is none.
func (u *unionType) otherwise(arms []*arm) []jen.Code {
	for _, a := range arms {
		if a.open {
			return []jen.Code{jen.Return(u.newArm(a))}
		}
	}
	return nil
}

func literals(values []string) (out []jen.Code) {
	for _, v := range values {
		out = append(out, jen.Lit(v))
	}
	return out
}

// newArm is the memory of an arm.
func (u *unionType) newArm(a *arm) jen.Code {
	if alloc := u.allocator(a.name); alloc != "" {
		return jen.Id(alloc).Call(jen.Id("d"))
	}
	return jen.New(jen.Id(a.name))
}

// allocator is the function that gives the memory of an arm, "" for most.
func (u *unionType) allocator(arm string) string {
	if !u.molds {
		return ""
	}
	return allocators[arm]
}

// allocators are the arms of which a stream has thousands: the usual ones of their unions. The
// hand-written part of the package has functions that give their memory, if it has the molds.
var allocators = map[string]string{
	"StreamEvent":            "newStreamEvent",
	"ContentBlockDeltaEvent": "newContentBlockDelta",
	"TextDelta":              "newTextDelta",
}

// emitUnknownArm writes the methods of the arm for what has no schema.
func emitUnknownArm(f *jen.File, u *unionType) {
	f.Func().Params(jen.Op("*").Id(u.unknown())).Id("is" + u.name).Params().Block()
	for _, t := range u.tags {
		f.Commentf("%s returns the tag %q, empty where it is missing.", naming.Pascal(t), t)
		method(f, u.unknown(), naming.Pascal(t)).Params().String().Block(jen.Return(jen.Id("textOf").Call(jen.Id("v").Dot("Raw"), jen.Lit("/"+t))))
	}
	method(f, u.unknown(), "read").Params(decoder(), jen.Id("_").Bool()).Bool().Block(jen.Return(d("Raw", jen.Op("&").Id("v").Dot("Raw"))))
	f.Comment("// AppendJSON appends the raw value.")
	method(f, u.unknown(), "AppendJSON").Params(buffer()).Add(appended()).Block(
		jen.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Id("dst"), run("ErrNil").Call(jen.Lit(u.unknown())))),
		jen.Return(run("AppendUnknown").Call(jen.Id("dst"), jen.Id("v").Dot("Raw"), jen.Lit(u.tags[0]), jen.Id("v").Dot("Err").Op("!=").Nil())),
	)
	marshaler(f, u.unknown())
}
