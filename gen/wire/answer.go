package wire

import (
	"encoding/json"
	"errors"
	"strings"
)

// An AnswerError is what the methods of a [Client] return for a request that was served and whose
// answer does not decode. What lacks members, such as {}, does decode: they have no value then.
type AnswerError struct {
	Subtype string // of the request
	Body    Raw    // of the answer
	Err     error  // a [*Error]
}

func (e *AnswerError) Error() string {
	return e.Subtype + " was served, but its answer does not decode: " + e.Err.Error()
}

// Unwrap returns why the answer does not decode.
func (e *AnswerError) Unwrap() error { return e.Err }

// Success returns the answer to a request; a nil body is left out.
func (v *ControlRequest) Success(body []byte) *ControlResponse {
	return &ControlResponse{Response: &SuccessResponse{RequestID: v.RequestID, Response: body}}
}

// Fail returns the answer that the request cannot be served.
func (v *ControlRequest) Fail(message string) *ControlResponse {
	return &ControlResponse{Response: &ErrorResponse{RequestID: v.RequestID, Error: message}}
}

// Answer returns the answer to a request from what a handler returned, such as that of [Dispatch]:
//
//	answer := request.Answer(wire.Dispatch(ctx, handler, request.Request))
//
// The body is an [Appender] or anything that encoding/json encodes. There is an answer in any case,
// so that the other side never waits without end: an error, a nil body and one that cannot be
// encoded are answered with an error; [ErrNotHandled] has the code unsupported_request, unless the
// request does not decode.
func (v *ControlRequest) Answer(body any, err error) *ControlResponse {
	var text Raw
	if err == nil {
		text, err = encodeAnswer(body)
	}
	broken, _ := v.Request.(*UnknownRequest)
	switch {
	case err == nil:
		return v.Success(text)
	case errors.Is(err, ErrNotHandled) && v.Request != nil && (broken == nil || broken.Err == nil):
		return &ControlResponse{Response: &ErrorResponse{
			RequestID: v.RequestID,
			Error:     "unsupported control request subtype: " + v.Request.Subtype(),
			ErrorCode: Ptr(ErrorResponseErrorCodeUnsupportedRequest),
		}}
	}
	return v.Fail(strings.ToValidUTF8(err.Error(), "\uFFFD"))
}

// encodeAnswer returns the JSON of what a handler returned. A null is no answer.
func encodeAnswer(v any) (text Raw, err error) {
	switch v := v.(type) {
	case nil:
		return nil, ErrNilAnswer
	case Appender:
		text, err = v.AppendJSON(nil)
	default:
		text, err = json.Marshal(v)
	}
	if err == nil && text.IsNull() {
		err = ErrNilAnswer
	}
	return text, err
}

// RequestID returns the id of the request that the response answers.
func (v *ControlResponse) RequestID() string {
	switch r := v.Response.(type) {
	case *SuccessResponse:
		return r.RequestID
	case *ErrorResponse:
		return r.RequestID
	case *UnknownResponse:
		return textOf(r.Raw, "/request_id")
	}
	return ""
}

// Body returns the body of the answer, nil if it has none; the error is a [*ResponseError] if the
// request was refused or failed.
func (v *ControlResponse) Body() (Raw, error) {
	switch r := v.Response.(type) {
	case *SuccessResponse:
		return r.Response, nil
	case *ErrorResponse:
		return nil, &ResponseError{r}
	case *UnknownResponse:
		return r.Raw.Find("/response"), nil
	}
	return nil, nil
}

// A ResponseError says that a request was refused or failed, in the words of the other side.
type ResponseError struct {
	Response *ErrorResponse
}

// Error returns what went wrong, with the code if there is one.
func (e *ResponseError) Error() string {
	why := e.Response.Error
	if why == "" {
		why = "refused without a reason"
	}
	if code := e.Response.ErrorCode; code != nil {
		why += " (" + string(*code) + ")"
	}
	return why
}
