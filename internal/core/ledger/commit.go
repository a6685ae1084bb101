package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Making a group durable, and what follows when that fails: nobody is told
// anything before it is known what the store holds, and the memory agrees.

// commit writes the group; done tells whether it is durable. An error with
// done means that it is, but the sequencer must step down. Before anybody hears
// of a failure the memory is made to match the store again.
func (s *Sequencer) commit(g *group, waiters []*waiter) (done bool, err error) {
	g.vouch(g.db.Witness())
	rows := g.seal()
	err = g.db.Commit(g.ctx, rows)
	var refused *ConstraintError
	switch {
	case errors.As(err, &refused):
		g.forget()
		return false, err
	case errors.Is(err, ErrFenced):
		return false, s.fenced(g, waiters, err)
	case errors.Is(err, ErrUnknown):
		return s.resolve(g, rows, waiters, err)
	case err != nil:
		return false, s.giveUp(g, waiters, err)
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

// giveUp answers everyone that nothing was written. A full disk or a refused
// write leaves the sequencer leading; a lost database does not.
func (s *Sequencer) giveUp(g *group, waiters []*waiter, cause error) error {
	if g != nil {
		g.forget()
		g.db.Rollback()
	}
	err := cause
	if errs.KindOf(err) == errs.Internal {
		err = errs.Wrap(errs.Unavailable, cause, "ledger.not_written_now", "Nothing could be written. Ask again with the same key.")
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

// fenced: what is stored is not what this sequencer left. If only the freeze
// flag changed, errHeadMoved; if the head is the same, some other row was
// changed by hand; otherwise another sequencer leads.
func (s *Sequencer) fenced(g *group, waiters []*waiter, cause error) error {
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
		return s.giveUp(g, waiters, errs.Wrap(errs.Unavailable, cause, "ledger.balance_differs", "A stored balance is not what the ledger left: nothing was written. An operator must run 'bifolia verify'."))
	}
	s.answerAll(waiters, errs.Wrap(errs.Unavailable, ErrFenced, "ledger.writer_taken_over", "Another process took over writing. Ask again with the same key."))
	return errs.Wrap(errs.Unavailable, errors.Join(ErrFenced, err), "ledger.taken_over", "another process took over")
}

// resolve finds out what became of a commit whose answer was lost. It may not
// even have begun: so it is fenced off first, and what is read after that is
// final. Until the database answers, nobody is answered.
func (s *Sequencer) resolve(g *group, rows *Group, waiters []*waiter, cause error) (done bool, err error) {
	g.forget()
	g.db.Rollback()
	s.opt.Log.Error("ledger: outcome of a commit unknown; reloading", "err", cause, "batch", rows.Batch.No)
	stepDown := errs.Wrap(errs.Unavailable, cause, "ledger.database_lost", "the database was lost")
	// Until it is known, nothing that is read may be acted on: a payout that only
	// this server has must not be broadcast.
	s.state.Store(&State{Err: stepDown})
	for {
		there, err := s.isCommitted(rows)
		switch {
		case err == nil && there:
			s.committed(g)
			s.state.Store(&State{Err: stepDown})
			return true, stepDown
		case err == nil:
			s.answerAll(waiters, errs.Wrap(errs.Unavailable, cause, "ledger.not_written", "Nothing was written. Ask again with the same key."))
			return false, stepDown
		}
		select {
		case <-s.stop:
			s.answerAll(waiters, errs.Wrap(errs.Unavailable, cause, "ledger.write_unknown", "No answer from the database. Ask again with the same key: it is done at most once."))
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
		default: // answered already
		}
	}
}
