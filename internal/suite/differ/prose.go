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

// wordOf finds a word of a text, leading the tag that it begins with.
var (
	wordOf  = regexp.MustCompile("[^\\s\"'(),:;<>`]+")
	leading = regexp.MustCompile(`^(?:Error: )?<[a-z_-]+>`)
	plain   = regexp.MustCompile(`^[A-Za-z’-]+[.!?]?$`)
	address = regexp.MustCompile(`\b127\.0\.0\.1(?::\d+)?\b`) // of the API
)

// A sentence has so many words at least, and so many of a hundred are plain ones.
const (
	wordsOfProse = 4
	plainWords   = 60
)

// prose reports whether two texts that differ are sentences of the CLI that tell the same facts of
// the session: what they begin with, and what the session itself mentions, such as the names of its
// files.
func (c *comparison) prose(path, a, b string) bool {
	if proseMembers[path[strings.LastIndexByte(path, '/')+1:]] {
		return true
	}
	return sentence(a) && sentence(b) && leading.FindString(a) == leading.FindString(b) && slices.Equal(c.factsOf(a), c.factsOf(b))
}

// sentence reports whether a text is made of words.
func sentence(text string) bool {
	words := wordOf.FindAllString(text, -1)
	count := 0
	for _, w := range words {
		if plain.MatchString(w) {
			count++
		}
	}
	return len(words) >= wordsOfProse && count*100 >= plainWords*len(words)
}

// factsOf returns the words of a text that are not plain and that the session mentions, each once.
// Where the API is, is not a fact of the session.
func (c *comparison) factsOf(text string) (list []string) {
	for _, w := range wordOf.FindAllString(address.ReplaceAllString(text, "it"), -1) {
		w = strings.Trim(w, ".!?-*/")
		if strings.ContainsAny(w, "0123456789/_.\\$=") && (c.mentions == nil || c.mentions(w)) {
			list = append(list, chance.ReplaceAllString(w, "#"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
