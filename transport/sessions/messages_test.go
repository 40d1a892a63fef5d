package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/object"
)

// use and result are an entry of one use of a tool, and its result.
func use(n, parent int, message, tool string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"parentUuid":%q,"timestamp":"2026-01-02T03:04:%02d.000Z","message":{"id":%q,"role":"assistant","content":[{"type":"tool_use","id":%q}]}}`, id(n), id(parent), n, message, tool)
}

func result(n, parent int, tool string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"timestamp":"2026-01-02T03:04:%02d.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q}]}}`, id(n), id(parent), n, tool)
}

func TestMessagesAreTheLatestCourseOfTheConversation(t *testing.T) {
	queued := `{"type":"attachment","uuid":"` + id(3) + `","parentUuid":"` + id(2) + `","attachment":{"type":"queued_command","prompt":"meanwhile","source_uuid":"` + id(30) + `"}}`
	boundary := func(metadata string) string {
		return `{"type":"system","subtype":"compact_boundary","uuid":"` + id(5) + `","parentUuid":null,"logicalParentUuid":"` + id(4) + `","compactMetadata":` + metadata + `}`
	}
	talk := []string{entry("user", 1, 0, "one", ""), entry("assistant", 2, 1, "two", ""), entry("user", 3, 2, "three", ""), entry("assistant", 4, 3, "four", "")}
	for _, test := range []struct {
		name  string
		lines []string
		o     *MessagesOptions
		want  []string
	}{
		{"a line of messages", talk, nil, []string{"one", "two", "three", "four"}},
		{"a page", talk, &MessagesOptions{Skip: 1, Limit: 2}, []string{"two", "three"}},
		{"past the end", talk, &MessagesOptions{Skip: 9}, nil},
		{"taken up again at an earlier message", append(talk[:4:4], entry("user", 5, 2, "again", ""), entry("assistant", 6, 5, "other", "")), nil,
			[]string{"one", "two", "again", "other"}},
		{"what the CLI adds", append(talk[:2:2], entry("user", 5, 2, "meta", `,"isMeta":true`), entry("user", 6, 5, "side", `,"isSidechain":true`), entry("user", 7, 5, "end", "")), nil,
			[]string{"one", "two", "end"}},
		{"a circle", []string{entry("user", 1, 2, "one", ""), entry("assistant", 2, 1, "two", "")}, nil, nil},
		{"compacted", append(talk[:4:4], boundary(`{}`), entry("user", 6, 5, "summary", `,"isCompactSummary":true`), entry("user", 7, 6, "on", "")), nil,
			[]string{"summary", "on"}},
		{"the system, too", append(talk[:4:4], boundary(`{}`), entry("user", 6, 5, "summary", "")), &MessagesOptions{System: true},
			[]string{"system 5", "summary"}},
		{"compacted, with messages that are kept", append(talk[:4:4], boundary(`{"preservedMessages":{"anchorUuid":"`+id(6)+`","uuids":["`+id(3)+`","`+id(4)+`"]}}`),
			entry("user", 6, 5, "summary", ""), entry("user", 7, 6, "on", "")), nil, []string{"summary", "three", "four", "on"}},
		{"compacted, with a segment that is kept", append(talk[:4:4], boundary(`{"preservedSegment":{"anchorUuid":"`+id(6)+`","headUuid":"`+id(3)+`","tailUuid":"`+id(4)+`"}}`),
			entry("user", 6, 5, "summary", ""), entry("user", 7, 6, "on", "")), nil, []string{"summary", "three", "four", "on"}},
		{"tools at once", []string{entry("user", 1, 0, "one", ""), use(2, 1, "m", "a"), use(3, 2, "m", "b"), use(4, 3, "m", "c"), result(5, 2, "a"), result(6, 3, "b"), result(7, 4, "c"),
			entry("assistant", 8, 6, "done", "")}, nil, []string{"one", "assistant 2", "assistant 3", "assistant 4", "user 5", "user 7", "user 6", "done"}},
		{"a prompt while the model works", append(talk[:2:2], queued, entry("assistant", 4, 3, "four", "")), nil, []string{"one", "two", "meanwhile", "four"}},
		{"a prompt at the end", append(talk[:2:2], queued), nil, []string{"one", "two", "meanwhile"}},
		{"nothing", []string{`{"type":"mode"}`}, nil, nil},
	} {
		s := newShelf(t)
		if diff := cmp.Diff(test.want, s.said(s.put("/a", 1, test.lines...), test.o)); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

func TestMessageIsALineOfAStream(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 1, 0, "one", ""), entry("assistant", 2, 1, "two", ""))
	var got []string
	for m, err := range one.Messages(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Frame()
		if err != nil {
			t.Fatal(err)
		}
		switch f := f.(type) {
		case *wire.User:
			got = append(got, "user "+wire.Value(f.UUID))
		case *wire.Assistant:
			got = append(got, "assistant "+f.Message.Content[0].(*wire.TextBlock).Text)
		default:
			t.Errorf("%T", f)
		}
	}
	if diff := cmp.Diff([]string{"user " + id(1), "assistant two"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSubagentsHaveTheirOwnMessages(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 1, 0, "one", ""))
	for name, text := range map[string]string{
		"subagents/agent-a1.jsonl":         entry("user", 1, 0, "job", `,"isSidechain":true`) + "\n" + entry("assistant", 2, 1, "done", `,"isSidechain":true`) + "\n",
		"subagents/agent-a1.meta.json":     `{"agentType":"general-purpose","toolUseId":"toolu_1"}`,
		"subagents/flow/run/agent-b.jsonl": entry("user", 1, 0, "flow", "") + "\n",
	} {
		path := filepath.Join(folderOf(one.path), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	agents, err := one.Subagents()
	if err != nil || len(agents) != 2 || agents[0].ID != "a1" || agents[0].Type != "general-purpose" || agents[1].ID != "b" {
		t.Fatalf("%+v, %v", agents, err)
	}
	n := 0
	for m, err := range agents[0].Messages(t.Context()) {
		if err != nil || m.ParentToolUseID != "toolu_1" {
			t.Errorf("%+v, %v", m, err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d messages", n)
	}
	if err := one.Delete(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folderOf(one.path)); !os.IsNotExist(err) {
		t.Errorf("the files of subagents are left: %v", err)
	}
}

func TestTitleAndTagAreOnLinesOfTheirOwn(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 1, 0, "one", ""), `{"half":`)
	if err := os.Truncate(one.path, size(t, one.path)-1); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func() error{
		func() error { return one.Rename(" a title ") },
		func() error { return one.Tag("\u200ba tag") },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
	}
	info, err := one.Info()
	if err != nil || info.Title != "a title" || info.Summary != "a title" || info.Tag != "a tag" {
		t.Errorf("%+v, %v", info, err)
	}
	if err := one.Untag(); err != nil {
		t.Fatal(err)
	}
	if info, err := one.Info(); err != nil || info.Tag != "" {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestForkIsACopyWithIDsOfItsOwn(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 1, 0, "one", `,"slug":"x","cost":1.50`), `{"type":"progress","uuid":"`+id(2)+`","parentUuid":"`+id(1)+`"}`,
		entry("assistant", 3, 2, "two", ""), entry("user", 4, 3, "side", `,"isSidechain":true`), entry("user", 5, 3, "three", ""),
		`{"type":"tools-used","tools":["Read"],"sessionId":"`+id(1)+`"}`)
	for _, test := range []struct {
		o     *ForkOptions
		said  []string
		title string
	}{
		{nil, []string{"one", "two", "three"}, "one (fork)"},
		{&ForkOptions{UpTo: id(3), Title: " part "}, []string{"one", "two"}, "part"},
	} {
		fork, err := one.Fork(t.Context(), test.o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.said, s.said(fork, nil)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if info, err := fork.Info(); err != nil || info.Title != test.title {
			t.Errorf("%+v, %v", info, err)
		}
		if found, err := s.Find(t.Context(), fork.ID(), "/a"); err != nil || found.Path() != fork.Path() {
			t.Errorf("%+v, %v", found, err)
		}
		text, err := os.ReadFile(fork.path)
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range fork.Entries(context.Background()) {
			if err != nil || e.SessionID != fork.ID() || e.UUID == id(1) || e.Type == "progress" {
				t.Errorf("%+v, %v", e, err)
			}
		}
		if strings.Contains(string(text), "slug") || !strings.Contains(string(text), `"cost":1.50`) || !strings.Contains(string(text), "tools-used") {
			t.Errorf("%s", text)
		}
		var from object.Object
		for o := range forward(text, "forkedFrom") {
			from = o.Object("forkedFrom")
			break
		}
		if from.Text("sessionId") != id(1) || from.Text("messageUuid") != id(1) {
			t.Errorf("%v", from)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(one.path), ".fork-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
