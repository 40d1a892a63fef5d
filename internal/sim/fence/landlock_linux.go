package fence

import (
	"os"
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
	// fileOnly is the part of that which files have; the rest is that of folders.
	fileOnly = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// The versions of Landlock that can forbid more.
const (
	abiRefer    = 2
	abiTruncate = 3
	abiNetwork  = 4 // to connect
	abiIoctl    = 5
	abiScopes   = 6 // signals and abstract sockets
)

// landlock is the version of Landlock that the system has, 0 for none.
var landlock = sync.OnceValue(func() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
})

// rights are struct landlock_ruleset_attr. That of the unix package has other names of fields from
// one version to the next, and the program that imports this package chooses the version.
type rights struct{ fs, net, scoped uint64 }

// forbidden is all that Landlock can forbid here, and the size of the structure that says so.
func forbidden() (attr rights, size uintptr) {
	attr.fs = reading | writing
	size = unsafe.Offsetof(attr.net)
	if landlock() >= abiRefer {
		attr.fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if landlock() >= abiTruncate {
		attr.fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if landlock() >= abiNetwork {
		attr.net = unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size = unsafe.Offsetof(attr.scoped)
	}
	if landlock() >= abiIoctl {
		attr.fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if landlock() >= abiScopes {
		attr.scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size = unsafe.Sizeof(attr)
	}
	return attr, size
}

// restrict restricts the calling thread, and what it starts, to some folders.
func restrict(write, read []string) error {
	attr, size := forbidden()
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	defer unix.Close(int(fd))
	for _, folder := range write {
		if err := allow(int(fd), folder, attr.fs); err != nil {
			return err
		}
	}
	for _, path := range read {
		_ = allow(int(fd), path, reading) // what is not there is not read
	}
	for _, file := range devices {
		_ = allow(int(fd), file, attr.fs&fileOnly)
	}
	if err := dropCapabilities(); err != nil {
		return os.NewSyscallError("capset", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return filter()
}

// allow lets the rule set access a file, or what is below a folder.
func allow(ruleset int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= fileOnly
	}
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "landlock", Path: path, Err: errno}
	}
	return nil
}

// dropCapabilities takes from the calling thread what root has, but for the right to use files
// whatever their modes are: the working directory may be someone else's.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	keep := data[0].Permitted & (1 << unix.CAP_DAC_OVERRIDE)
	data = [2]unix.CapUserData{{Effective: keep, Permitted: keep}}
	return unix.Capset(&header, &data[0])
}
