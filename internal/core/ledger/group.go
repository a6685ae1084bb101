package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// group is the work of one commit, in memory until it is written.
type group struct {
	s    *Sequencer
	ctx  context.Context
	db   GroupTx
	head Head // working copy: the head after this group

	dirty     []*balance
	transfers []TransferRow
	entries   []EntryRow
	holds     map[int64]*HoldRow
	holdOrder []int64
	commands  []CommandRow
	byKey     map[CommandID]int // index in commands
	after     []func()

	writes    bool // at least one command writes
	checkKeys bool // look up keys in the store before running, not only in memory
}

// answer pairs a waiter with its outcome, sent once the group is durable.
type answer struct {
	w *waiter
	o outcome
}

// runGroup runs the commands in one commit. If the database rejects a row, each
// command runs again alone, so that only the faulty one fails. An error means that
// the sequencer must step down; every waiter has been answered in any case.
func (s *Sequencer) runGroup(waiters []*waiter) error {
	if s.head.Frozen != "" {
		s.refreshFrozen()
	}
	err := s.attempt(waiters, false)
	if errors.Is(err, errHeadMoved) {
		err = s.attempt(waiters, false)
	}
	var refused *ConstraintError
	if !errors.As(err, &refused) {
		return s.stillMoved(waiters, err)
	}
	for i, w := range waiters {
		err := s.attempt([]*waiter{w}, true)
		if errors.As(err, &refused) {
			w.done <- outcome{err: rejectedByDatabase(refused)}
			continue
		}
		if err = s.stillMoved([]*waiter{w}, err); err != nil {
			s.answerAll(waiters[i+1:], errs.Wrap(errs.Unavailable, err, "ledger.not_written", "Nothing was written. Retry with the same idempotency key."))
			return err
		}
	}
	return nil
}

// errHeadMoved means that another process changed only the freeze flag in the
// head. The new flag is in memory; the group can run again.
var errHeadMoved = errors.New("ledger: the freeze flag changed")

func (s *Sequencer) stillMoved(waiters []*waiter, err error) error {
	if errors.Is(err, errHeadMoved) {
		s.answerAll(waiters, errs.New(errs.Unavailable, "ledger.freezing", "The ledger is being frozen or unfrozen. Retry with the same idempotency key."))
		return nil
	}
	return err
}

// refreshFrozen reads the head again. While the ledger is frozen nothing is
// written, so the fence would never show that another process has unfrozen it.
func (s *Sequencer) refreshFrozen() {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	if head, err := s.opt.Store.Head(ctx); err == nil && head.Epoch == s.head.Epoch && head.Hash == s.head.Hash {
		s.setHead(head)
	}
}

func rejectedByDatabase(refused *ConstraintError) error {
	if refused.Unique {
		return errs.Wrap(errs.Conflict, refused, "ledger.id_used", "That id has been used before.")
	}
	return errs.Wrap(errs.Refused, refused, "ledger.database_refuses", "The database's own rules refuse this.")
}

// attempt runs and commits waiters as one group. It answers all of them, unless
// the error is a *ConstraintError or errHeadMoved: then nothing was written and
// no waiter has been answered.
func (s *Sequencer) attempt(waiters []*waiter, checkKeys bool) error {
	started := s.opt.Clock.Latest()
	ctx := context.Background() // an accepted command runs even if its caller's context ends
	db, err := s.opt.Store.Begin(ctx)
	if err != nil {
		return s.abort(nil, waiters, errs.Wrap(errs.Unavailable, err, "ledger.database_silent", "The database does not respond. Retry with the same idempotency key."))
	}
	defer db.Rollback()
	g := &group{s: s, ctx: ctx, db: db, head: s.head, holds: map[int64]*HoldRow{}, byKey: map[CommandID]int{}, checkKeys: checkKeys}
	answers, err := g.runAll(waiters)
	var refused *ConstraintError
	if errors.As(err, &refused) {
		g.forget()
		return err // the rows of one command were rejected: each must run alone
	}
	if err != nil {
		return s.abort(g, waiters, err)
	}
	if g.writes {
		var done bool
		if done, err = s.commit(g, waiters); !done {
			return err
		}
		if s.opt.Watch != nil {
			s.opt.Watch(len(waiters), len(g.transfers), len(g.entries), s.opt.Clock.Latest().Sub(started))
		}
	}
	for _, a := range answers {
		a.w.done <- a.o
	}
	return err
}

// runAll runs the commands one after the other. An error comes from the database.
func (g *group) runAll(waiters []*waiter) (answers []answer, err error) {
	if err := g.prefetch(waiters); err != nil {
		return nil, err
	}
	answers = make([]answer, 0, len(waiters))
	for _, w := range waiters {
		if w.ctx.Err() != nil {
			continue // the caller has gone before the command began
		}
		o, err := g.run(w)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer{w, o})
	}
	return answers, nil
}

// run runs one command within the group. An error comes from the database, and the
// whole group must be aborted. An error of the command itself is its outcome.
func (g *group) run(w *waiter) (outcome, error) {
	id := CommandID{w.cmd.Actor, w.cmd.Key}
	known, err := g.recall(id, g.checkKeys)
	if err != nil {
		return outcome{}, err
	}
	if known != nil {
		return known.replay(w), nil
	}
	tx := &Tx{g: g, cmd: &w.cmd, id: id, mark: g.mark()}
	response, err := tx.run()
	if tx.broken != nil {
		return outcome{}, tx.broken
	}
	if err == nil && len(response) > MaxResponse {
		err = fmt.Errorf("ledger: answer of %d bytes is too long to remember", len(response))
	}
	if err != nil {
		if berr := tx.undo(); berr != nil {
			return outcome{}, berr
		}
		// The key was not in memory, so the command was run as new. The store
		// may know it: the error may be a consequence of its earlier success.
		if known, kerr := g.recall(id, true); kerr != nil || known != nil {
			if kerr != nil {
				return outcome{}, kerr
			}
			return known.replay(w), nil
		}
		var tampered *TamperedError
		if errors.As(err, &tampered) {
			g.freeze(tampered)
		}
		return outcome{err: err}, nil
	}
	if err := tx.releaseRows(); err != nil {
		return outcome{}, err
	}
	g.writes = g.writes || tx.wrote()
	g.remember(id, w.hash, response, tx)
	return outcome{result: Result{Response: response}}, nil
}

// recall finds an earlier command with this id: in this group, in memory and, if
// askStore, in the store.
func (g *group) recall(id CommandID, askStore bool) (*CommandRow, error) {
	if id.Key == "" {
		return nil, nil
	}
	if i, ok := g.byKey[id]; ok {
		return &g.commands[i], nil
	}
	if c, ok := g.s.commands.Get(id); ok {
		return &c, nil
	}
	if !askStore {
		return nil, nil
	}
	found, err := g.db.Commands(g.ctx, []CommandID{id})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func (c *CommandRow) replay(w *waiter) outcome {
	if c.Request != w.hash {
		return outcome{err: errs.New(errs.Conflict, "request.key_used", "This idempotency key was used before with another request.")}
	}
	return outcome{result: Result{Response: c.Response, Replayed: true}}
}

func (g *group) remember(id CommandID, request Hash, response []byte, tx *Tx) {
	if id.Key == "" {
		return
	}
	if response == nil {
		response = []byte{}
	}
	row := CommandRow{
		CommandID: id, Request: request, Response: response,
		First: tx.mark.head.Seq + 1, Last: g.head.Seq, Recorded: g.tick(),
	}
	g.byKey[id] = len(g.commands)
	g.commands = append(g.commands, row)
}

// tick returns the next recorded_at: now, or just after the last one if the clock
// is behind it.
func (g *group) tick() int64 {
	g.head.Recorded = max(g.s.opt.Clock.Now().UnixMicro(), g.head.Recorded+1)
	return g.head.Recorded
}

// witness is the actor of the commands that hold row hashes, and witnessPart the
// maximum size of the answer of one.
const (
	witness     = "witness"
	witnessPart = 32 << 10
)

// addRowHashes adds the stores' row hashes to the chain, as answers of commands
// that the ledger makes itself.
func (g *group) addRowHashes(lines []string) {
	for part := 1; len(lines) > 0; part++ {
		var response []byte
		for len(lines) > 0 && (len(response) == 0 || len(response)+len(lines[0]) < witnessPart) {
			response = append(append(response, lines[0]...), '\n')
			lines = lines[1:]
		}
		g.commands = append(g.commands, CommandRow{
			CommandID: CommandID{witness, fmt.Sprintf("%012d.%06d", g.head.Batch+1, part)}, Request: sha256.Sum256(nil), Response: response,
			First: g.head.Seq + 1, Last: g.head.Seq, Recorded: g.tick(),
		})
	}
}

// sign numbers, hashes and signs the group.
func (g *group) sign() *Group {
	g.head.Batch++
	g.head.Entries += int64(len(g.entries))
	leaves := make([]Hash, 0, len(g.transfers)+len(g.commands))
	at := 0
	for i := range g.transfers {
		t := &g.transfers[i]
		t.Batch = g.head.Batch
		t.Leaf = transferLeaf(t, g.entries[at:at+int(t.Legs)])
		at += int(t.Legs)
		leaves = append(leaves, t.Leaf)
	}
	for i := range g.commands {
		c := &g.commands[i]
		c.Batch, c.N = g.head.Batch, int64(i+1)
		c.Leaf = commandLeaf(c)
		leaves = append(leaves, c.Leaf)
	}
	batch := BatchRow{
		No: g.head.Batch, Epoch: g.head.Epoch, First: g.s.head.Seq + 1, Last: g.head.Seq,
		Commands: int64(len(g.commands)), Recorded: g.tick(), Prev: g.s.head.Hash,
		Root: merkleRoot(leaves), KeyID: g.s.opt.Signer.KeyID(),
	}
	batch.Hash = batchHash(&batch)
	batch.Signature = g.s.opt.Signer.sign(batch.Hash)
	g.head.Hash = batch.Hash
	out := &Group{Fence: g.s.head, Head: g.head, Batch: batch, Transfers: g.transfers, Entries: g.entries, Commands: g.commands}
	for _, b := range g.dirty {
		if b.row.Version != b.row.Was {
			out.Accounts = append(out.Accounts, b.row)
		}
	}
	for _, id := range g.holdOrder {
		if h := g.holds[id]; h != nil && (h.New || h.Resolved != 0) {
			out.Holds = append(out.Holds, *h)
		}
	}
	return out
}

// forget drops the balances that this group changed from memory; they are read
// again from the store.
func (g *group) forget() {
	for _, b := range g.dirty {
		g.s.accounts.Remove(Account{b.row.Code})
	}
}

// recoverPanic turns a panic in a command into an error of this command, so that
// the other commands of the group are not affected.
func recoverPanic(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("ledger: a command panicked: %w", fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
}
