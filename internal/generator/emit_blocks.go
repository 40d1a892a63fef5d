package generator

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// textBlock is the content block that a text is, where a list of blocks stands in its place.
const textBlock = "TextBlock"

// blockChoices returns the types that are a text or a list of content blocks; none where there is
// no type for a block of text.
func (p *program) blockChoices() (choices []*choiceType) {
	hasText := false
	for _, file := range p.files {
		hasText = hasText || slices.ContainsFunc(file.structs, func(s *structType) bool { return s.name == textBlock })
		for _, c := range file.choices {
			if c.isTextOrBlocks() {
				choices = append(choices, c)
			}
		}
	}
	if !hasText {
		return nil
	}
	return choices
}

// isTextOrBlocks reports whether the fields of the type are Text and a List of content blocks.
func (c *choiceType) isTextOrBlocks() bool {
	text := slices.ContainsFunc(c.arms, func(a *choiceArm) bool { return a.field == "Text" && a.typ.kind == stringKind })
	list := slices.ContainsFunc(c.arms, func(a *choiceArm) bool {
		return a.field == "List" && a.typ.kind == sliceKind && a.typ.elem.name == "ContentBlock"
	})
	return len(c.arms) == 2 && text && list
}

// emitBlockChoices writes methods that make one thing of the two. A nil pointer, which is an absent
// member, has no blocks.
func emitBlockChoices(f *jen.File, choices []*choiceType) {
	for _, c := range choices {
		f.Comment("// Blocks returns the list, or a text as a list of one block.")
		method(f, c.name, "Blocks").Params().Index().Id("ContentBlock").Block(
			jen.If(jen.Id("v").Op("==").Nil()).Block(jen.Return(jen.Nil())),
			jen.Return(jen.Id("blocksOf").Call(jen.Id("v").Dot("Text"), jen.Id("v").Dot("List"))),
		)
		f.Comment("// String returns the text, or the texts of the blocks, joined with nothing between them.")
		method(f, c.name, "String").Params().String().Block(jen.Return(jen.Id("joinTexts").Call(jen.Id("v").Dot("Blocks").Call())))
	}
}
