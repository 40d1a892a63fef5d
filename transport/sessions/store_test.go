package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/object"
)

// id returns the UUID with a number.
func id(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// A shelf is a store that a test fills.
type shelf struct {
	*Store
	*testing.T
	config string
	day    time.Time
}

func newShelf(t *testing.T) *shelf {
	config := t.TempDir()
	return &shelf{At(config), t, config, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

// put writes a transcript of a working directory, each a minute after the one before.
func (s *shelf) put(dir string, n int, lines ...string) *Session {
	s.Helper()
	path := filepath.Join(s.config, "projects", folderName(dir), id(n)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	s.day = s.day.Add(time.Minute)
	if err := os.Chtimes(path, s.day, s.day); err != nil {
		s.Fatal(err)
	}
	return &Session{id: id(n), path: path}
}

// entry returns a message with more members, after the one with another number; 0 for none.
func entry(kind string, n, parent int, text, more string) string {
	before := "null"
	if parent > 0 {
		before = `"` + id(parent) + `"`
	}
	role := `{"role":"` + kind + `","content":"` + text + `"}`
	if kind == "assistant" {
		role = fmt.Sprintf(`{"id":"msg_%d","role":"assistant","content":[{"type":"text","text":%q}]}`, n, text)
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":"2026-01-02T03:04:%02d.000Z","message":%s%s}`, kind, id(n), before, id(99), n%60, role, more)
}

// said returns the texts of the messages, with a mark for what is not plain.
func (s *shelf) said(session *Session, o *MessagesOptions) (list []string) {
	s.Helper()
	for m, err := range session.Messages(context.Background(), o) {
		if err != nil {
			s.Fatal(err)
		}
		var o object.Object
		if m.Message != nil {
			if err := o.UnmarshalJSON(m.Message); err != nil {
				s.Fatal(err)
			}
		}
		texts, _ := said(object.Of("message", o))
		if len(texts) == 0 {
			texts = []string{m.Type + " " + strings.TrimLeft(m.UUID[24:], "0")}
		}
		list = append(list, texts...)
	}
	return list
}

func TestFolderOfAPathIsThatOfTheCLI(t *testing.T) {
	for _, test := range []struct{ path, want string }{
		{"/home/ü_𝔘/x.y", "-home------x-y"},
		{"/" + strings.Repeat("long/", 50), "-" + strings.Repeat("long-", 39) + "long" + "-dlg7rj"},
		{"/" + strings.Repeat("𝔘", 120), strings.Repeat("-", 200) + "-vsway1"},
	} {
		if got := folderName(test.path); got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}

func TestListIsInTheOrderOfChangesAndLeavesOutWhatIsNotASession(t *testing.T) {
	s := newShelf(t)
	s.put("/a", 1, entry("user", 11, 0, "first", `,"cwd":"/a","gitBranch":"trunk"`), `{"type":"tag","tag":"red","sessionId":"x"}`)
	s.put("/b", 2, entry("user", 21, 0, "second", ""), `{"type":"custom-title","customTitle":"Two","sessionId":"x"}`)
	s.put("/a", 3, entry("user", 31, 0, "of a subagent", `,"isSidechain":true`))
	s.put("/a", 4, `{"type":"mode","mode":"normal"}`)
	s.put("/a", 5, `{"type":"custom-title","customTitle":"only a title"}`)
	s.put("/a", 6, entry("user", 61, 0, "<x>made up</x>", ""), entry("user", 62, 61, "<command-name>/cost</command-name>", ""), entry("assistant", 63, 62, "ok", `,"entrypoint":"sdk-ts"`))
	s.put("/a", 7, entry("user", 71, 0, "went on", ""), `{"type":"continued-in","continuedInSessionId":"`+id(1)+`"}`)
	s.put("/a", 8, "")
	if err := os.WriteFile(filepath.Join(s.config, "projects", "-a", "notes.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		o    *ListOptions
		want []int
	}{
		{"all", nil, []int{6, 5, 2, 1}},
		{"a page", &ListOptions{Skip: 1, Limit: 2}, []int{5, 2}},
		{"past the end", &ListOptions{Skip: 9}, nil},
		{"of a folder", &ListOptions{Dir: "/a", NoWorktrees: true}, []int{6, 5, 1}},
		{"of people", &ListOptions{Interactive: true}, []int{5, 2, 1}},
		{"of nothing", &ListOptions{Dir: "/c"}, nil},
	} {
		list, err := s.List(t.Context(), test.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, i := range list {
			var n int
			fmt.Sscanf(i.ID[24:], "%d", &n)
			got = append(got, n)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
	all, err := s.List(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	first := all[3]
	want := Info{ID: id(1), Path: first.Path, Summary: "first", FirstPrompt: "first", Tag: "red", Dir: "/a", GitBranch: "trunk",
		Created: time.Date(2026, 1, 2, 3, 4, 11, 0, time.UTC), Modified: first.Modified, Size: first.Size}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if all[0].Summary != "/cost" || all[2].Summary != "Two" || all[2].FirstPrompt != "second" {
		t.Errorf("summaries: %+v", all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.List(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
}

// Paths that differ in what is not a letter share a folder.
func TestListLeavesOutSessionsOfAFolderWithTheSameName(t *testing.T) {
	s := newShelf(t)
	root := realPath(t.TempDir())
	mine, other := filepath.Join(root, "a_b"), filepath.Join(root, "a-b")
	for _, dir := range []string{mine, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.put(mine, 1, entry("user", 11, 0, "mine", fmt.Sprintf(`,"cwd":%q`, mine)))
	s.put(other, 2, entry("user", 21, 0, "other", fmt.Sprintf(`,"cwd":%q`, other)))
	list, err := s.List(t.Context(), &ListOptions{Dir: mine, NoWorktrees: true})
	if err != nil || len(list) != 1 || list[0].Summary != "mine" {
		t.Errorf("%+v, %v", list, err)
	}
}

// The suffix of a long path is not the same in all versions of the CLI.
func TestSessionOfALongPathIsFoundWhateverItsSuffix(t *testing.T) {
	s := newShelf(t)
	path := strings.Repeat("/long", 60)
	one := s.put(path, 1, entry("user", 11, 0, "here", fmt.Sprintf(`,"cwd":%q`, path)))
	s.put(path+"x", 2, entry("user", 21, 0, "elsewhere", fmt.Sprintf(`,"cwd":%q`, path+"x")))
	folder := filepath.Dir(one.path)
	if err := os.Rename(folder, folder[:len(folder)-3]+"zzz"); err != nil {
		t.Fatal(err)
	}
	list, err := s.List(t.Context(), &ListOptions{Dir: path, NoWorktrees: true})
	if err != nil || len(list) != 1 || list[0].Summary != "here" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestErrorsCanBeMatched(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, `{"type":"mode"}`)
	for _, test := range []struct {
		name string
		err  func() error
		want error
	}{
		{"no session", func() error { _, err := s.Find(t.Context(), id(9), ""); return err }, ErrNotFound},
		{"no file", func() error { _, err := s.Find(t.Context(), id(9), "/a"); return err }, fs.ErrNotExist},
		{"no id", func() error { _, err := s.Find(t.Context(), "../x", ""); return err }, ErrBadID},
		{"no title", func() error { return one.Rename(" \n") }, ErrEmpty},
		{"no tag", func() error { return one.Tag("\u200b") }, ErrEmpty},
		{"nothing to show", func() error { _, err := one.Info(); return err }, ErrNoMessages},
		{"nothing to fork", func() error { _, err := one.Fork(t.Context(), nil); return err }, ErrNoMessages},
		{"no message", func() error { _, err := one.Fork(t.Context(), &ForkOptions{UpTo: id(5)}); return err }, ErrNoMessage},
		{"deleted", func() error { return errors.Join(one.Delete(), one.Rename("x")) }, ErrNotFound},
	} {
		if err := test.err(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

func TestLinesThatAreNotEntriesAreReportedAndLeftOut(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 11, 0, "one", ""), "not JSON", `{"broken":`, "", "[1]", entry("assistant", 12, 11, "two", ""), `{"type":"user","uuid`)
	if err := os.Truncate(one.path, size(t, one.path)-1); err != nil {
		t.Fatal(err)
	}
	var got []string
	for e, err := range one.Entries(t.Context()) {
		var bad *LineError
		switch {
		case errors.As(err, &bad):
			got = append(got, "bad")
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, e.Type)
		}
	}
	if diff := cmp.Diff([]string{"user", "bad", "bad", "bad", "assistant"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one", "two"}, s.said(one, nil)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// A reader and a writer of titles work beside a CLI that adds lines.
func TestSessionIsReadAndRenamedWhileItGrows(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 1, 0, "one", ""))
	const lines = 200
	var wg sync.WaitGroup
	wg.Go(func() {
		f, err := os.OpenFile(one.path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		for n := 2; n <= lines; n++ {
			fmt.Fprintln(f, entry("assistant", n, n-1, "more", ""))
		}
	})
	for range 20 {
		if err := one.Rename("a title"); err != nil {
			t.Error(err)
		}
		s.said(one, nil)
	}
	wg.Wait()
	if got := len(s.said(one, nil)); got != lines {
		t.Errorf("%d messages, want %d", got, lines)
	}
	if info, err := one.Info(); err != nil || info.Title != "a title" {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestLongTranscriptIsNotHeldInMemory(t *testing.T) {
	s := newShelf(t)
	one := s.put("/a", 1, entry("user", 1, 0, "one", ""))
	f, err := os.OpenFile(one.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("long ", 200_000)
	for n := 2; n <= 48; n++ {
		fmt.Fprintln(f, entry("assistant", n, n-1, text, ""))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, n := heap(), 0
	for _, err := range one.Messages(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 40 {
			if now := heap(); now > before+16<<20 {
				t.Errorf("%d MiB are held", (now-before)>>20)
			}
		}
	}
	if n != 48 {
		t.Errorf("%d messages", n)
	}
}
