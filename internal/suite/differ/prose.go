package differ

import (
	"regexp"
	"slices"
	"strings"
)

// proseMembers are members whose texts are sentences for people, whatever they say.
var proseMembers = map[string]bool{
	"description": true, "whenToUse": true, "tooltip": true, "systemPrompt": true, "argumentHint": true, "displayName": true,
	"upgradeMessage": true, "label": true,
}

// words finds the words of a text, and its tags.
var words = regexp.MustCompile("</?[a-z_-]+>|[^\\s\"'(),:;<>`]+")

// wordsOfProse is the fewest words that make a text a sentence.
const wordsOfProse = 4

// sameFacts reports whether two texts that differ are prose, and tell the same facts.
func sameFacts(path, a, b string) bool {
	if proseMembers[path[strings.LastIndexByte(path, '/')+1:]] {
		return true
	}
	if len(strings.Fields(a)) < wordsOfProse || len(strings.Fields(b)) < wordsOfProse {
		return false
	}
	return slices.Equal(factsOf(a), factsOf(b))
}

// factsOf returns what a text tells that is not a plain word, each once: paths, names, numbers,
// tags.
func factsOf(text string) (list []string) {
	for _, w := range words.FindAllString(text, -1) {
		w = strings.Trim(w, ".!?-*")
		if strings.ContainsAny(w, "0123456789/_.\\$=<[") && w != "/" {
			list = append(list, chance.ReplaceAllString(w, "#"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
