package wire

// Allow returns the answer that lets the tool run with its input unchanged.
func (v *CanUseToolRequest) Allow() *PermissionAllow {
	return &PermissionAllow{UpdatedInput: v.Input}
}

// Deny returns the answer that refuses the tool and tells the model why.
func (v *CanUseToolRequest) Deny(message string) *PermissionDeny {
	return &PermissionDeny{Message: message}
}
