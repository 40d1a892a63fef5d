package fence

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// system is what programs need to run. Of /etc and /proc it is what has no secrets, also from root;
// of /proc it is nothing that is about a process.
var system = slices.Concat(
	[]string{"/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix"},
	below("/etc", "alternatives bash.bashrc ca-certificates crypto-policies debian_version fonts gai.conf gitconfig group host.conf hostname hosts inputrc "+
		"java java-8-openjdk java-11-openjdk java-17-openjdk java-21-openjdk java-25-openjdk ld.so.cache ld.so.conf ld.so.conf.d locale.alias locale.conf localtime lsb-release "+
		"machine-id magic mime.types nsswitch.conf os-release passwd perl pki/ca-trust/extracted pki/tls/certs pki/tls/openssl.cnf profile protocols python3 "+
		"resolv.conf services shells ssl/certs ssl/openssl.cnf terminfo timezone vimrc"),
	below("/proc", "cpuinfo filesystems loadavg meminfo stat sys/fs sys/kernel sys/vm uptime version vmstat"),
	below("/sys", "devices/system fs/cgroup kernel/mm"),
)

// named is what of that tells of the users and of the machine's network, which programs need and
// the model does not.
var named = below("/etc", "group machine-id passwd resolv.conf")

// Public reports whether a path is a part of the system that is the same for everybody who reads
// it.
func Public(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	within := func(folder string) bool {
		rel, err := filepath.Rel(folder, real)
		return err == nil && filepath.IsLocal(rel)
	}
	return slices.ContainsFunc(system, within) && !slices.ContainsFunc(named, within)
}

// below returns the paths of what is in a folder.
func below(folder, names string) (list []string) {
	for _, name := range strings.Fields(names) {
		list = append(list, filepath.Join(folder, name))
	}
	return list
}

// devices are those that programs use. They may be written too.
var devices = below("/dev", "null zero full random urandom")

// readable is what processes may read, beside what they may write.
func (f *Fence) readable(more []string) []string {
	list := slices.Concat(system, f.options.Read, more)
	path, _ := f.variable("PATH")
	for _, folder := range filepath.SplitList(path) {
		list = append(list, f.installed(folder)...)
	}
	return list
}

// installed returns a folder of programs, and the one around a bin or shims, in which is what was
// installed with them. A folder with the working directory or a home directory in it is neither.
func (f *Fence) installed(folder string) (list []string) {
	if !filepath.IsAbs(folder) {
		return nil
	}
	around := filepath.Dir(folder)
	switch filepath.Base(folder) {
	case "bin", "sbin", "shims":
		if !f.private(around) {
			list = append(list, around)
		}
	}
	if !f.private(folder) {
		list = append(list, folder)
	}
	return list
}

// projects are the names by which the top folder of a project is known.
var projects = []string{".git", "package.json", "node_modules", "pyproject.toml", "go.mod", "Cargo.toml"}

// Named returns the folders that a program needs which the SDK's user has configured with absolute
// paths among some words: that of what is installed with it, that of its project, or the one it is
// in.
func (f *Fence) Named(words ...string) (list []string) {
	for _, word := range words {
		if !filepath.IsAbs(word) {
			continue
		}
		real, err := filepath.EvalSymlinks(word)
		if err != nil {
			continue // it is not there
		}
		for _, path := range slices.Compact([]string{filepath.Clean(word), real}) {
			list = append(list, f.around(path)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (f *Fence) around(path string) []string {
	folder := path
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		folder = filepath.Dir(path)
	}
	if f.private(folder) {
		if folder == path {
			return nil
		}
		return []string{path}
	}
	if list := f.installed(folder); len(list) > 1 {
		return list
	}
	for top := folder; !f.private(top) && top != filepath.Dir(top); top = filepath.Dir(top) {
		has := func(name string) bool { _, err := os.Lstat(filepath.Join(top, name)); return err == nil }
		if slices.ContainsFunc(projects, has) {
			return []string{top}
		}
	}
	return []string{folder}
}

// private reports whether a folder has more in it than programs: the working directory, or a home
// directory or the part of one that is not only for programs.
func (f *Fence) private(folder string) bool {
	home, _ := os.UserHomeDir() // "" if there is none
	session, _ := f.variable("HOME")
	for _, inner := range []string{f.options.Dir, home, session} {
		if !filepath.IsAbs(inner) {
			continue
		}
		rel, err := filepath.Rel(folder, inner)
		if err == nil && filepath.IsLocal(rel) || folder == filepath.Join(inner, ".local") {
			return true
		}
	}
	return false
}
