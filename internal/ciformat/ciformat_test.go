package ciformat

import (
	"bytes"
	"encoding/xml"
	"testing"
	"time"
)

func TestJUnitCountsItsCasesAndHoldsAnyText(t *testing.T) {
	took := 1500 * time.Millisecond
	s := Suite{Name: "<x> & \"y\"", Time: 2 * took, Cases: []Case{
		{Class: "a", Name: "passes", Time: &took},
		{Class: "a", Name: "fails", Failure: &Failure{"bell \a, \xff", "]]> <b>\x1b[31m\nsecond line"}},
		{Class: "a", Name: "is skipped", Skipped: "unknown & old"},
	}}
	var b bytes.Buffer
	if err := s.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	var got xmlSuite
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if got.Name != s.Name || got.Tests != 3 || got.Failures != 1 || got.Skipped != 1 || got.Time != "3.000" {
		t.Errorf("got %+v", got)
	}
	if f := got.Cases[1].Failure; f.Message != "bell , \uFFFD" || f.Text != "]]> <b>[31m\nsecond line" {
		t.Errorf("the failure is %+v", f)
	}
	if got.Cases[0].Time != "1.500" || got.Cases[1].Time != "" || got.Cases[2].Skipped.Message != "unknown & old" {
		t.Errorf("got %+v", got.Cases)
	}
}

func TestSARIFOfNothingHasAnEmptyListOfResults(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSARIF(&b, "tool", nil, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte(`"results": []`)) || !bytes.Contains(b.Bytes(), []byte(`"rules": []`)) {
		t.Errorf("scanners refuse null:\n%s", b.Bytes())
	}
}
