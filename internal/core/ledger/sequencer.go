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

// Command is one write: it reads, writes its own rows and posts, all within the
// group that the sequencer commits.
type Command struct {
	Actor string // the caller; each actor has a separate set of keys
	Key   string // idempotency key; "" for work that may safely run again
	Body  []byte // the whole request: the same key with another body is a conflict
	// Run does the work. It is called again if its group could not be written, so
	// it must make all changes through tx. Its result is the answer, which is
	// stored under the key.
	Run func(ctx context.Context, tx *Tx) ([]byte, error)
	// Touches lists the accounts that Run uses, if known: they are read in one
	// query for the whole group.
	Touches []Account
	// Thaw allows the command to post while the ledger is frozen, for corrections.
	Thaw bool
}

// Result is the result of a command.
type Result struct {
	Response []byte
	Replayed bool // the answer is that of an earlier command with this key
}

// Options of a sequencer.
type Options struct {
	Store  Store
	Signer *Signer
	Clock  clock.Clock
	Log    *slog.Logger
	Holder string // address of this process for the other processes
	// Whole returns an error if a ledger that ends at a batch must not be written;
	// may be nil. It is called each time before this process begins to lead.
	Whole func(ends int64) error
	// Watch is called for each committed group; may be nil.
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

// State is the public state of a sequencer.
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

// Start starts a sequencer, which takes the lease and then runs commands. Start
// returns at once; Ready reports when the sequencer leads.
func Start(opt Options) *Sequencer {
	s := &Sequencer{
		opt:      opt,
		queue:    make(chan *waiter, queueLimit),
		stop:     make(chan struct{}),
		done:     make(chan struct{}),
		accounts: newRecent[Account, *balance](),
		commands: newRecent[CommandID, CommandRow](),
	}
	s.state.Store(&State{Err: errs.New(errs.Unavailable, "ledger.just_started", "the server has just started")})
	go s.loop()
	return s
}

// Do runs a command and returns when it is durable. The outcome is final
// unless the error is Unavailable: then the same command, with the same key,
// may be sent again and is done at most once.
//
// Errors: those of Run; Conflict if the key was used with another body; Limited if
// the queue is full; Unavailable if this process is not the sequencer, is stopping,
// or the database does not respond.
func (s *Sequencer) Do(ctx context.Context, cmd Command) (Result, error) {
	w, err := s.accept(ctx, cmd)
	if err != nil {
		return Result{}, err
	}
	return w.wait()
}

// Send is Do in two steps: wait returns the result of Do. Commands that one
// goroutine sends run in the order sent, and can share a commit. Errors: Limited,
// Unavailable.
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
		return Result{}, errs.Wrap(errs.Unavailable, w.ctx.Err(), "ledger.answer_late", "The answer is late. Retry with the same idempotency key: it runs at most once.")
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
		return errs.New(errs.Unavailable, "server.stopping", "The server is stopping. Try again in a moment.")
	}
	select {
	case s.queue <- w:
		return nil
	default:
		return errs.New(errs.Limited, "server.busy", "Too many writes are queued. Try again in a moment.")
	}
}

// State returns whether this process leads, and the head.
func (s *Sequencer) State() State { return *s.state.Load() }

// Ready returns nil if the sequencer leads; Unavailable otherwise.
func (s *Sequencer) Ready() error {
	if st := s.State(); !st.Leading {
		return errs.Wrap(errs.Unavailable, st.Err, "ledger.not_ready", "Not ready to write")
	}
	return nil
}

// Leading returns nil if the sequencer leads, and otherwise the reason why not,
// which wraps ErrLeased if another process leads.
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

// Close finishes all accepted commands and stops.
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

// loop leads, steps down and leads again until it is stopped. Queued commands are
// refused only if leading again fails, so that a short outage only delays them.
func (s *Sequencer) loop() {
	defer close(s.done)
	for {
		lost, release, err := s.lead()
		if err == nil {
			err = s.serve(lost)
			release()
			if err == nil {
				s.refuseQueued(errs.New(errs.Unavailable, "server.stopping", "The server is stopping. Try again in a moment."))
				return
			}
			s.opt.Log.Warn("ledger: stepped down", "err", err)
			s.state.Store(&State{Err: err})
			continue
		}
		s.refuseQueued(err)
		select {
		case <-s.stop:
			s.refuseQueued(err)
			return
		case <-time.After(leaseRetry):
		}
	}
}

// stopping reports whether Close was called: the end of leading is then expected.
func (s *Sequencer) stopping() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// refuseQueued records why this process does not lead and refuses the queued
// commands.
func (s *Sequencer) refuseQueued(why error) {
	if before := s.State().Err; !s.stopping() && !errors.Is(why, ErrLeased) && (before == nil || before.Error() != why.Error()) {
		s.opt.Log.Warn("ledger: not leading", "err", why)
	}
	s.state.Store(&State{Err: why})
	for {
		select {
		case w := <-s.queue:
			w.done <- outcome{err: errs.Wrap(errs.Unavailable, why, "ledger.cannot_write", "The server cannot write at the moment. Retry with the same idempotency key.")}
		default:
			return
		}
	}
}

// lead takes the lease and reads the head. It empties the caches, because another
// sequencer may have written since this process last led.
func (s *Sequencer) lead() (lost <-chan struct{}, release func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	lost, release, err = s.opt.Store.Lead(ctx)
	if errors.Is(err, ErrLeased) {
		return nil, nil, errs.Wrap(errs.Unavailable, err, "ledger.other_writer", "another process writes")
	}
	if err != nil {
		return nil, nil, errs.Wrap(errs.Unavailable, err, "ledger.database_does_not_answer", "the database does not respond")
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

// takeOver raises the epoch if the head matches the last batch. Nothing is written
// on a changed head: restoring the row could not repair a batch that is signed on
// top of it. The head is checked again afterwards, because the sequencer of
// another process may have written in between.
func (s *Sequencer) takeOver(ctx context.Context) (Head, error) {
	head, err := s.opt.Store.Head(ctx)
	if err == nil {
		err = s.checkHead(ctx, head)
	}
	if err == nil && s.opt.Whole != nil {
		err = s.opt.Whole(head.Batch)
	}
	if err == nil {
		head, err = s.opt.Store.TakeOver(ctx, s.opt.Holder)
	}
	if err == nil {
		err = s.checkHead(ctx, head)
	}
	if err != nil && errs.KindOf(err) == errs.Internal {
		err = errs.Wrap(errs.Unavailable, err, "ledger.database_does_not_answer", "the database does not respond")
	}
	return head, err
}

// checkHead returns Unavailable if the head does not match the last batch.
func (s *Sequencer) checkHead(ctx context.Context, head Head) error {
	last, found, err := s.opt.Store.LastBatch(ctx)
	switch {
	case err != nil:
		return err
	case !found && head.Batch == 0 && head.Seq == 0:
		return nil
	case found && head.Batch == last.No && head.Hash == last.Hash && head.Seq == last.Last && head.Recorded == last.Recorded && head.Epoch >= last.Epoch:
		return nil
	}
	return errs.New(errs.Unavailable, "ledger.head_differs", "the head row does not match batch {batch}, so nothing is written: run 'bifolia verify'", "batch", last.No)
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

// finish runs the commands that were accepted before the stop.
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

// drain takes the queued commands, up to the limit of a group.
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
