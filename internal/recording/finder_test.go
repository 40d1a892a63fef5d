package recording

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheShortestFormOfEachNameIsHidden(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"localhost:1", "localhost:0"},
		{"127.0.0.1:4", "127.0.0.1:0"},
		{"/2.sock", "/1.sock"},
		{"2026-11-18T02:10:11Z", "2000-01-01T00:00:00.000Z"},
		{"2026-11-18T02:10:11.5+01:00", "2000-01-01T00:00:00.000Z"},
		{"/claude-1/", "/claude-0/"},
		{"/plans/a.md", "/plans/plan.md"},
		{"2026-11-18-021011", "2000-01-01-000000"},
		{"-blob-1234567890123-a", "-blob-0-0"},
		{"state=0123456789012345678901234567890123456789abc", "state=[secret]"},
		{"localhost%3A1", "localhost%3A0"},
		{"Total duration (API): 1s", "Total duration (API): 0s"},
		{"Next run: Nov 8 9:30am", "Next run: Jan 1 0:00am"},
		{"d21fb5c0-316f-49be-a37a-84173442f7e5", "00000000-0000-4000-8000-000000000001"},
		{"afedcbafedcbafedc", "a0000000000000001"},
		{"0ydrwcd6c-150bf54a", "000000000-00000001"},
		{"ID: bpu9bqnpk", "ID: b00000001"},
		{`"task_id":"bpu9bqnpk"`, `"task_id":"b00000001"`},
		{`"backgroundTaskId":"bpu9bqnpk"`, `"backgroundTaskId":"b00000001"`},
		{"job abcdefab", "job c0000001"},
		{`"id":"abcdefab","humanSchedule"`, `"id":"c0000001","humanSchedule"`},
		{`"id":"abcdefab:0"`, `"id":"e0000001:0"`},
		{`"requestId":"abcdefab:12"`, `"requestId":"e0000001:12"`},
		{`"rootId":"NEb686430aLp_4ptk0-mkQ"`, `"rootId":"r000000000000000000001"`},
		{"backstage and deadbeef", "backstage and deadbeef"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := NewNames("", "").Hide(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestStandInsAreCutOutAsWholeWords(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		ids        []string
	}{
		{"", "", nil},
		{"none here", "none here", nil},
		{"a0000000000000001", "[id]", []string{"a0000000000000001"}},
		{`"00000000-0000-4000-8000-000000000012" b00000001,c0000002.`, `"[id]" [id],[id].`,
			[]string{"00000000-0000-4000-8000-000000000012", "b00000001", "c0000002"}},
		{"000000000-00000001-b00000002", "[id]-[id]", []string{"000000000-00000001", "b00000002"}},
		{"xb00000001 b000000012 b0000000 b0000000x _b00000001", "xb00000001 b000000012 b0000000 b0000000x _b00000001", nil},
	} {
		t.Run(tt.text, func(t *testing.T) {
			rest, ids := CutIDs(tt.text)
			if rest != tt.want {
				t.Errorf("got %q, want %q", rest, tt.want)
			}
			if diff := cmp.Diff(tt.ids, ids); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
