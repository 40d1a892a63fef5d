package wire

// Success returns the answer to a request; a nil body is left out.
func (v *ControlRequest) Success(body []byte) *ControlResponse {
	return &ControlResponse{Response: &SuccessResponse{RequestID: v.RequestID, Response: body}}
}

// Fail returns the answer that the request cannot be served.
func (v *ControlRequest) Fail(message string) *ControlResponse {
	return &ControlResponse{Response: &ErrorResponse{RequestID: v.RequestID, Error: message}}
}
