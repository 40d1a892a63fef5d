package packages_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/packages"
)

func TestTheVersionOfAPackageIsThatOfTheBuild(t *testing.T) {
	for _, row := range []struct{ name, build, asked, want string }{
		{"a release", "v0.1.0", "", "0.1.0"},
		{"a commit", "v0.0.0-20261118235248-6c47bec87520", "", "0.0.0-20261118235248-6c47bec87520"},
		{"a commit and changes", "v0.1.1-0.20261118235248-6c47bec87520+dirty", "", "0.1.1-0.20261118235248-6c47bec87520"},
		{"nothing known", "devel", "", "0.0.0-devel"},
		{"asked for", "v0.1.0", "0.2.0", "0.2.0"},
		{"asked for as a tag", "devel", "v0.2.0", "0.2.0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			info, err := packages.NewInfo(buildinfo.Info{Version: row.build}, row.asked)
			if err != nil || info.Version != row.want {
				t.Errorf("got %q, %v; want %q", info.Version, err, row.want)
			}
		})
	}
	for _, asked := range []string{"1", "0.1", "latest", "01.0.0"} {
		if info, err := packages.NewInfo(buildinfo.Info{}, asked); err == nil {
			t.Errorf("%s is version %s", asked, info.Version)
		}
	}
}

func TestProgramsAreThoseThatMakeBinariesBuilds(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"protogen-linux-amd64", "protogen-windows-arm64.exe", "SHA256SUMS"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	list, err := packages.Programs(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		got = append(got, p.OS+" "+p.Arch+" "+p.Name())
	}
	if want := []string{"linux amd64 protogen", "windows arm64 protogen.exe"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
