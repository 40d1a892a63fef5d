package transport

import (
	"context"
	"errors"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// lineWord says in a word what a line is that was sent.
func lineWord(line string) string {
	frame, err := wire.Decode([]byte(line))
	if err != nil {
		return err.Error()
	}
	switch f := frame.(type) {
	case *wire.User:
		return "user " + *f.Message.Content.Text
	case *wire.ControlRequest:
		return "request " + f.Request.Subtype() + " " + f.RequestID
	case *wire.ControlCancelRequest:
		return "cancel " + f.RequestID
	case *wire.ControlResponse:
		switch r := f.Response.(type) {
		case *wire.ErrorResponse:
			return "error " + r.RequestID
		case *wire.SuccessResponse:
			return "success " + r.RequestID + " " + bodyWord(r.Response)
		}
	}
	return line
}

// bodyWord says in a word what was answered to a request.
func bodyWord(body codec.Raw) string {
	if behavior, ok := codec.Raw(body).Find("/behavior").Text(); ok {
		return behavior
	}
	if codec.Raw(body).Find("/mcp_response") != nil {
		return "mcp"
	}
	switch string(body) {
	case `{}`:
		return "hook"
	case `{"continue":true}`:
		return "goes on"
	}
	return string(body)
}

// eventWord says in a word what an event is, if it is about the life of the session.
func eventWord(e Event) string {
	switch e := e.(type) {
	case *StateEvent:
		return e.State.String()
	case *CompletedEvent:
		return "completed"
	case *StoppedEvent:
		return "closed"
	case *FailedEvent:
		return "failed: " + errorWord(e.Reason)
	}
	return ""
}

// errorWord says in a word what kind of error it is.
func errorWord(err error) string {
	var (
		initTimeout *InitTimeoutError
		initRefused *InitError
		initExit    *InitExitError
		refused     *CallError
		timeout     *TimeoutError
		exit        *ExitError
		busy        *InputBusyError
		broken      *codec.Error
	)
	word := ""
	if errors.Is(err, ErrNotInitialized) {
		word = "not initialised: "
	}
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &initTimeout):
		return word + "init timeout"
	case errors.As(err, &initRefused):
		return word + "init refused"
	case errors.As(err, &initExit):
		return word + "init exit " + strconv.Itoa(initExit.Exit.Code)
	case errors.As(err, &refused):
		return word + "refused"
	case errors.As(err, &timeout):
		return word + "timeout"
	case errors.As(err, &exit):
		return word + "exit " + strconv.Itoa(exit.Code)
	case errors.Is(err, context.Canceled):
		return word + "cancelled"
	case errors.Is(err, ErrClosed):
		return word + "closed"
	case errors.Is(err, ErrTooManyPending):
		return word + "too many pending"
	case errors.Is(err, ErrInitQueueOverflow):
		return word + "queue is full"
	case errors.Is(err, ErrInputClosed):
		return word + "input closed"
	case errors.Is(err, ErrPeerClosed):
		return word + "peer closed"
	case errors.As(err, &busy):
		return word + "busy"
	case errors.As(err, &broken):
		return word + "undecodable"
	}
	return err.Error()
}
