package servers

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/mcp"
)

func TestWhatAServerReturnsIsToldAsTheCLITellsIt(t *testing.T) {
	for _, test := range []struct{ name, result, content, detail, beside string }{
		{"a text", `{"content":[{"type":"text","text":"hi"}]}`, `[{"type":"text","text":"hi"}]`, `[{"type":"text","text":"hi"}]`, `{}`},
		{"structured content takes the place of texts", `{"content":[{"type":"text","text":"hi"}],"structuredContent":{"a":1}}`,
			`"{\"a\":1}"`, `"{\"a\":1}"`, `{"structuredContent":{"a":1}}`},
		{"structured content comes after what is not a text", `{"content":[{"type":"resource_link","uri":"file:///x","name":"x"}],"structuredContent":{"a":1}}`,
			`[{"type":"text","text":"[Resource link: x] file:///x"},{"type":"text","text":"{\"a\":1}"}]`,
			`[{"type":"text","text":"[Resource link: x] file:///x"},{"type":"text","text":"{\"a\":1}"}]`,
			`{"structuredContent":{"a":1},"resourceLinks":[{"uri":"file:///x","name":"x"}]}`},
		{"a link with a description", `{"content":[{"type":"resource_link","uri":"file:///x","name":"x","description":"d"}]}`,
			`[{"type":"text","text":"[Resource link: x] file:///x (d)"}]`, `[{"type":"text","text":"[Resource link: x] file:///x (d)"}]`,
			`{"resourceLinks":[{"uri":"file:///x","name":"x","description":"d"}]}`},
		{"_meta is for SDKs", `{"content":[{"type":"text","text":"hi","_meta":{"b":1}}],"_meta":{"a":1}}`,
			`[{"type":"text","text":"hi"}]`, `[{"type":"text","text":"hi","_meta":{"b":1}}]`, `{"_meta":{"a":1}}`},
		{"an old result", `{"toolResult":"old"}`, `"old"`, `"old"`, `{}`},
		{"what is not a picture is kept in a file", `{"content":[{"type":"audio","data":"AAEC","mimeType":"audio/wav"}]}`,
			`[{"type":"text","text":"[Audio from srv] Binary content (audio/wav, 3 bytes) saved to FILE.wav"}]`,
			`[{"type":"text","text":"[Audio from srv] Binary content (audio/wav, 3 bytes) saved to FILE.wav"}]`, `{}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := object.Parse([]byte(test.result))
			if err != nil {
				t.Fatal(err)
			}
			whole := v.(object.Object)
			s := &Servers{Options: Options{Folder: t.TempDir}}
			u := s.returned("srv", &mcp.Result{Content: whole.List("content"), Structured: whole.Get("structuredContent"), Whole: whole})
			file := regexp.MustCompile(`saved to [^"]*blob[^".]*`)
			for _, part := range []struct {
				what      string
				got, want string
			}{
				{"the model is told", object.Text(u.Content), test.content},
				{"the detail", object.Text(u.Result), test.detail},
				{"beside it", object.Text(u.Beside), test.beside},
			} {
				if diff := cmp.Diff(part.want, file.ReplaceAllString(part.got, "saved to FILE")); diff != "" {
					t.Errorf("%s (-want +got):\n%s", part.what, diff)
				}
			}
		})
	}
}
