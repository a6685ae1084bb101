package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// This file makes a group durable and handles failures: no caller is answered
// before the outcome is known and memory matches the store.

// commit writes the group and reports whether it is durable. An error with done
// means that the group is durable, but the sequencer must step down. Memory
// matches the store again before any caller is answered.
func (s *Sequencer) commit(g *group, waiters []*waiter) (done bool, err error) {
	g.addRowHashes(g.db.Witness())
	rows := g.sign()
	err = g.db.Commit(g.ctx, rows)
	var refused *ConstraintError
	switch {
	case errors.As(err, &refused):
		g.forget()
		return false, err
	case errors.Is(err, ErrFenced):
		return false, s.handleFenced(g, waiters, err)
	case errors.Is(err, ErrUnknown):
		return s.resolve(g, rows, waiters, err)
	case err != nil:
		return false, s.abort(g, waiters, err)
	}
	s.committed(g)
	return true, nil
}

func (s *Sequencer) committed(g *group) {
	s.setHead(g.head)
	for _, c := range g.commands {
		if c.Actor != witness && len(c.Response) <= maxCachedRsp {
			s.commands.Add(c.CommandID, c)
		}
	}
	trim(s.accounts, cachedAccts)
	trim(s.commands, cachedCmds)
	for _, f := range g.after {
		f()
	}
}

// abort answers all waiters that nothing was written. The sequencer keeps leading
// after a full disk or a rejected write, but not after a lost database.
func (s *Sequencer) abort(g *group, waiters []*waiter, cause error) error {
	if g != nil {
		g.forget()
		g.db.Rollback()
	}
	err := cause
	if errs.KindOf(err) == errs.Internal {
		err = errs.Wrap(errs.Unavailable, cause, "ledger.not_written_now", "The write failed. Retry with the same idempotency key.")
	}
	s.opt.Log.Error("ledger: group not written", "err", cause, "commands", len(waiters))
	s.answerAll(waiters, err)
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	head, herr := s.opt.Store.Head(ctx)
	if herr != nil || head.Epoch != s.head.Epoch || head.Hash != s.head.Hash {
		return errs.Wrap(errs.Unavailable, errors.Join(cause, herr), "ledger.database_lost", "the database was lost")
	}
	return nil
}

// handleFenced handles a commit that failed because a stored row is not as this
// sequencer left it. It returns errHeadMoved if only the freeze flag changed. If
// the head is the same, another row was changed by hand; otherwise another
// sequencer leads.
func (s *Sequencer) handleFenced(g *group, waiters []*waiter, cause error) error {
	g.forget()
	g.db.Rollback()
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	head, err := s.opt.Store.Head(ctx)
	ours := err == nil && head.Epoch == s.head.Epoch && head.Hash == s.head.Hash && head.Seq == s.head.Seq
	switch {
	case ours && head.Frozen != s.head.Frozen:
		s.setHead(head)
		return errHeadMoved
	case ours:
		return s.abort(g, waiters, errs.Wrap(errs.Unavailable, cause, "ledger.balance_differs", "A stored balance does not match the ledger, so nothing was written. An operator must run 'bifolia verify'."))
	}
	s.answerAll(waiters, errs.Wrap(errs.Unavailable, ErrFenced, "ledger.writer_taken_over", "Another server took over. Retry with the same idempotency key."))
	return errs.Wrap(errs.Unavailable, errors.Join(ErrFenced, err), "ledger.taken_over", "another server took over")
}

// resolve determines the outcome of a commit whose answer was lost. The commit
// may not have begun, so it is fenced off first; the state read after that is
// final. No waiter is answered until the database responds.
func (s *Sequencer) resolve(g *group, rows *Group, waiters []*waiter, cause error) (done bool, err error) {
	g.forget()
	g.db.Rollback()
	s.opt.Log.Error("ledger: outcome of a commit unknown; reloading", "err", cause, "batch", rows.Batch.No)
	stepDown := errs.Wrap(errs.Unavailable, cause, "ledger.database_lost", "the database was lost")
	// Until the outcome is known, no read may be acted on: a payout that only this
	// server has stored must not be broadcast.
	s.state.Store(&State{Err: stepDown})
	for {
		there, err := s.isCommitted(rows)
		switch {
		case err == nil && there:
			s.committed(g)
			s.state.Store(&State{Err: stepDown})
			return true, stepDown
		case err == nil:
			s.answerAll(waiters, errs.Wrap(errs.Unavailable, cause, "ledger.not_written", "Nothing was written. Retry with the same idempotency key."))
			return false, stepDown
		}
		select {
		case <-s.stop:
			s.answerAll(waiters, errs.Wrap(errs.Unavailable, cause, "ledger.write_unknown", "The database does not confirm the change. Retry with the same idempotency key: it runs at most once."))
			return false, stepDown
		case <-time.After(leaseRetry):
		}
	}
}

func (s *Sequencer) isCommitted(rows *Group) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	if err := s.opt.Store.Fence(ctx, rows.Fence.Epoch); err != nil {
		return false, err
	}
	hash, there, err := s.opt.Store.BatchHash(ctx, rows.Batch.No)
	return there && hash == rows.Batch.Hash, err
}

func (s *Sequencer) answerAll(waiters []*waiter, err error) {
	for _, w := range waiters {
		select {
		case w.done <- outcome{err: err}:
		default: // already answered
		}
	}
}
