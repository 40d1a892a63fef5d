package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

var (
	kernel32                 = syscall.NewLazyDLL("kernel32.dll")
	generateConsoleCtrlEvent = kernel32.NewProc("GenerateConsoleCtrlEvent")
	createJobObject          = kernel32.NewProc("CreateJobObjectW")
	setInformationJobObject  = kernel32.NewProc("SetInformationJobObject")
	assignProcessToJobObject = kernel32.NewProc("AssignProcessToJobObject")
	terminateJobObject       = kernel32.NewProc("TerminateJobObject")
)

const hasProcesses = true

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// members is a job object: the process and the descendants that it started after it was put there.
// The system kills them when the last handle of the job is closed, and ours is the only one.
type members struct {
	leader *os.Process
	job    syscall.Handle // 0 if the system refused it: then there is only the leader
}

func newMembers(leader *os.Process) members {
	m := members{leader: leader}
	job, err := newJob()
	if err != nil {
		return m
	}
	if err := assign(leader.Pid, job); err != nil {
		syscall.CloseHandle(job)
		return m
	}
	m.job = job
	return m
}

// assign puts a process into a job. Somebody has a handle of it, so its id is its own.
func assign(pid int, job syscall.Handle) error {
	const setQuotaAndTerminate = 0x0101 // PROCESS_SET_QUOTA | PROCESS_TERMINATE
	process, err := syscall.OpenProcess(setQuotaAndTerminate, false, uint32(pid))
	if err != nil {
		return err
	}
	defer syscall.CloseHandle(process)
	if ok, _, err := assignProcessToJobObject.Call(uintptr(job), uintptr(process)); ok == 0 {
		return err
	}
	return nil
}

// newJob makes a job that ends with its last handle.
func newJob() (syscall.Handle, error) {
	const (
		extendedLimitInformation = 9      // JobObjectExtendedLimitInformation
		killOnJobClose           = 0x2000 // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	)
	job, _, err := createJobObject.Call(0, 0)
	if job == 0 {
		return 0, err
	}
	limits := jobLimits{flags: killOnJobClose}
	ok, _, err := setInformationJobObject.Call(job, extendedLimitInformation, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits))
	if ok == 0 {
		syscall.CloseHandle(syscall.Handle(job))
		return 0, err
	}
	return syscall.Handle(job), nil
}

// jobLimits is JOBOBJECT_EXTENDED_LIMIT_INFORMATION as 64-bit systems have it, of which only the
// flags are set. Others refuse its size, and there is no job.
type jobLimits struct {
	perProcessUserTime, perJobUserTime int64
	flags                              uint32
	minWorkingSet, maxWorkingSet       uintptr
	activeProcesses                    uint32
	affinity                           uintptr
	priorityClass, schedulingClass     uint32
	io                                 [6]uint64
	processMemory, jobMemory           uintptr
	peakProcessMemory, peakJobMemory   uintptr
}

// interrupt sends CTRL_BREAK: a process in a new group ignores CTRL_C. Without a console it is not
// possible.
func (m members) interrupt() error {
	ok, _, err := generateConsoleCtrlEvent.Call(syscall.CTRL_BREAK_EVENT, uintptr(m.leader.Pid))
	if ok == 0 {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return nil
}

func (m members) terminate() error { return errors.ErrUnsupported }

func (m members) kill() error {
	if m.job == 0 {
		return m.leader.Kill()
	}
	ok, _, err := terminateJobObject.Call(uintptr(m.job), 1)
	if ok == 0 {
		return errors.Join(err, m.leader.Kill())
	}
	return nil
}

func (m members) release() {
	if m.job != 0 {
		syscall.CloseHandle(m.job)
	}
}

// signalOf returns "": a process is ended with a code here.
func signalOf(*os.ProcessState) string { return "" }
