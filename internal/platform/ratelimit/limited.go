package ratelimit

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// LimitedError is errs.Limited with the time after which to retry.
type LimitedError struct {
	err   *errs.Error
	after time.Duration
}

// NewLimited is errs.Limited with the time after which to retry.
func NewLimited(after time.Duration, code, text string, params ...any) error {
	return &LimitedError{errs.New(errs.Limited, code, text, params...), after}
}

func (e *LimitedError) Error() string { return e.err.Error() }

// Unwrap returns the errs.Error.
func (e *LimitedError) Unwrap() error { return e.err }

// RetryAfter is how long to wait before the next attempt.
func (e *LimitedError) RetryAfter() time.Duration { return e.after }
