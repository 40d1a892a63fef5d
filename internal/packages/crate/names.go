package crate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// renamed are types whose names mean something else in Rust.
var renamed = map[string]string{
	"Request": "AnyRequest",    // Request is the trait that leads from a request to its answer
	"Result":  "ResultMessage", // a glob import of the crate would hide Result
}

// keywords are those that members of the protocol could be called.
var keywords = strings.Fields(`abstract as async await become box break const continue do dyn else enum extern false final fn for
	gen if impl in let loop macro match mod move mut override priv pub ref return static struct trait true try type typeof unsafe
	unsized use virtual where while yield`)

// typeName returns the name of a type as Rust writes it: an acronym is a word.
func typeName(t *model.Type) string {
	if name := renamed[t.Name]; name != "" {
		return name
	}
	return camel(t.Name)
}

// camel makes words of acronyms: MCPServerRef is McpServerRef.
func camel(name string) string {
	runes := []rune(name)
	for i := 1; i < len(runes); i++ {
		last := i+1 == len(runes) || !unicode.IsLower(runes[i+1])
		if unicode.IsUpper([]rune(name)[i-1]) && last {
			runes[i] = unicode.ToLower(runes[i])
		}
	}
	return string(runes)
}

// words cuts a name from the wire where its case or its punctuation does.
func words(name string) (out []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return out
}

// fieldName returns the name of the field for a member. A member of older peers gives way to one of
// the same name.
func fieldName(s *model.Struct, m *model.Member) string {
	name := strings.Join(words(m.Name), "_")
	same := func(other *model.Member) bool { return other != m && strings.Join(words(other.Name), "_") == name }
	switch {
	case m.Legacy && slices.ContainsFunc(s.Members, same):
		return "legacy_" + name
	case slices.Contains(keywords, name):
		return "r#" + name
	}
	return name
}

// variant returns the name of the variant for a value.
func variant(value string) string {
	var b strings.Builder
	for _, w := range words(value) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	name := b.String()
	if name == "" || unicode.IsDigit(rune(name[0])) {
		name = "V" + name
	}
	return name
}

// A taken is the names of one type's variants or fields.
type taken map[string]string

func (seen taken) add(name, wire string) error {
	if other, ok := seen[name]; ok {
		return fmt.Errorf("%q and %q are both %s", other, wire, name)
	}
	seen[name] = wire
	return nil
}

// armName returns the name of the variant for an arm of a union.
func armName(union *model.Type, arm *model.Arm) string {
	if len(arm.Values) == 1 && !arm.Open {
		return variant(arm.Values[0])
	}
	return strings.TrimPrefix(camel(arm.Type.Name), camel(union.Name))
}

// choiceName returns the name of the variant for one kind of JSON.
func choiceName(owner *model.Type, e *model.Expr) string {
	switch e.Kind {
	case model.String:
		return "Text"
	case model.Bool:
		return "Bool"
	case model.Int:
		return "Int"
	case model.Number:
		return "Number"
	case model.List:
		return "List"
	case model.Map, model.Object:
		return "Object"
	}
	return strings.TrimPrefix(typeName(e.Type), typeName(owner))
}
