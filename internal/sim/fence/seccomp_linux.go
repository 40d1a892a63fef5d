package fence

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// auditArch is what the kernel calls the architecture of this program in a filter, 0 if the filter
// does not know it.
var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64, "riscv64": unix.AUDIT_ARCH_RISCV64}[runtime.GOARCH]

// A call is a system call that the filter refuses.
type call struct {
	number uint32
	errno  unix.Errno
	when   condition // the zero value is always
}

// condition is about an argument of a call, of which the lower half counts.
type condition struct {
	arg  int    // from 1 on; 0 is no condition
	mask uint32 // the bits that count; 0 is all
	is   []uint32
	not  bool // it is none of these
}

// fastOpen is the flag of a call that connects while it sends.
const fastOpen = 0x20000000

// refused are the system calls that a thread may not make: what Landlock does not see.
func refused() []call {
	list := []call{
		// A process may listen for TCP, and that is all of the network. Pairs of sockets are made
		// by another call. A ring makes calls that the filter does not see.
		{unix.SYS_SOCKET, unix.EACCES, condition{arg: 1, is: []uint32{unix.AF_INET, unix.AF_INET6}, not: true}},
		{unix.SYS_SOCKET, unix.EACCES, condition{arg: 2, mask: 0xf, is: []uint32{unix.SOCK_STREAM}, not: true}},
		{unix.SYS_SOCKET, unix.EACCES, condition{arg: 3, is: []uint32{0, unix.IPPROTO_TCP}, not: true}},
		{unix.SYS_CONNECT, unix.EACCES, condition{}},
		{unix.SYS_SENDTO, unix.EACCES, condition{arg: 4, mask: fastOpen, is: []uint32{fastOpen}}},
		{unix.SYS_SENDMSG, unix.EACCES, condition{arg: 3, mask: fastOpen, is: []uint32{fastOpen}}},
		{unix.SYS_SENDMMSG, unix.EACCES, condition{arg: 4, mask: fastOpen, is: []uint32{fastOpen}}},
		{unix.SYS_IO_URING_SETUP, unix.ENOSYS, condition{}},
		// Limits of other processes.
		{unix.SYS_PRLIMIT64, unix.EPERM, condition{arg: 1, is: []uint32{0}, not: true}},
	}
	always := []uint32{
		// What other processes have in memory and open.
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
		// What the user's processes share by a name or a number.
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN,
	}
	for _, number := range always {
		list = append(list, call{number, unix.EPERM, condition{}})
	}
	// Signals to this process. The calling thread is in the domain of what it starts, so that
	// Landlock lets these pass; without scopes it lets all of them pass.
	self, group, thread := uint32(unix.Getpid()), uint32(-unix.Getpgrp()), uint32(unix.Gettid())
	for _, number := range []uint32{unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_PIDFD_OPEN} {
		list = append(list, call{number, unix.EPERM, condition{arg: 1, is: []uint32{self, group, thread, ^uint32(0)}}})
	}
	for _, number := range []uint32{unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO} {
		list = append(list, call{number, unix.EPERM, condition{arg: 2, is: []uint32{thread}}})
	}
	return list
}

// Offsets in what a filter sees of a call: its number, the architecture, the arguments.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

// program makes a filter of refused calls.
func program(list []call) []unix.SockFilter {
	load := func(offset int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: uint32(offset)}
	}
	refuse := func(errno unix.Errno) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)}
	}
	// equal goes over some instructions if the loaded value is k, over others if it is not.
	equal := func(k uint32, yes, no int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: uint8(yes), Jf: uint8(no)}
	}
	p := []unix.SockFilter{load(offArch), equal(auditArch, 1, 0), refuse(unix.ENOSYS), load(offNumber)}
	if runtime.GOARCH == "amd64" { // the numbers of the x32 ABI
		p = append(p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: 1 << 30, Jf: 1}, refuse(unix.ENOSYS))
	}
	for _, c := range list {
		var test []unix.SockFilter
		if w := c.when; w.arg > 0 {
			test = append(test, load(offArgs+8*(w.arg-1)))
			if w.mask != 0 {
				test = append(test, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: w.mask})
			}
			for i, k := range w.is {
				left := len(w.is) - i - 1 // tests of the argument
				switch {
				case w.not:
					test = append(test, equal(k, left+1, 0)) // over them and the refusal
				case left > 0:
					test = append(test, equal(k, left, 0)) // to the refusal
				default:
					test = append(test, equal(k, 0, 1)) // over the refusal
				}
			}
		}
		test = append(test, refuse(c.errno))
		if c.when.arg > 0 {
			test = append(test, load(offNumber))
		}
		p = append(p, equal(c.number, 0, len(test)))
		p = append(p, test...)
	}
	return append(p, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}

// filter refuses system calls of the calling thread and of what it starts.
func filter() error {
	p := program(refused())
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return os.NewSyscallError("seccomp", errno)
	}
	return nil
}
