package packages

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Programs reads the programs that "make binaries" has put into a folder: protogen-OS-ARCH, with
// .exe for Windows.
func Programs(dir string) (list []Program, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), "protogen-")
		if !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		name = strings.TrimSuffix(name, ".exe")
		system, arch, ok := strings.Cut(name, "-")
		if !ok || strings.Contains(arch, "-") {
			return nil, fmt.Errorf("%s: the name of a program is protogen-OS-ARCH", path)
		}
		p, err := program(path, system, arch)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// Self returns the program that is running.
func Self() (Program, error) {
	path, err := os.Executable()
	if err != nil {
		return Program{}, err
	}
	return program(path, runtime.GOOS, runtime.GOARCH)
}

func program(path, system, arch string) (Program, error) {
	data, err := os.ReadFile(path)
	return Program{OS: system, Arch: arch, Data: data}, err
}

// Name is the name of the program's file.
func (p *Program) Name() string {
	if p.OS == "windows" {
		return "protogen.exe"
	}
	return "protogen"
}
