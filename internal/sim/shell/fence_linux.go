package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	readFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	reading  = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// writing is what the first version of Landlock can forbid.
	writing = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM
)

// readable are the folders that programs need to run.
var readable = []string{"/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/proc", "/sys", "/dev"}

// programFolders are the folders of PATH, and those of what is installed with their programs: the
// one around a bin or shims, unless that is a home directory.
func programFolders() (list []string) {
	home, _ := os.UserHomeDir() // "" if there is none
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		list = append(list, folder)
		around := filepath.Dir(folder)
		switch filepath.Base(folder) {
		case "bin", "sbin", "shims":
			if around != "/" && around != home && around != filepath.Join(home, ".local") {
				list = append(list, around)
			}
		}
	}
	return list
}

// landlock is the version of Landlock that the system has, 0 for none.
var landlock = sync.OnceValue(func() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
})

// start starts a command that stays in the folders, if there are any.
func start(cmd *exec.Cmd, folders []string) error {
	if folders == nil {
		return cmd.Start()
	}
	if landlock() == 0 {
		return ErrNoFence
	}
	started := make(chan error)
	// The restriction is that of a thread and what it starts. The goroutine ends with its thread
	// locked, so that nothing else ever runs on it.
	go func() {
		runtime.LockOSThread()
		if err := restrict(folders); err != nil {
			started <- fmt.Errorf("landlock: %w", err)
			return
		}
		started <- cmd.Start()
	}()
	return <-started
}

// restrict restricts the calling thread.
func restrict(folders []string) error {
	all := uint64(reading | writing)
	if landlock() >= 2 {
		all |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if landlock() >= 3 {
		all |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: all}
	// The first version knows the first member alone, and takes a longer structure if the rest is
	// 0.
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	for _, folder := range folders {
		if err := allow(int(fd), folder, all); err != nil {
			return err
		}
	}
	for _, folder := range append(programFolders(), readable...) {
		_ = allow(int(fd), folder, reading) // what is not there is not read
	}
	for _, file := range devices {
		_ = allow(int(fd), file, all&(readFile|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_TRUNCATE))
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allow lets the rule set access what is below a path.
func allow(ruleset int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "landlock", Path: path, Err: errno}
	}
	return nil
}
