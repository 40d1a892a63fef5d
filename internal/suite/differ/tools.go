package differ

import "github.com/ccwire/ccwire/internal/fakeapi"

// calls are uses of tools, as models make them: a name and an input.
var calls = [][2]string{
	{"Bash", `{"command":"echo hi","description":"Say hi"}`},
	{"Bash", `{"command":"ls","description":"List files"}`},
	{"Bash", `{"command":"cat note.txt | wc -l"}`},
	{"Bash", `{"command":"cat missing.txt","description":"Show a file"}`},
	{"Bash", `{"command":"./fail.sh","description":"Run the script"}`},
	{"Bash", `{"command":"echo out; echo err >&2","description":"Write to both"}`},
	{"Bash", `{"command":"cd sub && pwd"}`},
	{"Bash", `{"command":"git status --short","description":"Show the state"}`},
	{"Bash", `{"command":"mkdir -p build && touch build/x","description":"Make a folder"}`},
	{"Bash", `{"command":"rm -rf build","description":"Remove a folder"}`},
	{"Bash", `{"command":"python3 -c 'print(1+1)'","description":"Compute"}`},
	{"Bash", `{"command":"sh -c 'echo 3 tests pass'","description":"Run the tests"}`},
	{"Bash", `{"command":"echo one > made.txt && cat made.txt"}`},
	{"Bash", `{"command":"echo \"unclosed","description":"A mistake"}`},
	{"Bash", `{"command":"grep -rn alpha .","description":"Search"}`},
	{"Bash", `{"command":"true"}`},
	{"Bash", `{"command":"exit 2"}`},
	{"Bash", `{"command":"seq 1 300","description":"Count"}`},
	{"Bash", `{"command":"sleep 0.1; echo slept","timeout":5000}`},
	{"Bash", `{"command":"curl -s http://127.0.0.1:9/","description":"Fetch"}`},
	{"Bash", `{"command":"echo $HOME/x | sed 's/.*x/y/'"}`},
	{"Bash", `{}`},
	{"Read", `{"file_path":"note.txt"}`},
	{"Read", `{"file_path":"src/app.py"}`},
	{"Read", `{"file_path":"note.txt","offset":2,"limit":1}`},
	{"Read", `{"file_path":"missing.txt"}`},
	{"Read", `{"file_path":"src"}`},
	{"Read", `{"file_path":"/etc/hostname"}`},
	{"Read", `{"path":"note.txt"}`},
	{"Read", `{"file_path":"note.txt","limit":"2"}`},
	{"Write", `{"file_path":"new.txt","content":"one\ntwo\n"}`},
	{"Write", `{"file_path":"out/new.txt","content":"x"}`},
	{"Write", `{"file_path":"note.txt","content":"over\n"}`},
	{"Write", `{"file_path":"../outside.txt","content":"x"}`},
	{"Edit", `{"file_path":"note.txt","old_string":"alpha","new_string":"ALPHA"}`},
	{"Edit", `{"file_path":"missing.txt","old_string":"a","new_string":"b"}`},
	{"Glob", `{"pattern":"**/*.py"}`},
	{"Grep", `{"pattern":"def","output_mode":"content"}`},
	{"Grep", `{"pattern":"alpha"}`},
	{"TodoWrite", `{"todos":[{"content":"First","status":"in_progress","activeForm":"Doing the first"},{"content":"Second","status":"pending","activeForm":"Doing the second"}]}`},
	{"TaskCreate", `{"subject":"Write tests","description":"For the parser"}`},
	{"NoSuchTool", `{"a":1}`},
	{"WebFetch", `{"url":"http://127.0.0.1:9/","prompt":"summarize"}`},
	{"WebSearch", `{"query":"weather"}`},
}

// commands are lines for the shell, of the kinds that models write.
var commands = []string{
	`cat note.txt | sed 's/a/b/g'`,
	`sed -n '1,2p' note.txt`,
	`sed -i 's/alpha/omega/' note.txt`,
	`sed -n '$p' note.txt`,
	`cat note.txt | sort | uniq -c`,
	`head -2 note.txt && tail -1 note.txt`,
	`find . -name '*.py' | xargs grep def`,
	`find . -name '*.md' -delete`,
	`ls -la | grep note`,
	`wc -l note.txt src/app.py`,
	`echo "lines: $(wc -l < note.txt)"`,
	`echo "in $(pwd)"`,
	`echo $((6 * 7))`,
	`echo $USER`,
	`echo a{1,2}`,
	`LC_ALL=C sort note.txt`,
	`DEBUG=1 ./fail.sh`,
	`CI=1 npm test`,
	`export A=1 && echo $A`,
	`for f in a b; do echo $f; done`,
	`if [ -f note.txt ]; then cat note.txt; fi`,
	`test -f note.txt && echo yes || echo no`,
	`cp note.txt copy.txt && cat copy.txt`,
	`mv note.txt moved.txt`,
	"cat > made.txt << 'END'\none\nEND",
	`echo one >> note.txt; cat note.txt`,
	`cat note.txt | tee copy.txt`,
	`python3 -c 'print(1)' | tee out.txt`,
	`python3 -c 'print(1)' && echo ok`,
	`git add . && git commit -m 'a change'`,
	`git log --oneline | head -3`,
	`git diff HEAD`,
	`npm test 2>&1 | tail -5`,
	`cd src && ls`,
	`cd sub && touch new.txt`,
	`cd /tmp && ls -d .`,
	leaves,
	`time ls`,
	`timeout 5 ls`,
	`(cd sub; ls)`,
	`ls *.txt`,
	`chmod +x fail.sh`,
	`which sh`,
	`env | grep -c ^CLAUDECODE=`,
	`sort note.txt | uniq -c`,
	`date +%Y > /dev/null`,
	`false`,
	`cd sub; git status`,
	`cd sub && ls && cd ..`,
	`A=$(date) ls`,
	`export A=$(date)`,
	`xargs ls < /dev/null`,
	`ls & wait`,
	`ls src`,
}

// chains are uses of tools that belong together, one after the other.
var chains = [][][2]string{
	{{"Read", `{"file_path":"note.txt"}`}, {"Edit", `{"file_path":"note.txt","old_string":"beta","new_string":"BETA"}`}},
	{{"Read", `{"file_path":"note.txt"}`}, {"Edit", `{"file_path":"note.txt","old_string":"nothing like it","new_string":"x"}`}},
	{{"Read", `{"file_path":"src/util.py"}`}, {"Edit", `{"file_path":"src/util.py","old_string":"a","new_string":"z"}`}},
	{{"Read", `{"file_path":"src/util.py"}`}, {"Edit", `{"file_path":"src/util.py","old_string":"a","new_string":"z","replace_all":true}`}},
	{{"Read", `{"file_path":"note.txt"}`}, {"Write", `{"file_path":"note.txt","content":"new\n"}`}},
	{{"Write", `{"file_path":"made.py","content":"print(3)\n"}`}, {"Bash", `{"command":"python3 made.py","description":"Run it"}`}},
	{{"Write", `{"file_path":"made.txt","content":"a\n"}`}, {"Edit", `{"file_path":"made.txt","old_string":"a","new_string":"b"}`}, {"Read", `{"file_path":"made.txt"}`}},
	{{"Read", `{"file_path":"note.txt"}`}, {"Read", `{"file_path":"note.txt"}`}},
	{{"Bash", `{"command":"cd sub"}`}, {"Bash", `{"command":"pwd"}`}},
	{{"Bash", `{"command":"export A=1"}`}, {"Bash", `{"command":"echo a$A"}`}},
	{{"TaskCreate", `{"subject":"a","description":"b"}`}, {"TaskUpdate", `{"taskId":"1","status":"completed"}`}, {"TaskList", `{}`}},
}

// leaves is a command that reads a file outside the working directory.
const leaves = `cat /etc/hostname`

// outside are inputs of tools that leave the working directory: with a user who allows that, the
// fence of the simulated CLI is all that such a session shows.
var outside = map[string]bool{`{"file_path":"/etc/hostname"}`: true, `{"file_path":"../outside.txt","content":"x"}`: true}

// call is one use of a tool.
func (b *builder) call() fakeapi.Block {
	if b.one(3) {
		line := oneOf(b, commands...)
		for !b.unasked && line == leaves {
			line = oneOf(b, commands...)
		}
		return fakeapi.ToolUse("Bash", marshal(map[string]any{"command": line}))
	}
	c := oneOf(b, calls...)
	for !b.unasked && outside[c[1]] {
		c = oneOf(b, calls...)
	}
	return fakeapi.ToolUse(c[0], c[1])
}

// toolsInTurn is a prompt for which the model uses tools, one after the other.
func toolsInTurn(b *builder) {
	if b.one(3) {
		for _, c := range oneOf(b, chains...) {
			b.say(fakeapi.ToolUse(c[0], c[1]))
		}
	} else {
		for range 1 + b.rand.IntN(2) {
			if call := b.call(); b.one(3) {
				b.say(fakeapi.Text(oneOf(b, "Let me look.", "I will do that.")), call)
			} else {
				b.say(call)
			}
		}
	}
	b.done()
	b.ask()
}

// toolsAtOnce is a prompt for which the model uses several tools in one message. Which of them ends
// before a message has cost too much is a matter of time.
func toolsAtOnce(b *builder) {
	if b.taken["limits"] {
		toolsInTurn(b)
		return
	}
	blocks := []fakeapi.Block{}
	for range 2 + b.rand.IntN(2) {
		blocks = append(blocks, b.call())
	}
	b.say(blocks...)
	b.done()
	b.ask()
}

// largeResult is a tool whose result is long.
func largeResult(b *builder) {
	b.say(oneOf(b,
		fakeapi.ToolUse("Bash", `{"command":"seq 1 20000","description":"Count far"}`),
		fakeapi.ToolUse("Bash", `{"command":"head -c 40000 /dev/zero | tr '\\0' x","description":"Write much"}`),
		fakeapi.ToolUse("Read", `{"file_path":"long.txt"}`)))
	b.files["long.txt"] = longText()
	b.done()
	b.ask()
}

func longText() string {
	text := make([]byte, 0, 120000)
	for len(text) < 110000 {
		text = append(text, "A line of a file that is long enough to matter.\n"...)
	}
	return string(text)
}
