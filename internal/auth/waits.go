package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/ledger"
)

// PasswordSince is when a member's password was last set, within a command;
// zero if there is no such member.
func (s *Service) PasswordSince(ctx context.Context, rows ledger.Rows, uid int64) (time.Time, error) {
	c, _, err := s.credentialIn(ctx, rows, uid)
	return c.PasswordAt, err
}
