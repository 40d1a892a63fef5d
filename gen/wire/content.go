package wire

import "strings"

// blocksOf returns a list of blocks, or a text as a list of one.
func blocksOf(text *string, list []ContentBlock) []ContentBlock {
	if text != nil {
		return []ContentBlock{&TextBlock{Text: *text}}
	}
	return list
}

// joinTexts returns the texts of the blocks that are text, with nothing between them: the API cuts
// a text into blocks where it cites.
func joinTexts(blocks []ContentBlock) string {
	if len(blocks) == 1 {
		if b, ok := blocks[0].(*TextBlock); ok {
			return b.Text
		}
	}
	var s strings.Builder
	for _, b := range blocks {
		if b, ok := b.(*TextBlock); ok {
			s.WriteString(b.Text)
		}
	}
	return s.String()
}
