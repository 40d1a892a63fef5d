package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/npm"
)

// mistakes are the paths that a user may give by mistake, by what is there.
// TestPathsThatAreMistakes makes them.
var mistakes = map[string]string{
	"missing":         "missing",
	"missing folder":  "missing/x",
	"below a file":    "prose.txt/x", // cannot be read by root either
	"folder":          "folder",
	"empty":           "empty",
	"prose":           "prose.txt",
	"binary":          "binary",
	"empty program":   "./empty.sh",
	"prose program":   "./prose.sh",
	"no recordings":   "other",
	"prose inside":    "prose",
	"empty inside":    "hollow",
	"folder inside":   "nested",
	"other JSON":      "json",
	"missing program": "./missing",
	"folder program":  "./folder",
	"not executable":  "./prose.txt",
}

// What can be wrong with each kind of path.
var (
	inputFile   = []string{"missing", "below a file", "folder", "empty", "prose", "binary"}
	inputFolder = []string{"missing", "below a file", "empty", "prose", "folder", "no recordings", "prose inside", "empty inside", "folder inside", "other JSON"}
	program     = []string{"missing program", "below a file", "folder program", "not executable", "empty program", "prose program"}
	outputFile  = []string{"missing folder", "below a file", "folder"}
	outputDir   = []string{"below a file", "prose"}
)

// outcome is what a verb says to a mistake: its exit code, and what stderr has.
type outcome struct {
	code   int
	stderr string
}

func trouble(stderr string) outcome { return outcome{exitTrouble, stderr} }

// A pathCase is one path that a verb takes. PATH in args stands for it. Mistakes that said does not
// name end as it says under "".
type pathCase struct {
	args  string
	kinds []string
	said  map[string]outcome
}

var pathCases = []pathCase{
	{"validate PATH", inputFile, map[string]outcome{
		"missing":      trouble(`^protogen: missing: no such file or directory\n`),
		"below a file": trouble(`^protogen: prose.txt/x: not a directory\n`),
		"folder":       trouble(`^protogen: folder: is a folder; give the files in it\n`),
		"empty":        {exitFine, `^0 lines in 1 file\n$`},
		"prose":        {exitFindings, `^2 lines in 1 file, 2 invalid\n$`},
		"binary":       {exitFindings, `1 invalid\n$`},
	}},
	{"fmt PATH", inputFile, map[string]outcome{
		"missing":      trouble(`^protogen: missing: no such file or directory\n$`),
		"below a file": trouble(`^protogen: prose.txt/x: not a directory\n$`),
		"folder":       trouble(`^protogen: folder: is a folder; give the files in it\n$`),
		"":             {exitFine, `^$`}, // copied byte for byte
	}},
	{"scrub PATH", inputFile, map[string]outcome{
		"missing":      trouble(`^protogen: missing: no such file or directory\n$`),
		"below a file": trouble(`^protogen: prose.txt/x: not a directory\n$`),
		"folder":       trouble(`^protogen: folder: is a folder; give the files in it\n$`),
		"":             {exitFine, `^$`},
	}},
	{"view --text PATH", inputFile, map[string]outcome{
		"missing":      trouble(`^protogen: missing: no such file or directory\n$`),
		"below a file": trouble(`^protogen: prose.txt/x: not a directory\n$`),
		"folder":       trouble(`^protogen: folder: is a folder; give the files in it\n$`),
		"":             {exitFine, `^$`},
	}},
	{"replay PATH --to x", inputFile, map[string]outcome{
		"missing":      trouble(`^protogen: missing: no such file or directory\n$`),
		"below a file": trouble(`^protogen: prose.txt/x: not a directory\n$`),
		"folder":       trouble(`^protogen: folder: is a folder; give the files in it\n$`),
		"empty":        trouble(`^protogen: empty: not a recording`),
		"prose":        trouble(`^protogen: prose.txt: entry 1: `),
		"binary":       trouble(`^protogen: binary: entry 1: `),
	}},
	{"replay - --to x --record PATH", outputFile, fileSays},
	{"diff PATH -", inputFile, map[string]outcome{
		"missing":      trouble(`^protogen: missing: no such file or directory\n$`),
		"below a file": trouble(`^protogen: prose.txt/x: not a directory\n$`),
		"folder":       trouble(`^protogen: folder: is a folder; give the files in it\n$`),
		"empty":        {exitFine, `^$`},
		"":             {exitFindings, `^$`},
	}},
	{"diff --out PATH - empty", outputFile, fileSays},
	{"tap --out PATH -- x", []string{"missing folder", "below a file"}, fileSays},
	{"tap install PATH -- x", []string{"below a file"}, map[string]outcome{"": trouble(`not a directory`)}},
	{"drift --from PATH --to " + npm.Pinned(), inputFolder, driftSays},
	{"drift --from " + npm.Pinned() + " --to PATH", inputFolder[:4], driftSays},
	{"package npm --programs PATH --out made", []string{"missing", "below a file", "prose"}, map[string]outcome{
		"missing":      trouble(`--programs missing: .*no such file or directory\n`),
		"below a file": trouble(`--programs prose.txt/x: .*not a directory\n`),
		"":             trouble(`--programs .*: not a directory\n`),
	}},
	{"package npm --out PATH", outputDir, folderSays},
	{"compatibility --readme PATH", inputFile, map[string]outcome{
		"missing":      trouble(`--readme missing: no such file or directory: give a Markdown file that exists\n`),
		"below a file": trouble(`--readme prose.txt/x: not a directory: give`),
		"folder":       trouble(`--readme folder: is a directory: give`),
		"":             trouble(`--readme PATH: has no place for the table: add the lines`),
	}},
	{"conform --run turn/text --known-failing @PATH", inputFile, knownSays},
	{"conform cli --run turn/text --known-failing @PATH", inputFile, knownSays},

	{"conform sdk --list --config PATH", inputFile, map[string]outcome{
		"missing":      trouble(`--config missing: no such file or directory: give a JSON file`),
		"below a file": trouble(`--config prose.txt/x: not a directory: give`),
		"folder":       trouble(`--config folder: is a directory: give`),
		"":             trouble(`--config PATH: .*: give`),
	}},

	{"conform --run turn/text --shared-network --bin PATH", program, binSays},
	{"conform cli --run turn/text --shared-network --bin PATH", program, binSays},
	{"record --scenario turn/text --out out --shared-network --bin PATH", program, binSays},
	{"probe --shared-network --bin PATH", program, binSays},
	{"sweep --shared-network --bin PATH", program, binSays},
	{"fuzz framing --time 1s --no-memory -- PATH", program, map[string]outcome{
		"": trouble(`^protogen: \S*PATH does not start: .*: give a program after --`),
	}},

	{"bundle --out PATH", outputFile, fileSays},
	{"compatibility --out PATH", outputFile, fileSays},
	{"conform --run turn/text --json PATH", outputFile, fileSays},
	{"conform --run turn/text --json=PATH", outputFile, fileSays},
	{"conform --run turn/text --junit PATH", outputFile, fileSays},
	{"conform --run turn/text --html PATH", outputFile, fileSays},
	{"conform --run turn/text --times PATH", outputFile, fileSays},
	{"conform cli --run turn/text --json PATH", outputFile, fileSays},
	{"conform sdk --list --json PATH", outputFile, fileSays},
	{"conform sdk --driver x --html PATH", outputFile, fileSays},
	{"conform sdk init go PATH", []string{"below a file", "prose"}, map[string]outcome{
		"": trouble(`prose.txt is not a directory: choose another folder`),
	}},

	{"vectors --out PATH", []string{"missing folder", "below a file"}, fileSays}, // a folder is none
	{"vectors --out PATH/", []string{"below a file", "prose"}, map[string]outcome{
		"": trouble(`--out PATH/: prose.txt is not a directory: choose another folder`),
	}},

	{"sim --script PATH", inputFile, scriptSays},
	{"sim install bin --script PATH", inputFile, scriptSays},
	{"sim record PATH", inputFile, map[string]outcome{
		"": trouble(`is not one of a recording`), "missing": trouble(`no such file`), "below a file": trouble(`not a directory`),
		"folder": trouble(`is not one of a recording|is a directory`), "empty": trouble(`the model says nothing`),
	}},
	{"api --script PATH -- x", inputFile, scriptSays},
	{"api --script x --json=PATH -- x", outputFile, fileSays},

	{"vendor --out PATH", outputDir, folderSays},
	{"docs --out PATH", outputDir, folderSays},
	{"fuzz corpus --out PATH", outputDir, folderSays},
	{"fuzz framing --out PATH -- cat", outputDir, folderSays},
	{"record --bin claude --out PATH", outputDir, folderSays},
}

var (
	scriptSays = map[string]outcome{
		"missing":      trouble(`--script missing: no such file or directory: give a JSON file`),
		"below a file": trouble(`--script prose.txt/x: not a directory: give`),
		"folder":       trouble(`--script folder: is a directory: give`),
		"":             trouble(`PATH:1:1: `),
	}
	driftSays = map[string]outcome{
		"missing":       trouble(`^protogen: "missing" is neither a version nor a folder: no such file or directory: give a folder DIR/VERSION`),
		"below a file":  trouble(`^protogen: "prose.txt/x" is neither a version nor a folder: not a directory: give a folder`),
		"empty":         trouble(`^protogen: "empty" is a file: give a folder`),
		"prose":         trouble(`^protogen: "prose.txt" is a file: give a folder`),
		"folder":        trouble(`^protogen: recordings of folder: no recordings .*: give a folder`),
		"no recordings": trouble(`^protogen: recordings of other: no recordings .*: give a folder`),
		"prose inside":  trouble(`^protogen: recordings of prose: area/x.ndjson: .*entry 1: .*: give a folder`),
		"empty inside":  trouble(`^protogen: recordings of hollow: area/x.ndjson: .*no header or no exit: give a folder`),
		"folder inside": trouble(`^protogen: recordings of nested: area/x.ndjson: .*is a directory: give a folder`),
		"other JSON":    trouble(`^protogen: recordings of json: area/x.ndjson: .*: give a folder`),
	}
	knownSays = map[string]outcome{
		"missing":      trouble(`--known-failing missing: no such file or directory: give a file`),
		"below a file": trouble(`--known-failing prose.txt/x: not a directory: give a file`),
		"folder":       trouble(`--known-failing folder: is a directory: give a file`),
		"empty":        {exitFine, `^$`},
		"":             trouble(`--known-failing PATH: line 1: want PATTERN`),
	}
	binSays = map[string]outcome{
		"missing program": trouble(`--bin ./missing: not found: give the path of a CLI, or install one with --npm VERSION`),
		"":                trouble(`--bin \S*PATH does not start: .*: give the path of a CLI, or install one with --npm VERSION`),
	}
	fileSays = map[string]outcome{
		"missing folder": trouble(`--\w+ missing/x: no such file or directory: make the folder missing first`),
		"below a file":   trouble(`--\w+ prose.txt/x: prose.txt is not a directory: choose another place`),
		"folder":         trouble(`--\w+ folder: is a directory: name a file in it`),
	}
	folderSays = map[string]outcome{
		"": trouble(`--out PATH: prose.txt is not a directory: choose another folder`),
	}
)

// pathless are the verbs that take no path of a user's, with the reason.
var pathless = map[string]string{
	"protogen":               "holds verbs",
	"protogen help":          "prints help",
	"protogen completion":    "prints a script for a shell",
	"protogen version":       "prints what was built in",
	"protogen since":         "prints what was built in; since.txtar has its inputs",
	"protogen bisect":        "takes no paths; bisect.txtar has its inputs",
	"protogen cli":           "holds verbs",
	"protogen cli list":      "looks into the cache",
	"protogen cli path":      "looks into the cache; cli.txtar has its inputs",
	"protogen show":          "holds verbs",
	"protogen show scenario": "prints what was built in; show.txtar has its inputs",
	"protogen show schema":   "prints what was built in; show.txtar has its inputs",
	"protogen explain":       "prints what was built in, or reads the standard input; explain.txtar has its inputs",
	"protogen fuzz":          "holds verbs",
	"protogen generate":      "works on the checkout around it; generate.txtar breaks one",
}

func makeMistakes(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	const prose = "It is no JSON.\nNor is this.\n"
	for name, text := range map[string]string{
		"empty": "", "prose.txt": prose, "binary": "\x7fELF\x00\xff\xfe\x1b[2J", "empty.sh": "", "prose.sh": prose,
		"other/README": prose, "prose/area/x.ndjson": prose, "hollow/area/x.ndjson": "", "json/area/x.ndjson": `{"type":"keep_alive"}` + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o755
		}
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"folder", "nested/area/x.ndjson"} {
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPathsThatAreMistakes(t *testing.T) {
	makeMistakes(t)
	for _, c := range pathCases {
		for _, kind := range c.kinds {
			t.Run(c.args+"/"+kind, func(t *testing.T) {
				path := mistakes[kind]
				want, ok := c.said[kind]
				if !ok {
					want, ok = c.said[""]
				}
				if !ok {
					t.Fatal("the test does not say what must happen")
				}
				pattern := strings.ReplaceAll(want.stderr, "PATH", regexp.QuoteMeta(strings.TrimPrefix(path, "./")))
				var out, errs bytes.Buffer
				code := run(strings.Fields(strings.ReplaceAll(c.args, "PATH", path)), strings.NewReader(""), &out, &errs)
				if code != want.code || !regexp.MustCompile(pattern).MatchString(errs.String()) {
					t.Errorf("exit code %d and stderr\n%s\nwant %d and %s", code, errs.String(), want.code, pattern)
				}
				if code == exitTrouble && out.Len() > 0 {
					t.Errorf("stdout has %q", out.String())
				}
				for _, bad := range []string{"panic", "goroutine", "internal error", "\x1b"} {
					if strings.Contains(errs.String(), bad) || strings.Contains(out.String(), bad) && c.args != "fmt PATH" {
						t.Errorf("the output has %q:\n%s%s", bad, out.String(), errs.String())
					}
				}
			})
		}
	}
}

func TestEveryVerbHasATestForItsPaths(t *testing.T) {
	each(func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		for known := range pathless {
			if path == known || known == "protogen completion" && strings.HasPrefix(path, known) {
				return
			}
		}
		for _, c := range pathCases {
			if strings.HasPrefix("protogen "+c.args, path+" ") {
				return
			}
		}
		t.Errorf("%s has no row in pathCases", path)
	})
}
