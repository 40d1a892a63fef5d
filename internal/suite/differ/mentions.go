package differ

import "github.com/ccwire/ccwire/internal/fakeapi"

// mentionable are ways to mention a file, a folder, an agent or a resource in a prompt.
var mentionable = []string{"@note.txt", "@note.txt", "@src", "@src/", "@missing.txt", "@note.txt#L2-3", "@note.txt#L2", `@"my notes.txt"`, "@agent-reviewer",
	"@/etc/hostname", "@./data.json", "@sub/deep/a.md", "@note.txt, please", "me@note.txt", "(@note.txt)", "@local:note://1", "@long.txt", "@n.ipynb",
	"@note.txt and @data.json", "@../outside.txt", "@note", "@${cwd}/note.txt"}

// mention is a prompt that mentions something: the model is told of it, and a file counts as read.
func mention(b *builder) {
	what := oneOf(b, mentionable...)
	switch what {
	case `@"my notes.txt"`:
		b.files["my notes.txt"] = "alpha of notes\n"
	case "@agent-reviewer":
		b.files[".claude/agents/reviewer.md"] = "---\nname: reviewer\ndescription: Reviews code.\nmodel: haiku\n---\nYou review code.\n"
	case "@long.txt":
		b.files["long.txt"] = longText()
	case "@n.ipynb":
		b.files["n.ipynb"] = emptyNotebook
	}
	if b.one(2) {
		b.say(fakeapi.ToolUse("Edit", `{"file_path":"note.txt","old_string":"beta","new_string":"BETA"}`))
	} else {
		b.say(fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`))
	}
	for _, fact := range []string{"gamma", "app.py", "demo", "text of a", "alpha of notes", "invoke the agent", "long enough to matter"} {
		match := &fakeapi.Match{From: fakeapi.Main, Text: "look at", Told: fact}
		if b.one(3) {
			b.turns = append(b.turns, fakeapi.Turn{Match: match, Text: "I was told of " + fact + "."})
		}
	}
	b.done()
	b.prompt("look at " + what + oneOf(b, "", " for me"))
}

const emptyNotebook = `{"cells": [{"cell_type": "code", "id": "c1", "metadata": {}, "source": ["print(1)"], "outputs": [], "execution_count": null}], ` +
	`"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}` + "\n"
