package pypi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/archive"
)

// platforms are the tags of wheels. The program is static, so that one wheel is for every libc; Go
// asks for the versions of macOS.
var platforms = map[string]string{
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// wheel makes the wheel with a program.
func wheel(s *packages.Source, program *packages.Program, pure []archive.Entry) (packages.File, error) {
	platform := platforms[program.OS+"/"+program.Arch]
	if platform == "" {
		return packages.File{}, fmt.Errorf("there is no wheel for %s/%s", program.OS, program.Arch)
	}
	version, err := pep440(s.Info.Version)
	if err != nil {
		return packages.File{}, err
	}
	common, err := s.Common()
	if err != nil {
		return packages.File{}, err
	}
	name := "ccwire-" + version
	script := name + ".data/scripts/ccwire"
	if program.OS == "windows" {
		script += ".exe"
	}
	entries := []archive.Entry{{Path: script, Data: program.Data, Exec: true}}
	var readme []byte
	for _, e := range slices.Concat(pure, common) {
		switch e.Path {
		case "README.md":
			readme = e.Data
			continue
		case "LICENSE":
			e.Path = name + ".dist-info/licenses/LICENSE"
		case "provenance.json":
			e.Path = "ccwire/provenance.json"
		}
		entries = append(entries, e)
	}
	for _, e := range []archive.Entry{
		{Path: "METADATA", Data: metadata(version, readme)},
		{Path: "WHEEL", Data: about(platform)},
		{Path: "entry_points.txt", Data: []byte("[pytest11]\nccwire = ccwire.pytest_plugin\n")},
	} {
		e.Path = name + ".dist-info/" + e.Path
		entries = append(entries, e)
	}
	entries = append(entries, record(name+".dist-info/RECORD", entries))
	packed, err := archive.Zip(entries)
	return packages.File{Name: name + "-py3-none-" + platform + ".whl", Data: packed}, err
}

// metadata returns what PyPI shows of the package.
func metadata(version string, readme []byte) []byte {
	return fmt.Appendf(nil, `Metadata-Version: 2.4
Name: ccwire
Version: %s
Summary: %s
License-Expression: MIT
License-File: LICENSE
Project-URL: Homepage, %[3]s
Project-URL: Source, %[3]s
Keywords: claude,claude-code,stream-json,testing
Classifier: Framework :: Pytest
Classifier: Operating System :: MacOS
Classifier: Operating System :: Microsoft :: Windows
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Testing
Classifier: Typing :: Typed
Requires-Python: >=%s
Description-Content-Type: text/markdown

%s`, version, packages.Description, packages.Repository, OldestPython, readme)
}

// about returns what the file WHEEL says: the format, and a tag for each platform.
func about(platform string) []byte {
	out := []byte("Wheel-Version: 1.0\nGenerator: ccwire\nRoot-Is-Purelib: false\n")
	for p := range strings.SplitSeq(platform, ".") {
		out = fmt.Appendf(out, "Tag: py3-none-%s\n", p)
	}
	return out
}

// record lists the files of a wheel with their checksums, and itself without one.
func record(path string, entries []archive.Entry) archive.Entry {
	var out bytes.Buffer
	for _, e := range entries {
		sum := sha256.Sum256(e.Data)
		fmt.Fprintf(&out, "%s,sha256=%s,%d\n", e.Path, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.Data))
	}
	fmt.Fprintf(&out, "%s,,\n", path)
	return archive.Entry{Path: path, Data: out.Bytes()}
}
