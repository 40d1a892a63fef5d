package guide

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// filler is a block in whose place something comes.
var filler = regexp.MustCompile("(?m)^```(file|rules) (\\S+)\n```$")

// languages are those of files in blocks, by how the names of the files end.
var languages = map[string]string{".py": "python", ".ts": "typescript"}

// filled puts files and lists of rules into a page.
func filled(text string) (string, error) {
	var failed error
	out := filler.ReplaceAllStringFunc(text, func(block string) string {
		parts := filler.FindStringSubmatch(block)
		with := program
		if parts[1] == "rules" {
			with = rules
		}
		filling, err := with(parts[2])
		if err != nil {
			failed = err
		}
		return filling
	})
	return out, failed
}

// program returns a file of the folder programs as a block.
func program(name string) (string, error) {
	text, err := files.ReadFile("programs/" + name)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("```%s %s\n%s```", languages[path.Ext(name)], path.Base(name), text), nil
}

// rules returns a table of the rules in an area of the scenarios for SDKs.
func rules(area string) (string, error) {
	all, err := sdk.All()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| rule | | why |\n| --- | --- | --- |\n")
	rows := 0
	for _, s := range all {
		if !strings.HasPrefix(s.Name, area+"/") {
			continue
		}
		rows++
		title := strings.TrimSuffix(strings.ReplaceAll(s.Title, "|", "\\|"), ".")
		fmt.Fprintf(&b, "| [%s](rule:%s) | %s | %s |\n", title, s.Name, s.Level, strings.ReplaceAll(reason(s.From), "|", "\\|"))
	}
	if rows == 0 {
		return "", fmt.Errorf("no rule is in the area %s", area)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// reason says where a rule comes from, in words.
func reason(from string) string {
	kind, rest, _ := strings.Cut(from, " ")
	switch sdk.Source(kind) {
	case sdk.Issue:
		return "reported: " + rest
	case sdk.Recording:
		version, name, _ := strings.Cut(rest, " ")
		return fmt.Sprintf("recorded: [%s](scenario:%s), %s", name, name, version)
	case sdk.Suite:
		return fmt.Sprintf("real CLIs keep [%s](scenario:%s)", rest, rest)
	}
	return rest
}
