package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Command is one write of the product: it reads, writes its own rows and
// posts, all within the group that the sequencer commits.
type Command struct {
	Actor string // who asks; keys of different actors never meet
	Key   string // idempotency key; "" for work that may safely run again
	Body  []byte // the request in full: the same key with another body is a conflict
	// Run does the work. It may be called again when its group could not be
	// written, so it must change nothing but through tx. What it returns is
	// the answer, and is remembered under the key.
	Run func(ctx context.Context, tx *Tx) ([]byte, error)
	// Touches lists accounts that Run will use, if known: they are then read
	// for the whole group at once.
	Touches []Account
	// Thaw lets the command post while the ledger is frozen: corrections.
	Thaw bool
}

// Result is what became of a command.
type Result struct {
	Response []byte
	Replayed bool // an earlier command with this key had done it
}

// Options of a sequencer.
type Options struct {
	Store  Store
	Signer *Signer
	Clock  clock.Clock
	Log    *slog.Logger
	Holder string // how other processes reach this one
	// Whole says why nothing may be written to a ledger that ends at a batch; may be
	// nil. It is asked before each time of leading, when nothing is written yet.
	Whole func(ends int64) error
	// Watch is told of each group committed; may be nil.
	Watch func(commands, transfers, entries int, took time.Duration)
}

const (
	queueLimit   = 8192
	groupLimit   = 512
	cachedAccts  = 100_000
	cachedCmds   = 10_000
	leaseRetry   = 200 * time.Millisecond
	readTimeout  = 10 * time.Second
	maxCachedRsp = 4 << 10
)

// Sequencer runs commands in one order. It is the only writer.
type Sequencer struct {
	opt   Options
	queue chan *waiter
	stop  chan struct{}
	done  chan struct{}

	mu      sync.RWMutex // guards closing against sends on queue
	closing bool

	state atomic.Pointer[State]

	// owned by the loop's goroutine
	head     Head
	accounts *simplelru.LRU[Account, *balance]
	commands *simplelru.LRU[CommandID, CommandRow]
}

// State is what others may know of a sequencer.
type State struct {
	Leading bool
	Head    Head
	Err     error // why it is not leading
}

type waiter struct {
	ctx  context.Context
	cmd  Command
	hash Hash
	done chan outcome
}

type outcome struct {
	result Result
	err    error
}

// Start begins to seek the lease and then to run commands. It returns at once;
// Ready tells when the sequencer leads.
func Start(opt Options) *Sequencer {
	s := &Sequencer{
		opt:      opt,
		queue:    make(chan *waiter, queueLimit),
		stop:     make(chan struct{}),
		done:     make(chan struct{}),
		accounts: newRecent[Account, *balance](),
		commands: newRecent[CommandID, CommandRow](),
	}
	s.state.Store(&State{Err: errs.New(errs.Unavailable, "ledger.just_started", "it has just started")})
	go s.loop()
	return s
}

// Do runs a command and returns when it is durable. The outcome is final
// unless the error is Unavailable: then the same command, with the same key,
// may be sent again and is done at most once.
//
// Errors: what Run returns; Conflict if the key was used with another body;
// Limited if too much waits; Unavailable if this process is not the sequencer,
// is stopping, or the database does not answer.
func (s *Sequencer) Do(ctx context.Context, cmd Command) (Result, error) {
	w, err := s.accept(ctx, cmd)
	if err != nil {
		return Result{}, err
	}
	return w.wait()
}

// Send is Do in two steps: wait gives what Do would. Commands that one
// goroutine sends run in the order in which it sent them, so that many can
// share a commit. Errors: Limited, Unavailable.
func (s *Sequencer) Send(ctx context.Context, cmd Command) (wait func() (Result, error), err error) {
	w, err := s.accept(ctx, cmd)
	if err != nil {
		return nil, err
	}
	return w.wait, nil
}

func (s *Sequencer) accept(ctx context.Context, cmd Command) (*waiter, error) {
	if err := cmd.check(); err != nil {
		return nil, err
	}
	w := &waiter{ctx: ctx, cmd: cmd, hash: sha256.Sum256(cmd.Body), done: make(chan outcome, 1)}
	return w, s.enqueue(w)
}

func (w *waiter) wait() (Result, error) {
	select {
	case o := <-w.done:
		return o.result, o.err
	case <-w.ctx.Done():
		return Result{}, errs.Wrap(errs.Unavailable, w.ctx.Err(), "ledger.answer_late", "No answer in time. Ask again with the same key: it is done at most once.")
	}
}

func (c *Command) check() error {
	if c.Actor == "" || c.Run == nil {
		return errors.New("ledger: command without actor or work")
	}
	if err := checkText("actor", c.Actor, maxActor); err != nil {
		return err
	}
	return checkText("idempotency key", c.Key, maxKey)
}

func (s *Sequencer) enqueue(w *waiter) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closing {
		return errs.New(errs.Unavailable, "server.stopping", "The server is stopping. Ask again in a moment.")
	}
	select {
	case s.queue <- w:
		return nil
	default:
		return errs.New(errs.Limited, "server.busy", "Too much is waiting to be written. Try again in a moment.")
	}
}

// State tells whether this process leads, and where the ledger stands.
func (s *Sequencer) State() State { return *s.state.Load() }

// Ready is nil when the sequencer leads; Unavailable otherwise.
func (s *Sequencer) Ready() error {
	if st := s.State(); !st.Leading {
		return errs.Wrap(errs.Unavailable, st.Err, "ledger.not_ready", "Not ready to write")
	}
	return nil
}

// Leading is nil when the sequencer leads; otherwise why it does not: ErrLeased
// in the chain if another process does.
func (s *Sequencer) Leading() error { return s.State().Err }

// WaitReady blocks until the sequencer leads or ctx ends.
func (s *Sequencer) WaitReady(ctx context.Context) error {
	for {
		err := s.Ready()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-s.done:
			return err
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// Close finishes every command accepted so far and stops.
func (s *Sequencer) Close() {
	s.mu.Lock()
	first := !s.closing
	s.closing = true
	s.mu.Unlock()
	if first {
		close(s.stop)
	}
	<-s.done
}

// loop leads, steps down and leads again until it is stopped. What waits is
// refused only when leading again fails: a short outage costs time, no answers.
func (s *Sequencer) loop() {
	defer close(s.done)
	for {
		lost, release, err := s.lead()
		if err == nil {
			err = s.serve(lost)
			release()
			if err == nil {
				s.rest(errs.New(errs.Unavailable, "server.stopping", "The server is stopping. Ask again in a moment."))
				return
			}
			s.opt.Log.Warn("ledger: stepped down", "err", err)
			s.state.Store(&State{Err: err})
			continue
		}
		s.rest(err)
		select {
		case <-s.stop:
			s.rest(err)
			return
		case <-time.After(leaseRetry):
		}
	}
}

// stopping: Close was called, so that not leading any more is no news.
func (s *Sequencer) stopping() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// rest notes why this process does not lead and refuses what waits.
func (s *Sequencer) rest(why error) {
	if before := s.State().Err; !s.stopping() && !errors.Is(why, ErrLeased) && (before == nil || before.Error() != why.Error()) {
		s.opt.Log.Warn("ledger: not leading", "err", why)
	}
	s.state.Store(&State{Err: why})
	for {
		select {
		case w := <-s.queue:
			w.done <- outcome{err: errs.Wrap(errs.Unavailable, why, "ledger.cannot_write", "Nothing can be written just now. Ask again with the same key.")}
		default:
			return
		}
	}
}

// lead takes the lease and the head. Nothing kept from an earlier time of
// leading is trusted: another sequencer may have written since.
func (s *Sequencer) lead() (lost <-chan struct{}, release func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	lost, release, err = s.opt.Store.Lead(ctx)
	if errors.Is(err, ErrLeased) {
		return nil, nil, errs.Wrap(errs.Unavailable, err, "ledger.other_writer", "another process writes")
	}
	if err != nil {
		return nil, nil, errs.Wrap(errs.Unavailable, err, "ledger.database_does_not_answer", "the database does not answer")
	}
	head, err := s.takeOver(ctx)
	if err != nil {
		release()
		return nil, nil, err
	}
	s.accounts.Purge()
	s.commands.Purge()
	s.setHead(head)
	s.opt.Clock.Raise(time.UnixMicro(head.Recorded))
	return lost, release, nil
}

// takeOver raises the epoch of a head that is what the last batch left. On any
// other nothing is written: a batch that is signed on top of a changed head could
// never be put right by putting the row right. It is looked at again afterwards,
// because the sequencer of another process may have written until then.
func (s *Sequencer) takeOver(ctx context.Context) (Head, error) {
	head, err := s.opt.Store.Head(ctx)
	if err == nil {
		err = s.linked(ctx, head)
	}
	if err == nil && s.opt.Whole != nil {
		err = s.opt.Whole(head.Batch)
	}
	if err == nil {
		head, err = s.opt.Store.TakeOver(ctx, s.opt.Holder)
	}
	if err == nil {
		err = s.linked(ctx, head)
	}
	if err != nil && errs.KindOf(err) == errs.Internal {
		err = errs.Wrap(errs.Unavailable, err, "ledger.database_does_not_answer", "the database does not answer")
	}
	return head, err
}

// linked is Unavailable if the head is not what the last batch left.
func (s *Sequencer) linked(ctx context.Context, head Head) error {
	last, found, err := s.opt.Store.LastBatch(ctx)
	switch {
	case err != nil:
		return err
	case !found && head.Batch == 0 && head.Seq == 0:
		return nil
	case found && head.Batch == last.No && head.Hash == last.Hash && head.Seq == last.Last && head.Recorded == last.Recorded && head.Epoch >= last.Epoch:
		return nil
	}
	return errs.New(errs.Unavailable, "ledger.head_differs", "the head row is not what batch {batch} left, so nothing is written: run 'bifolia verify'", "batch", last.No)
}

func (s *Sequencer) setHead(h Head) {
	s.head = h
	s.state.Store(&State{Leading: true, Head: h})
}

// serve runs groups until it must step down (an error) or is stopped (nil).
func (s *Sequencer) serve(lost <-chan struct{}) error {
	for {
		select {
		case w := <-s.queue:
			if err := s.runGroup(s.drain(w)); err != nil {
				return err
			}
		case <-lost:
			return errs.New(errs.Unavailable, "ledger.lease_lost", "the lease was lost")
		case <-s.stop:
			return s.finish()
		}
	}
}

// finish runs what was accepted before the stop.
func (s *Sequencer) finish() error {
	for {
		select {
		case w := <-s.queue:
			if err := s.runGroup(s.drain(w)); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// drain takes whatever waits.
func (s *Sequencer) drain(first *waiter) []*waiter {
	group := []*waiter{first}
	for len(group) < groupLimit {
		select {
		case w := <-s.queue:
			group = append(group, w)
		default:
			return group
		}
	}
	return group
}
