package framing

import (
	"fmt"
	"slices"
)

// rule says what a parser must do and did not, by the kind of the failure and by what stands out in
// the stream that shows it.
func rule(kind Kind, traits []string) string {
	switch kind {
	case Hang:
		return "A parser ends when its stream ends."
	case Crash:
		return "Whatever is in a stream, a parser does not panic."
	case CRKept:
		return "The carriage return before the LF is not part of an object."
	case LineLimit:
		return lengthRule
	case Repeated, Reordered:
		return "Each object comes out once, in the order of the stream."
	case Invented:
		return "Nothing comes out but the JSON objects that are lines: a blank line, text and half an object give nothing."
	}
	for _, r := range traitRules {
		if slices.Contains(traits, r.trait) {
			return r.rule
		}
	}
	if kind == Changed {
		return "An object comes out with the value that it has in the stream."
	}
	return "Each JSON object that is a line comes out once, in the order of the stream."
}

var lengthRule = fmt.Sprintf("A line has up to %d bytes (%d MiB).", MaxLine, MaxLine>>20)

const edgeRule = "A line may end anywhere in the buffers of a parser."

const utf8Rule = "A stream is UTF-8."

const lfRule = "A line ends at LF and nowhere else."

// traitRules are looked at in this order.
var traitRules = []struct{ trait, rule string }{
	{inPieces, "A line may come in any number of reads, which end anywhere."},
	{atEnd, "Bytes that a read returns together with io.EOF count."},
	{noLastLF, "The last line counts also without its LF."},
	{noise, "A line that is not a JSON object gives nothing, and the lines around it come out."},
	{blank, "A blank line gives nothing, and the lines around it come out."},
	{odd, "On some lines good parsers differ; the lines around them come out."},
	{carriageReturn, "A carriage return is white space, also before the LF; a line ends at LF and nowhere else."},
	{"U+2028", lfRule},
	{"U+2029", lfRule},
	{"U+0085", lfRule},
	{longLine, lengthRule},
	{nesting, fmt.Sprintf("Objects and arrays nest up to %d deep.", MaxDepth)},
}
