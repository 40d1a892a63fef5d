package permission

import (
	"regexp"
	"strings"
)

const sedText = "The script of this sed command does more than can be checked before it runs"

// uncheckedSed asks for a sed whose script is not one of those that are looked into.
func uncheckedSed() Decision {
	return Decision{Behavior: Ask, Reason: "other", Text: sedText, Message: sedText, unruled: true}
}

var (
	sedPrint   = regexp.MustCompile(`^([0-9]+(,[0-9]+)?)?p$`)
	sedReplace = regexp.MustCompile(`^s/[^/]*/[^/]*/[gpimIM]*[1-9]?[gpimIM]*$`)
)

// sedArguments cuts the arguments of sed into the options before the script, the script and what is
// after it. With -e, which is not looked into, there is no script.
func sedArguments(args []string) (options []string, script string, rest []string) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") {
			return args[:i], a, args[i+1:]
		}
	}
	return args, "", nil
}

// sedOptions reports whether options are of some letters and names.
func sedOptions(options []string, letters string, names ...string) bool {
	for _, o := range options {
		long, ok := strings.CutPrefix(o, "--")
		switch {
		case ok && !strings.Contains(" "+strings.Join(names, " ")+" ", " "+long+" "):
			return false
		case !ok && strings.Trim(o[1:], letters) != "":
			return false
		}
	}
	return true
}

// sedReads reports whether a sed prints lines of files, or replaces in what it reads from a pipe.
func sedReads(args []string) bool {
	options, script, rest := sedArguments(args)
	for _, a := range rest {
		if strings.HasPrefix(a, "-") {
			return false
		}
	}
	if sedQuiet(options) {
		return sedOptions(options, "nErz", "quiet", "silent", "regexp-extended", "zero-terminated", "posix") && sedPrints(script)
	}
	return len(rest) == 0 && sedOptions(options, "Er", "regexp-extended", "posix") && sedSubstitutes(script)
}

// sedReplaces reports whether a sed replaces in files, and does nothing else.
func sedReplaces(args []string) bool {
	options, script, _ := sedArguments(args)
	return sedOptions(options, "Eri", "regexp-extended", "posix", "in-place") && sedSubstitutes(script)
}

func sedQuiet(options []string) bool {
	for _, o := range options {
		if o == "--quiet" || o == "--silent" || !strings.HasPrefix(o, "--") && strings.Contains(o, "n") {
			return true
		}
	}
	return false
}

func sedPrints(script string) bool {
	for part := range strings.SplitSeq(script, ";") {
		if !sedPrint.MatchString(strings.TrimSpace(part)) {
			return false
		}
	}
	return true
}

func sedSubstitutes(script string) bool {
	return sedReplace.MatchString(script) && !strings.ContainsAny(script, ";{}#!\n") && ascii(script)
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}

// sedFiles returns the arguments of sed that are taken for files.
func sedFiles(args []string) (files []string) {
	scripted := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case !strings.HasPrefix(a, "-") && scripted:
			files = append(files, a)
		case !strings.HasPrefix(a, "-"):
			return append(files, args[i+1:]...)
		case a == "-i" && i+1 < len(args) && args[i+1] == "":
			i++ // no suffix
		case a == "-e" || a == "-f" || a == "--expression" || a == "--file":
			scripted = true
			if i++; i < len(args) && (a == "-f" || a == "--file") {
				files = append(files, args[i])
			}
		case a == "--in-place" || strings.HasPrefix(a, "--expression=") || !strings.HasPrefix(a, "--") && strings.Contains(a, "e"):
			scripted = true
		}
	}
	return files
}
