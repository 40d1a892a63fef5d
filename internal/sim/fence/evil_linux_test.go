package fence_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// target is what a process looks for in the memory of another one, which is the same program.
var target = [...]byte{4, 7, 1, 1}

// evil is what a model makes the CLI run: it tries one thing, and makes the file done if it could.
func evil(args []string) int {
	number := func(i int) int {
		n, err := strconv.Atoi(args[i])
		if err != nil {
			panic(err)
		}
		return n
	}
	os.WriteFile("ran", nil, 0o600)
	call := func(number uintptr, a ...uintptr) error {
		a = append(a, make([]uintptr, 6)...)
		if _, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
			return errno
		}
		return nil
	}
	dial := func(network, address string) error {
		c, err := net.DialTimeout(network, address, time.Second)
		if err == nil {
			_, err = c.Write([]byte(secret))
		}
		return err
	}
	var err error
	switch args[0] {
	case "ptrace":
		err = call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(number(1)))
	case "vm":
		var b [4]byte
		local := []unix.Iovec{{Base: &b[0], Len: 4}}
		remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&target)), Len: 4}}
		_, err = unix.ProcessVMReadv(number(1), local, remote, 0)
	case "mem":
		var f *os.File
		if f, err = os.Open("/proc/" + args[1] + "/mem"); err == nil {
			_, err = f.ReadAt(make([]byte, 4), int64(uintptr(unsafe.Pointer(&target))))
		}
	case "getfd":
		var fd int
		if fd, err = unix.PidfdOpen(number(1), 0); err == nil {
			_, err = unix.PidfdGetfd(fd, 1, 0)
		}
	case "threads": // those of a process are near its number and near ours
		err = errors.New("none")
		for _, first := range []int{number(1), os.Getpid()} {
			for tid := first - 64; tid < first+64; tid++ {
				if unix.Tgkill(number(1), tid, 0) == nil {
					err = nil
				}
			}
		}
	case "limit":
		err = unix.Prlimit(number(1), unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	case "tcp", "udp", "unix":
		err = dial(args[0], args[1])
	case "fastopen":
		var fd int
		if fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0); err == nil {
			err = unix.Sendto(fd, []byte(secret), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}, Port: number(1)})
			time.Sleep(10 * time.Millisecond) // for the connection, which nothing tells of
		}
	case "netlink":
		_, err = unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0)
	case "ring":
		params := make([]byte, 120)
		err = call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params[0])))
		if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
			break
		}
	case "shm":
		err = call(unix.SYS_SHMGET, 0, 4096, unix.IPC_CREAT|0o600)
	case "keys":
		_, err = unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true)
	case "namespace":
		if err = call(unix.SYS_UNSHARE, unix.CLONE_NEWUSER|unix.CLONE_NEWNS); err == nil {
			err = unix.Mount("tmpfs", "/mnt", "tmpfs", 0, "")
		}
	case "handle":
		var handle unix.FileHandle
		var fd int
		if handle, _, err = unix.NameToHandleAt(unix.AT_FDCWD, args[1], 0); err == nil {
			if fd, err = unix.Open(".", unix.O_RDONLY, 0); err == nil {
				if fd, err = unix.OpenByHandleAt(fd, handle, unix.O_RDONLY); err == nil {
					_, err = unix.Read(fd, make([]byte, 1))
				}
			}
		}
	case "device":
		err = unix.Mknod("disk", unix.S_IFBLK|0o600, int(unix.Mkdev(8, 0)))
	case "swap": // a link takes the place of a file again and again
		for until := time.Now().Add(time.Duration(number(1)) * time.Millisecond); time.Now().Before(until); {
			os.Remove("swapped")
			os.WriteFile("swapped", nil, 0o600)
			os.Remove("swapped")
			os.Symlink(filepath.Join(args[2], "secret.txt"), "swapped")
		}
		return 0
	default:
		panic("unknown: " + args[0])
	}
	if err == nil {
		os.WriteFile("done", nil, 0o600)
	}
	fmt.Println(args[0], err)
	return 0
}
