package fakeapi

import (
	"net/http"
	"strconv"
)

// errorTypes are the API's error types by HTTP status.
var errorTypes = map[int]string{
	http.StatusBadRequest:            "invalid_request_error",
	http.StatusUnauthorized:          "authentication_error",
	http.StatusForbidden:             "permission_error",
	http.StatusNotFound:              "not_found_error",
	http.StatusRequestEntityTooLarge: "request_too_large",
	http.StatusTooManyRequests:       "rate_limit_error",
	http.StatusGatewayTimeout:        "timeout_error",
	529:                              "overloaded_error",
}

// apiError is the body of an error answer, and the data of an error event.
type apiError struct {
	Type      string         `json:"type"`
	Error     apiErrorDetail `json:"error"`
	RequestID string         `json:"request_id"`
}

type apiErrorDetail struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

func (e *Error) body(key string) apiError {
	b := apiError{Type: "error", Error: apiErrorDetail{Type: e.Type, Message: e.Message}, RequestID: "req_" + key}
	if b.Error.Type == "" {
		b.Error.Type = errorTypes[e.Status]
	}
	if b.Error.Type == "" {
		b.Error.Type = "api_error"
		if e.Status >= 400 && e.Status < 500 {
			b.Error.Type = "invalid_request_error"
		}
	}
	if b.Error.Message == "" {
		b.Error.Message = b.Error.Type
	}
	return b
}

// header sets the error's own headers.
func (e *Error) header(h http.Header) {
	if e.RetryAfter != nil {
		h.Set("Retry-After", strconv.Itoa(*e.RetryAfter))
	}
}
