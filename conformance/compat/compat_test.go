package compat_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/conformance/compat"
	"github.com/ccwire/ccwire/conformance/inventory"
	"github.com/ccwire/ccwire/conformance/recordings"
)

var update = flag.Bool("update", false, "rewrite docs/compatibility.md")

func TestTheDocumentIsThatOfTheRecordings(t *testing.T) {
	versions, err := recordings.Versions()
	if err != nil {
		t.Fatal(err)
	}
	var all []*inventory.Inventory
	for _, v := range versions {
		fsys, err := recordings.FS(v)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := inventory.Read(fsys)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, inv)
	}
	var b bytes.Buffer
	if err := compat.Markdown(&b, all); err != nil {
		t.Fatal(err)
	}
	const path = "../../docs/compatibility.md"
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/compatibility.md is stale, run protogen compatibility --out docs/compatibility.md: -want +got\n%s", diff)
	}
}
