// Package near finds the words that somebody may have meant who wrote another.
package near

import (
	"cmp"
	"slices"
	"strings"
)

// mostWords is how many words are offered in place of a wrong one.
const mostWords = 3

// Words returns the known words that a user may have meant, the nearest first: those that few edits
// lead to, then those that start with the word.
func Words(word string, known []string) []string {
	word = strings.ToLower(word)
	most := 1 + len(word)/4
	far := map[string]int{}
	for _, k := range known {
		lower := strings.ToLower(k)
		if d := edits(word, lower); d <= most {
			far[k] = d
		} else if len(word) > 2 && strings.HasPrefix(lower, word) {
			far[k] = most + 1
		}
	}
	words := make([]string, 0, len(far))
	for k := range far {
		words = append(words, k)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(a, b)) })
	return words[:min(len(words), mostWords)]
}

// edits returns how many bytes must be put in, left out or replaced to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
