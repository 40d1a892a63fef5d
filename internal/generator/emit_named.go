package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// emitEnum writes a string type with its known values.
func emitEnum(f *jen.File, e *enumType) {
	doc := lead(e.name, e.doc)
	if e.closed {
		doc += " No other values are allowed."
	} else {
		doc += " Other values are kept as they are."
	}
	f.Add(comment(doc))
	f.Type().Id(e.name).String()
	f.Commentf("Known values of %s.", e.name)
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, v := range e.values {
			g.Id(constName(e.name, v)).Id(e.name).Op("=").Lit(v)
		}
	})
	f.Comment("// Known reports whether the schema names the value.")
	f.Func().Params(jen.Id("v").Id(e.name)).Id("Known").Params().Bool().Block(
		jen.Switch(jen.Id("v")).Block(
			jen.CaseFunc(func(g *jen.Group) {
				for _, v := range e.values {
					g.Id(constName(e.name, v))
				}
			}).Block(jen.Return(jen.True())),
		),
		jen.Return(jen.False()),
	)
	f.Func().Params(jen.Id("v").Op("*").Id(e.name)).Id("read").Params(decoder()).Bool().BlockFunc(func(g *jen.Group) {
		g.Add(code("at := d.Start()"))
		g.Add(code("if !d.String((*string)(v)) {\nreturn false\n}"))
		if e.closed {
			g.Add(code("return v.Known() || d.Fail(codec.WrongKind, at, \"a value that the schema names\")"))
			return
		}
		g.Add(code("return !d.Checks() || v.Known() || d.Unknown(codec.UnknownValue, at, string(*v))"))
	})
	f.Comment("// AppendJSON appends the value as a JSON string.")
	f.Func().Params(jen.Id("v").Op("*").Id(e.name)).Id("AppendJSON").Params(jen.Id("dst").Index().Byte()).Params(appended()...).Block(
		code("return codec.AppendString(dst, string(*v))"),
	)
}

// emitChoice writes a struct with a field for each JSON kind that a value may
// be of.
func emitChoice(f *jen.File, c *choiceType) {
	f.Add(comment(lead(c.name, c.doc) + " Exactly one field is set."))
	f.Type().Id(c.name).StructFunc(func(g *jen.Group) {
		for _, a := range c.arms {
			typ := a.typ.goType()
			if a.typ.pointer() {
				typ = jen.Op("*").Add(typ)
			}
			g.Id(a.field).Add(typ)
		}
	})
	f.Func().Params(jen.Id("v").Op("*").Id(c.name)).Id("read").Params(decoder()).Bool().BlockFunc(func(g *jen.Group) {
		var wanted []string
		g.Switch(code("d.Kind()")).BlockFunc(func(g *jen.Group) {
			for _, a := range c.arms {
				wanted = append(wanted, article(a.kind))
				read := a.typ.read("&v." + a.field)
				if a.typ.pointer() {
					read = fmt.Sprintf("codec.Optional(&v.%s, d, %s)", a.field, a.typ.reader(false))
				}
				k := a.kind
				if k == "integer" {
					k = "number"
				}
				g.Case(code("codec.Kind%s", pascal(k))).Block(jen.Return(code("%s", read)))
			}
		})
		g.Return(code("d.Wrong(%q)", strings.Join(wanted, " or ")))
	})
	f.Comment("// AppendJSON appends the field that is set.")
	f.Func().Params(jen.Id("v").Op("*").Id(c.name)).Id("AppendJSON").Params(jen.Id("dst").Index().Byte()).Params(appended()...).BlockFunc(func(g *jen.Group) {
		g.Switch().BlockFunc(func(g *jen.Group) {
			g.Case(code("v == nil")).Block(code("return dst, codec.ErrNil(%q)", c.name))
			for _, a := range c.arms {
				value := "v." + a.field
				if a.typ.pointer() && a.typ.kind < enumKind {
					value = "*" + value
				}
				g.Case(code("v.%s != nil", a.field)).Block(jen.Return(code("%s", a.typ.write(value))))
			}
		})
		g.Return(code("dst, &codec.Error{Kind: codec.Missing, Offset: -1, Want: \"one field of %s\"}", c.name))
	})
	marshalers(f, c.name)
}

func article(kind string) string {
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}

// emitUnion writes an interface, its unknown arm and its reader.
func emitUnion(f *jen.File, u *unionType) {
	unknown := "Unknown" + u.name
	f.Add(comment(lead(u.name, u.doc)))
	f.Comment("//")
	f.Add(comment(fmt.Sprintf("Its arms are %s and, for what has no schema, *%s.", "*"+strings.Join(u.arms(), ", *"), unknown)))
	f.Comment("//")
	f.Add(comment("Schema: " + u.def.Name() + "."))
	f.Type().Id(u.name).InterfaceFunc(func(g *jen.Group) {
		g.Qual(codecPath, "Appender")
		if u.tagMethod {
			g.Commentf("%s returns the tag %q.", pascal(u.tags[0]), u.tags[0])
			g.Id(pascal(u.tags[0])).Params().String()
		}
		g.Id("is" + u.name).Params()
	})

	f.Add(comment(fmt.Sprintf("%s is a %s without a schema, kept as it is.", unknown, u.name)))
	f.Type().Id(unknown).StructFunc(func(g *jen.Group) {
		g.Comment("The whole value.")
		g.Id("Raw").Qual(codecPath, "Raw")
		g.Comment("The value has a known tag, or none, but does not decode as that arm.")
		g.Id("Malformed").Bool()
	})
	f.Add(code("func (*%s) is%s() {}", unknown, u.name))
	for _, t := range u.tags {
		f.Commentf("%s returns the tag %q, empty where it is missing.", pascal(t), t)
		f.Add(code("func (v *%s) %s() string {\ns, _ := codec.Find(v.Raw, %q).Text()\nreturn s\n}", unknown, pascal(t), "/"+t))
	}
	f.Comment("// AppendJSON appends the raw value.")
	f.Func().Params(jen.Id("v").Op("*").Id(unknown)).Id("AppendJSON").Params(jen.Id("dst").Index().Byte()).Params(appended()...).Block(
		code("if v == nil {\nreturn dst, codec.ErrNil(%q)\n}", unknown),
		code("return codec.AppendUnknown(dst, v.Raw, %q, v.Malformed)", u.tags[0]),
	)
	f.Comment("// MarshalJSON implements json.Marshaler.")
	f.Add(code("func (v *%s) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil) }", unknown))

	f.Func().Id("write"+u.name).Params(jen.Id("p").Op("*").Id(u.name), jen.Id("dst").Index().Byte()).Params(appended()...).Block(
		code("if *p == nil {\nreturn dst, codec.ErrNil(%q)\n}", u.name),
		code("return (*p).AppendJSON(dst)"),
	)
	emitUnionReader(f, u)
	if u.inLists {
		f.Func().Id("read"+u.name+"Element").Params(jen.Id("p").Op("*").Id(u.name), decoder()).Bool().Block(
			code("m := d.Mark()"),
			code("if read%s(p, d) {\nreturn true\n}", u.name),
			code("raw, ok := d.Salvage(m)"),
			code("if !ok {\nreturn false\n}"),
			code("*p = &%s{Raw: raw, Malformed: true}", unknown),
			code("return true"),
		)
	}
	if !u.isFrame {
		f.Commentf("Decode%s reads a %s; nil options mean the tolerant mode.", u.name, u.name)
		f.Func().Id("Decode"+u.name).Params(jen.Id("data").Index().Byte(), jen.Id("o").Op("*").Qual(codecPath, "Options")).Params(jen.Id(u.name), jen.Error()).Block(
			code("var d codec.Decoder"),
			code("d.Reset(data, o)"),
			code("var v %s", u.name),
			code("if !read%s(&v, &d) || !d.Finish() {\nreturn nil, d.Err()\n}", u.name),
			code("return v, nil"),
		)
	}
}

// emitUnionReader writes the switch over the tags.
func emitUnionReader(f *jen.File, u *unionType) {
	second := ""
	if len(u.tags) == 2 {
		second = u.tags[1]
	}
	f.Func().Id("read"+u.name).Params(jen.Id("p").Op("*").Id(u.name), decoder()).Bool().BlockFunc(func(g *jen.Group) {
		for _, gr := range u.groups {
			if gr.arm == nil || blocks[gr.arm.name] == "" {
				continue
			}
			g.If(code("m := d.Mark(); d.Guess(`{%q:\"`, &%sShape)", u.tags[0], private(gr.arm.name))).Block(
				code("v := %s(d)", blocks[gr.arm.name]),
				code("if v.read(d) {\n*p = v\nreturn true\n}"),
				code("d.Undo(m)"),
			)
		}
		g.Add(code("var t codec.Tags"))
		g.Add(code("if !d.Tag(&t, `{%q:\"`, %q, %q) {\nreturn false\n}", u.tags[0], u.tags[0], second))
		g.Add(code("if !t.HasFirst {\nreturn d.Lacks(t.At, %q)\n}", u.tags[0]))
		g.Switch(code("string(t.First)")).BlockFunc(func(g *jen.Group) {
			for _, gr := range u.groups {
				g.Case(jen.Lit(gr.value)).BlockFunc(func(g *jen.Group) {
					if gr.arm != nil {
						for _, s := range armRead(gr.arm, "FirstAt", gr.value) {
							g.Add(s)
						}
						return
					}
					g.Add(code("return read%s%s(p, d, &t)", pascal(gr.value), u.name))
				})
			}
			for _, l := range u.legacy {
				g.Case(jen.Lit(l.Tag)).BlockFunc(func(g *jen.Group) {
					g.Add(code("if !d.Unknown(codec.LegacyShape, t.FirstAt, %q) {\nreturn false\n}", l.Tag))
					for _, gr := range u.groups {
						if l.Modern != "" && gr.value == l.Modern {
							g.Add(code("d.Alias(&t, %q)", l.Tag))
							g.Add(code("v := new(%s)", gr.arm.name))
							g.Add(code("ok := v.decode(d, t.At, t.Inline)"))
							g.Add(code("d.Alias(&t, \"\")"))
							g.Add(code("if ok {\n*p = v\n}"))
							g.Add(code("return ok"))
							return
						}
					}
					g.Add(code("return keep%s(p, d, &t)", u.name))
				})
			}
		})
		g.Add(code("if !d.Unknown(codec.UnknownTag, t.FirstAt, string(t.First)) {\nreturn false\n}"))
		g.Add(code("return keep%s(p, d, &t)", u.name))
	})
	for _, gr := range u.groups {
		if gr.arm != nil {
			continue
		}
		f.Func().Id("read"+pascal(gr.value)+u.name).Params(jen.Id("p").Op("*").Id(u.name), decoder(), jen.Id("t").Op("*").Qual(codecPath, "Tags")).Bool().BlockFunc(func(g *jen.Group) {
			g.Add(code("if !d.Second(t, `,%q:\"`, %q, %q) {\nreturn false\n}", second, u.tags[0], second))
			g.Add(code("if !t.HasSecond {\nreturn d.Lacks(t.At, %q)\n}", second))
			g.Switch(code("string(t.Second)")).BlockFunc(func(g *jen.Group) {
				for _, a := range gr.arms {
					for _, v := range a.values {
						g.Case(jen.Lit(v)).BlockFunc(func(g *jen.Group) {
							for _, s := range armRead(a, "SecondAt", v) {
								g.Add(s)
							}
						})
					}
				}
			})
			g.Add(code("if !d.Unknown(codec.UnknownTag, t.SecondAt, string(t.Second)) {\nreturn false\n}"))
			g.Add(code("return keep%s(p, d, t)", u.name))
		})
	}
	f.Func().Id("keep"+u.name).Params(jen.Id("p").Op("*").Id(u.name), decoder(), jen.Id("t").Op("*").Qual(codecPath, "Tags")).Bool().BlockFunc(func(g *jen.Group) {
		g.Add(code("u := new(Unknown%s)", u.name))
		g.Add(code("d.Rewind(t)"))
		g.Add(code("*p = u"))
		g.Add(code("return d.Raw(&u.Raw)"))
	})
}

// armRead is the statements that read an arm; at is where its tag stands.
func armRead(a *arm, at, value string) []jen.Code {
	alloc := code("v := new(%s)", a.name)
	if blocks[a.name] != "" {
		alloc = code("v := %s(d)", blocks[a.name])
	}
	var out []jen.Code
	if a.legacy {
		out = append(out, code("if !d.Unknown(codec.LegacyShape, t.%s, %q) {\nreturn false\n}", at, value))
	}
	out = append(out, alloc)
	if a.enum != nil {
		out = append(out, code("v.%s = %s", a.enum.name, constName(a.enum.typ.name, value)))
	}
	return append(out, code("if !v.decode(d, t.At, t.Inline) {\nreturn false\n}"), code("*p = v"), code("return true"))
}

// arms returns the names of the arms, each once.
func (u *unionType) arms() (names []string) {
	add := func(a *arm) {
		if !slices.Contains(names, a.name) {
			names = append(names, a.name)
		}
	}
	for _, g := range u.groups {
		if g.arm != nil {
			add(g.arm)
		}
		for _, a := range g.arms {
			add(a)
		}
	}
	return names
}
