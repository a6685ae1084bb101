package ledger

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Tx is a command's view of the group it runs in. It is valid only until Run
// returns. All changes of a command succeed or fail together; a failing command
// leaves no trace and does not affect the other commands of the group.
type Tx struct {
	g    *group
	cmd  *Command
	id   CommandID
	mark mark

	undos  []undo
	rows   bool  // a savepoint is open for the command's own rows
	broken error // the database failed: the group must be aborted
}

// mark is the state of the group before the command.
type mark struct {
	head                                 Head
	transfers, entries, holds, afterward int
}

func (g *group) mark() mark {
	return mark{g.head, len(g.transfers), len(g.entries), len(g.holdOrder), len(g.after)}
}

func (tx *Tx) run() (response []byte, err error) {
	defer recoverPanic(&err)
	return tx.cmd.Run(tx.g.ctx, tx)
}

// wrote reports whether the command has anything to commit.
func (tx *Tx) wrote() bool {
	return tx.id.Key != "" || tx.rows || len(tx.g.transfers) > tx.mark.transfers || tx.g.head.Frozen != tx.mark.head.Frozen
}

// releaseRows makes the command's own rows part of the group.
func (tx *Tx) releaseRows() error {
	if tx.rows {
		return tx.g.db.Release(tx.g.ctx)
	}
	return nil
}

// undo reverts all changes of the command.
func (tx *Tx) undo() error {
	g, m := tx.g, tx.mark
	for i := len(tx.undos) - 1; i >= 0; i-- {
		tx.undos[i].undo(g)
	}
	g.head = m.head
	g.transfers, g.entries = g.transfers[:m.transfers], g.entries[:m.entries]
	g.holdOrder, g.after = g.holdOrder[:m.holds], g.after[:m.afterward]
	if tx.rows {
		return g.db.RollbackTo(g.ctx)
	}
	return nil
}

// Rows returns the group's transaction, for the stores of other packages only.
// Their writes are undone if the command fails.
func (tx *Tx) Rows() Rows {
	if !tx.rows {
		if err := tx.g.db.Savepoint(tx.g.ctx); err != nil {
			_ = tx.fail(err) // aborts the group even if the command ignores the error
		}
		tx.rows = true
	}
	return tx.g.db.Rows()
}

// AfterCommit calls f once the group is durable and before the command is
// answered, to update memory that mirrors the store. f must not block or fail.
func (tx *Tx) AfterCommit(f func()) { tx.g.after = append(tx.g.after, f) }

// Now is the default business time of this command.
func (tx *Tx) Now() time.Time { return tx.g.s.opt.Clock.Now() }

// fail records that the database failed, so the whole group is aborted.
func (tx *Tx) fail(err error) error {
	tx.broken = err
	return err
}

// Balance returns the balance of account as of this command; zero if the account
// was never used.
func (tx *Tx) Balance(account Account) (Balance, error) {
	b, err := tx.account(account)
	if err != nil {
		return Balance{}, err
	}
	return Balance{
		Posted: money.Micro(b.row.Posted), Held: money.Micro(b.row.Held),
		Available: money.Micro(b.row.Posted - b.row.Held), Version: b.row.Version,
	}, nil
}

// Enough returns a Refused error for users if account has less than need. Post
// would refuse it too, but names the account by its code; name is the owner's
// word for it.
func (tx *Tx) Enough(account Account, need money.Amount, name string) error {
	b, err := tx.Balance(account)
	if err == nil && b.Available.Less(need) {
		err = errs.New(errs.Refused, "ledger.insufficient_balance", "Insufficient balance: the {account} has {available} available, and {needed} are needed.", "account", name, "available", b.Available.Short(), "needed", need.Short())
	}
	return err
}

// Load reads many accounts in one query, for a command that uses all of them.
func (tx *Tx) Load(accounts []Account) error {
	if err := tx.g.load(tx.g.missing(nil, accounts)); err != nil {
		return tx.fail(err)
	}
	return nil
}

// Unwritten yields the postings of this command and of the earlier commands of
// its group. The store does not show them before the group is durable.
func (tx *Tx) Unwritten(yield func(t *TransferRow, e *EntryRow)) {
	at := 0
	for i := range tx.g.transfers {
		t := &tx.g.transfers[i]
		for range t.Legs {
			yield(t, &tx.g.entries[at])
			at++
		}
	}
}

// account returns the balance of a, without an id if a was never used. Refused if
// the stored row does not match the ledger: such a balance must not be spent.
func (tx *Tx) account(a Account) (*balance, error) {
	b, err := tx.g.account(a)
	if err != nil {
		return nil, tx.fail(err)
	}
	if !b.row.Proved {
		tx.g.s.opt.Log.Error("ledger: a stored balance does not match the ledger", "account", a)
		tx.g.s.accounts.Remove(a) // the next command reads it again: an administrator may have restored it
		return nil, errs.New(errs.Refused, "ledger.stored_balance_differs", "The stored balance of {account} does not match the ledger. An operator must run 'bifolia verify'.", "account", a)
	}
	return b, nil
}

// Post moves money. Invalid if the transfer is malformed or does not balance;
// Refused if an account would fall below its floor, if the posting would pay an
// income out of deposits, or while the ledger is frozen.
func (tx *Tx) Post(t Transfer) (Posted, error) { return tx.post(t, 0, nil) }

// post applies t. release, if not nil, is the hold that this transfer settles.
func (tx *Tx) post(t Transfer, reverses int64, release *HoldRow) (Posted, error) {
	if err := tx.checkFrozen(); err != nil {
		return Posted{}, err
	}
	if err := t.check(); err != nil {
		return Posted{}, err
	}
	legs, err := describe(t.Legs)
	if err != nil {
		return Posted{}, err
	}
	if err := balanced(legs); err != nil {
		return Posted{}, err
	}
	if err := lawfulSources(legs); err != nil {
		return Posted{}, err
	}
	changes := make([]change, len(legs))
	for i, l := range legs {
		changes[i] = change{account: l.account, delta: l.delta}
		if release != nil && l.account.code == release.Code {
			changes[i].heldDelta, changes[i].hold = -release.Amount, release.ID
		}
	}
	return tx.apply(&t, reverses, beneficiary(legs), changes)
}

// FrozenMessage is the answer to every command that would move money while the
// ledger is frozen. It does not include the reason: a finding names an account
// and its balance, which only the log, verify and operators may show.
const FrozenMessage = "Payments are frozen while the books are checked. Please try again later."

func (tx *Tx) checkFrozen() error {
	if tx.g.head.Frozen != "" && !tx.cmd.Thaw {
		return errs.New(errs.Refused, "ledger.stands_still", FrozenMessage)
	}
	return nil
}

// change is the effect of one leg on one account.
type change struct {
	account          Account
	delta, heldDelta int64
	hold             int64
}

// apply is the only code that changes a balance. It checks all changes before it
// makes the first.
func (tx *Tx) apply(t *Transfer, reverses, who int64, changes []change) (Posted, error) {
	g := tx.g
	targets := make([]*balance, len(changes))
	for i, c := range changes {
		b, err := tx.account(c.account)
		if err != nil {
			return Posted{}, err
		}
		if err := fits(&b.row, c); err != nil {
			return Posted{}, err
		}
		targets[i] = b
	}
	g.head.Seq++
	seq, recorded := g.head.Seq, g.tick()
	for i, c := range changes {
		tx.touch(targets[i], c.account)
		r := &targets[i].row
		r.Posted, r.Held, r.Version = r.Posted+c.delta, r.Held+c.heldDelta, r.Version+1
		g.entries = append(g.entries, EntryRow{
			Account: r.ID, Version: r.Version, Seq: seq, Leg: int64(i + 1), Kind: r.Kind, Owner: r.Owner, Beneficiary: who,
			Delta: c.delta, HeldDelta: c.heldDelta, BalanceAfter: r.Posted, HeldAfter: r.Held, Hold: c.hold, Code: r.Code,
		})
	}
	if t.ID == "" {
		t.ID = tx.transferID(seq, recorded)
	}
	effective := recorded
	if !t.Effective.IsZero() {
		effective = t.Effective.UnixMicro()
	}
	g.transfers = append(g.transfers, TransferRow{
		Seq: seq, ID: t.ID, Actor: tx.id.Actor, Key: tx.id.Key, Kind: t.Kind, Reason: t.Reason, Reference: t.Reference,
		Effective: effective, Recorded: recorded, Reverses: reverses, Legs: int64(len(changes)),
	})
	return Posted{Seq: seq, ID: t.ID, Recorded: time.UnixMicro(recorded).UTC()}, nil
}

// fits rejects a change that would overflow or take the account below its floor.
func fits(r *AccountRow, c change) error {
	posted, err := money.Micro(r.Posted).Add(money.Micro(c.delta))
	if err != nil || posted.Micros() > maxBalance || posted.Micros() < -maxBalance {
		return errs.New(errs.Invalid, "ledger.balance_too_large", "The balance of {account} would be too large.", "account", c.account)
	}
	held := r.Held + c.heldDelta // both are bounded by maxBalance
	if free := posted.Micros() - held; free < r.Floor {
		return errs.New(errs.Refused, "ledger.account_insufficient", "{account} has {available} available, which is less than needed.", "account", c.account, "available", money.Micro(r.Posted-r.Held))
	}
	return nil
}

// maxBalance keeps every balance small enough that differences of two cannot
// overflow: 2.3 trillion dollars.
const maxBalance = 1 << 61

// touch prepares an account for a change: it opens a new account, lists the
// account for writing and records how to undo the change.
func (tx *Tx) touch(b *balance, account Account) {
	g := tx.g
	if b.group != g {
		b.group, b.row.Was, b.row.WasPosted, b.row.WasHeld = g, b.row.Version, b.row.Posted, b.row.Held
		g.dirty = append(g.dirty, b)
	}
	tx.undos = append(tx.undos, undo{account: b, id: b.row.ID, posted: b.row.Posted, held: b.row.Held, version: b.row.Version})
	if b.row.ID == 0 {
		g.head.Accounts++
		b.row.ID = g.head.Accounts
		g.s.accounts.Add(account, b)
	}
}

// undo reverts one change of a command: it restores an account's values, or calls
// back if account is nil. Accounts use no closure because a command may have a
// million changes.
type undo struct {
	account                   *balance
	id, posted, held, version int64
	back                      func()
}

func (u *undo) undo(g *group) {
	if u.account == nil {
		u.back()
		return
	}
	r := &u.account.row
	r.ID, r.Posted, r.Held, r.Version = u.id, u.posted, u.held, u.version
	if u.id == 0 { // the command opened it
		g.s.accounts.Remove(Account{r.Code})
	}
}

// transferID makes an id that does not reveal how many transfers there are and
// that sorts by time, so that new ids are appended at the end of their index.
func (tx *Tx) transferID(seq, recorded int64) string {
	var raw [15]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(recorded))
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%x", tx.id.Actor, tx.id.Key, seq, tx.g.s.head.Hash))
	copy(raw[8:], sum[:])
	return "t" + idEncoding.EncodeToString(raw[:])
}

var idEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)
