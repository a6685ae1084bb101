package ledger

import "context"

// Freeze freezes the ledger until Unfreeze: every posting and every new hold is
// refused, unless its command sets Thaw. The flag is stored in the head, so it
// applies to every process and survives restarts.
func (s *Sequencer) Freeze(ctx context.Context, why string) error {
	return s.setFrozen(ctx, "freeze", why)
}

// Unfreeze ends a freeze.
func (s *Sequencer) Unfreeze(ctx context.Context) error {
	return s.setFrozen(ctx, "unfreeze", "")
}

func (s *Sequencer) setFrozen(ctx context.Context, actor, why string) error {
	if err := checkText("reason", why, maxReason); err != nil {
		return err
	}
	_, err := s.Do(ctx, Command{Actor: actor, Thaw: true, Run: func(_ context.Context, tx *Tx) ([]byte, error) {
		tx.g.head.Frozen = why
		return nil, nil
	}})
	if err == nil {
		s.opt.Log.Warn("ledger: "+actor, "reason", why)
	}
	return err
}

// Frozen returns Refused while the ledger is frozen, for commands that cause
// payments outside the ledger.
func (tx *Tx) Frozen() error { return tx.checkFrozen() }
