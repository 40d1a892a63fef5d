package adopt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/adopt/after"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// TestTheTwinHasTheAPIOfTheFirst compares what the packages export. The twin may have more types,
// and more fields.
func TestTheTwinHasTheAPIOfTheFirst(t *testing.T) {
	was, is := exported(t, "before"), exported(t, "after")
	if len(was) < 60 {
		t.Errorf("only %d names", len(was))
	}
	for _, name := range was {
		if !slices.Contains(is, name) {
			t.Errorf("the twin lacks %s", name)
		}
	}
}

// exported lists the exported functions, types and fields of a package, with their types.
func exported(t *testing.T, dir string) (names []string) {
	t.Helper()
	files := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := func(n any) string {
		var b bytes.Buffer
		if err := format.Node(&b, files, n); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, path := range paths {
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				d.Body = nil
				for _, p := range d.Type.Params.List {
					p.Names = nil
				}
				if d.Recv != nil {
					d.Recv.List[0].Names = nil
				}
				names = append(names, text(d))
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						names = append(names, typeMembers(s, text)...)
					}
				}
			}
		}
	}
	return names
}

func typeMembers(s *ast.TypeSpec, text func(any) string) (names []string) {
	st, ok := s.Type.(*ast.StructType)
	if !ok {
		return []string{"type " + text(s)}
	}
	names = []string{"type " + s.Name.Name + " struct"}
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			names = append(names, s.Name.Name+"."+name.Name+" "+text(f.Type))
		}
	}
	return names
}

// otherwise are fields that the twin fills otherwise, with the reason.
var otherwise = map[string]string{
	"AssistantMessage.Error": "the CLI has it beside the message, where the first does not look",
}

func TestMessagesOfBothSayTheSame(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, session := range sessions {
		if testing.Short() && i%20 != 0 {
			continue
		}
		for j := range session.Lines {
			line := &session.Lines[j]
			if line.Dir != recording.ToSDK {
				continue
			}
			was, err := old.parse(line.Text)
			if err != nil {
				continue
			}
			is, err := twin.parse(line.Text)
			if err != nil {
				t.Errorf("%s: %v", session.At(line), err)
				continue
			}
			compared++
			if diff := cmp.Diff(plain(reflect.ValueOf(was)), plain(reflect.ValueOf(is))); diff != "" {
				t.Errorf("%s: %s", session.At(line), diff)
			}
		}
	}
	if compared < 400 {
		t.Errorf("only %d messages", compared)
	}
}

// plain returns a message without the names of its packages, and without the frames of the twin.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Struct:
		fields := map[string]any{"": v.Type().Name()}
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name != "Frame" && otherwise[v.Type().Name()+"."+name] == "" {
				fields[name] = plain(v.Field(i))
			}
		}
		return fields
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case reflect.Map:
		fields := map[string]any{}
		for _, key := range v.MapKeys() {
			fields[key.String()] = plain(v.MapIndex(key))
		}
		if len(fields) == 0 {
			return nil // an absent map and an empty one
		}
		return fields
	}
	return v.Interface()
}

func TestALongLineEndsTheFirstAndNotTheTwin(t *testing.T) {
	long := fmt.Sprintf(`{"type":"system","subtype":"init","cwd":%q}`, strings.Repeat("x", 2<<20))
	stream := long + "\n" + `{"type":"system","subtype":"status"}` + "\n"
	for _, row := range []struct {
		sdk  sdk
		want int
	}{{old, 0}, {twin, 2}} {
		came, failed := 0, 0
		synctest.Test(t, func(*testing.T) {
			c := row.sdk.open(strings.NewReader(stream), new(recorder), host{onError: func(error) { failed++ }})
			c.each(func(any) { came++ })
		})
		if came != row.want {
			t.Errorf("%s: %d messages and %d errors, want %d messages", row.sdk.name, came, failed, row.want)
		}
	}
	huge := `{"type":"result","uuid":"u","result":"` + strings.Repeat("x", 17<<20) + `"}` + "\n" + `{"type":"keep_alive"}` + "\n"
	var kinds []string
	synctest.Test(t, func(*testing.T) {
		c := twin.open(strings.NewReader(huge), new(recorder), host{})
		c.each(func(msg any) { kinds = append(kinds, msg.(*after.OtherMessage).Type()) })
	})
	if diff := cmp.Diff([]string{"result", "keep_alive"}, kinds); diff != "" {
		t.Error(diff)
	}
}
