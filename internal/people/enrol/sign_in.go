package enrol

import (
	"cmp"
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// Unfamiliar mails a member or an operator about a sign-in from a new address, within
// the command that signs in.
func (s *Service) Unfamiliar(ctx context.Context, tx *ledger.Tx, a auth.Arrival) error {
	letter := mail.SignedIn{Name: a.Name, Address: a.Peer.String(), Agent: cmp.Or(a.Agent, "not known")}
	to := a.Email
	if a.Kind == auth.KindMember {
		m, found, err := s.opt.Members.Verified(ctx, tx, a.Owner)
		if err != nil || !found {
			return err
		}
		to, letter.Name, letter.UserID = m.Email, m.Name, m.UID
	}
	if to == "" {
		return nil
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, to, letter)
}
