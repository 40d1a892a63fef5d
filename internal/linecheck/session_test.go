package linecheck_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

func TestASessionJudgesTheBodyOfAnAnswerAndKnowsItsQuestion(t *testing.T) {
	s := linecheck.New(true).Session()
	f := linestream.NewFramer(0)
	ask := s.Line(schema.FromSDK, f.Frame([]byte(`{"type":"control_request","request_id":"1","request":{"subtype":"mcp_status"}}`)), 7)
	if ask.Asks == nil || ask.Asks.Subtype != "mcp_status" || len(ask.Findings) > 0 {
		t.Fatalf("the question is %+v", ask)
	}
	v := s.Line(schema.FromCLI, f.Frame([]byte(`{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mcpServers":[],"new":1}}}`)), 8)
	if v.Answers == nil || v.Answers.Place != 7 {
		t.Errorf("the answer is to %+v", v.Answers)
	}
	if len(v.Findings) != 1 || v.Findings[0].Path != "/response/response/new" {
		t.Errorf("the findings are %+v", v.Findings)
	}
}

func TestASessionFindsWhatARunDoes(t *testing.T) {
	entries, err := corpus.Read(corpus.Newest(), "permission/allow")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := recording.Lines(entries)
	if err != nil {
		t.Fatal(err)
	}
	s := linecheck.New(false).Session()
	f := linestream.NewFramer(0)
	dirs := map[recording.Dir]schema.Direction{recording.ToCLI: schema.FromSDK, recording.ToSDK: schema.FromCLI}
	var answered []string
	for i, l := range lines {
		v := s.Line(dirs[l.Dir], f.Frame(l.Text), i)
		if len(v.Findings) > 0 {
			t.Errorf("line %d: %v", i, v.Findings)
		}
		if v.Answers != nil {
			answered = append(answered, v.Answers.Subtype)
		}
	}
	if diff := cmp.Diff([]string{"initialize", "can_use_tool"}, answered); diff != "" {
		t.Error(diff)
	}
}
