package wire

import "fmt"

// An AnswerError is what the methods of a [Client] return for a request that was served and whose
// answer does not decode. What lacks members, such as {}, does decode: they have no value then.
type AnswerError struct {
	Subtype string // of the request
	Body    Raw    // of the answer
	Err     error  // a [*Error]
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s was served, but its answer does not decode: %v", e.Subtype, e.Err)
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
