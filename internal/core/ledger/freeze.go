package ledger

import "context"

// Freeze makes money stand still until Thaw: every posting and every new hold
// is refused, unless its command says Thaw. It is kept in the head, so every
// process and every restart respects it.
func (s *Sequencer) Freeze(ctx context.Context, why string) error {
	return s.setFrozen(ctx, "freeze", why)
}

// Unfreeze lets money move again.
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

// Frozen is Refused while money stands still: for commands that let money move
// outside the books.
func (tx *Tx) Frozen() error { return tx.checkFrozen() }
