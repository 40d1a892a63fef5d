package wire

// Allow returns the answer that lets the tool run with its input unchanged.
func (v *CanUseToolRequest) Allow() *PermissionAllow {
	return &PermissionAllow{UpdatedInput: v.Input}
}

// Deny returns the answer that refuses the tool and tells the model why.
func (v *CanUseToolRequest) Deny(message string) *PermissionDeny {
	return &PermissionDeny{Message: message}
}

// Success returns the answer to a request; a nil body is left out.
func (v *ControlRequest) Success(body []byte) *ControlResponse {
	return &ControlResponse{Response: &SuccessResponse{RequestID: v.RequestID, Response: body}}
}

// Fail returns the answer that the request cannot be served.
func (v *ControlRequest) Fail(message string) *ControlResponse {
	return &ControlResponse{Response: &ErrorResponse{RequestID: v.RequestID, Error: message}}
}
