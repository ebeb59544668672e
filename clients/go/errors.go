package affiliatehub

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// HubError is a refusal of the hub; Code says why, and is empty for a 401, which never says what was wrong.
type HubError struct {
	Status   int
	Code     string
	Messages []string
	// Param is the first field, parameter or header that is wrong; DocURL leads to an explanation.
	Param, DocURL, RequestID string
	// RetryAfter is how long the hub asks to wait, 0 if it does not.
	RetryAfter time.Duration
}

func (e *HubError) Error() string {
	return fmt.Sprintf("%s: %s", strings.TrimSpace(fmt.Sprint(e.Status, " ", e.Code)), strings.Join(e.Messages, "; "))
}

// RateLimited is a 429: too many requests; RetryAfter says when there is room again. errors.As finds its *HubError, too.
type RateLimited struct{ *HubError }

func (e *RateLimited) Unwrap() error { return e.HubError }

// MissingSetting says that the client was not told where the hub is, or with which key to sign.
type MissingSetting struct{ Names []string }

func (e *MissingSetting) Error() string {
	return fmt.Sprintf(
		"Set %s: the hub's address with /api at its end, and a key's two parts.", strings.Join(e.Names, " and "),
	)
}

// NoAnswer says that no attempt was answered; whether the last was taken is not known.
type NoAnswer struct {
	Method, Path string
	Cause        error
}

func (e *NoAnswer) Error() string {
	return fmt.Sprintf("%s %s was not answered: %v", e.Method, e.Path, e.Cause)
}

func (e *NoAnswer) Unwrap() error { return e.Cause }

// errorOf returns the error for an answer; its body may be a proxy's, and no JSON.
func errorOf(status int, raw []byte, asked time.Duration) error {
	var body struct {
		Message                        any
		Code, Param, DocURL, RequestID string
	}
	fault := &HubError{Status: status, RetryAfter: asked}
	if json.Unmarshal(raw, &body) != nil {
		if len(raw) > 200 {
			raw = raw[:200]
		}
		body.Message = string(raw)
	}
	fault.Code, fault.Param, fault.DocURL, fault.RequestID = body.Code, body.Param, body.DocURL, body.RequestID
	switch message := body.Message.(type) {
	case string:
		fault.Messages = []string{message}
	case []any:
		for _, each := range message {
			fault.Messages = append(fault.Messages, fmt.Sprint(each))
		}
	}
	if status == 429 {
		return &RateLimited{fault}
	}
	return fault
}
