package view_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/seeds"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/internal/view"
)

// FuzzView holds the view of any file to: each row is joined to an earlier request, a terminal gets
// nothing to act upon, and a page has the rows as data and nothing else of the file.
func FuzzView(f *testing.F) {
	for _, scenario := range []string{"permission/allow", "hook/mcp-tool", "hook/pre-tool-use-ask"} {
		f.Add(recorded(f, scenario))
	}
	f.Add(evil())
	for _, s := range seeds.Streams() {
		if len(s.Data) < 2000 {
			f.Add(s.Data)
		}
	}
	var empty, begun bytes.Buffer
	writePage(f, &empty, nil)
	view.NewPage(&begun, title, noManual)
	head := begun.String()
	foot := strings.TrimPrefix(empty.String(), head)
	f.Fuzz(func(t *testing.T, file []byte) {
		var rows []view.Row
		err := view.Read(bytes.NewReader(file), linestream.Options{}, func(r view.Row) error {
			rows = append(rows, r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		findings, turns := checkRows(t, rows)
		checkTimeline(t, rows, len(rows)+findings+turns)
		checkPage(t, rows, head, foot)
	})
}

// checkRows returns how many findings and turns the rows have.
func checkRows(t *testing.T, rows []view.Row) (findings, turns int) {
	t.Helper()
	for i, r := range rows {
		if i > 0 && r.Number < rows[i-1].Number || r.Number < 1 {
			t.Fatalf("row %d is line %d", i, r.Number)
		}
		if r.Answers != nil {
			if *r.Answers < 0 || *r.Answers >= i || !strings.HasPrefix(rows[*r.Answers].Kind, "control_request") {
				t.Fatalf("row %d, %q, answers row %d", i, r.Kind, *r.Answers)
			}
			if asked := rows[*r.Answers].Lane; asked == r.Lane && asked != view.Plain {
				t.Fatalf("row %d answers row %d of the same side", i, *r.Answers)
			}
		}
		for _, at := range append([]*int{r.Parent, r.Head}, pointers(r.Uses)...) {
			if at != nil && (*at < 0 || *at >= i) {
				t.Fatalf("row %d is joined to row %d", i, *at)
			}
		}
		if r.Turn != 0 && r.Turn != turns && r.Turn != turns+1 {
			t.Fatalf("turn %d follows turn %d", r.Turn, turns)
		}
		findings, turns = findings+len(r.Findings), max(turns, r.Turn)
		texts := []string{r.Kind, r.Summary, r.Note, r.Raw}
		for _, f := range r.Findings {
			texts = append(texts, f.Path, f.Detail)
		}
		if !utf8.ValidString(strings.Join(texts, " ")) {
			t.Fatalf("row %d is not UTF-8: %+v", i, r)
		}
	}
	return findings, turns
}

func pointers(list []int) (all []*int) {
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}

func checkTimeline(t *testing.T, rows []view.Row, lines int) {
	t.Helper()
	var b bytes.Buffer
	text := view.NewText(&b, 100, terminal.Style{})
	for _, r := range rows {
		if err := text.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if n := bytes.Count(b.Bytes(), []byte("\n")); n != lines {
		t.Fatalf("the timeline has %d lines, want %d:\n%q", n, lines, b.Bytes())
	}
	if !utf8.Valid(b.Bytes()) {
		t.Fatalf("a terminal gets bytes that are not UTF-8:\n%q", b.Bytes())
	}
	for _, c := range b.String() {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Fatalf("a terminal gets %q:\n%q", c, b.Bytes())
		}
	}
}

const (
	rowsElement  = `<script type="application/json" class="rows">`
	textsElement = `<script type="text/plain" class="texts" data-count="`
	elementEnd   = "</script>\n"
)

// checkPage takes the data out of a page: it is the rows, and the rest is what every page has.
func checkPage(t *testing.T, rows []view.Row, head, foot string) {
	t.Helper()
	var b bytes.Buffer
	writePage(t, &b, rows)
	data, ok := strings.CutPrefix(b.String(), head)
	if !ok || !strings.HasSuffix(data, foot) {
		t.Fatal("the page begins or ends with something else than other pages do")
	}
	var got []view.Row
	var texts []string
	for data = strings.TrimSuffix(data, foot); data != ""; {
		element, rest, ended := strings.Cut(data, elementEnd)
		list, isRows := strings.CutPrefix(element, rowsElement)
		packed, isTexts := strings.CutPrefix(element, textsElement)
		var err error
		switch {
		case !ended || !isRows && !isTexts:
			t.Fatalf("the page has something of the file outside its data: %q", data)
		case isRows:
			err = json.Unmarshal([]byte(list), &got)
		default:
			_, packed, _ = strings.Cut(packed, ">")
			err = unpackTexts(packed, &texts)
		}
		if err != nil || strings.Contains(list[1:], "<") {
			t.Fatalf("%v: %q", err, element)
		}
		data = rest
	}
	if len(texts) != len(got) {
		t.Fatalf("%d rows and %d texts", len(got), len(texts))
	}
	for i := range got {
		got[i].Raw = texts[i]
	}
	if !reflect.DeepEqual(rows, got) {
		t.Fatalf("the rows of the page are others (-want +got):\n%s", cmp.Diff(rows, got))
	}
}

func unpackTexts(packed string, texts *[]string) error {
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err != nil {
		return err
	}
	data, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, texts)
}

const title = "a recording"

func noManual(string) (template.HTML, error) { return "", nil }

func writePage(t testing.TB, w io.Writer, rows []view.Row) {
	t.Helper()
	page := view.NewPage(w, title, noManual)
	for _, r := range rows {
		if err := page.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
}
