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

// Tx is a command's view of the group it runs in. It is valid only while Run
// runs. What a command does through it stands or falls as a whole; a failing
// command leaves no trace, and its neighbours do not notice.
type Tx struct {
	g    *group
	cmd  *Command
	id   CommandID
	mark mark

	undos  []undo
	rows   bool  // a savepoint is open for the command's own rows
	broken error // the database failed: the group cannot go on
}

// mark is where the group stood when the command began.
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

// wrote tells whether there is anything of this command to commit.
func (tx *Tx) wrote() bool {
	return tx.id.Key != "" || tx.rows || len(tx.g.transfers) > tx.mark.transfers || tx.g.head.Frozen != tx.mark.head.Frozen
}

// keep makes the command's own rows part of the group.
func (tx *Tx) keep() error {
	if tx.rows {
		return tx.g.db.Release(tx.g.ctx)
	}
	return nil
}

// undo takes back everything the command did.
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

// Rows is the group's transaction, for the stores of other nouns: they alone
// ask for it. What they write is undone if the command fails.
func (tx *Tx) Rows() Rows {
	if !tx.rows {
		if err := tx.g.db.Savepoint(tx.g.ctx); err != nil {
			_ = tx.fail(err) // whatever the command makes of it, its group is given up
		}
		tx.rows = true
	}
	return tx.g.db.Rows()
}

// AfterCommit calls f once the group is durable and before the command is
// answered: for what must follow the store in memory. f must not block or fail.
func (tx *Tx) AfterCommit(f func()) { tx.g.after = append(tx.g.after, f) }

// Now is the business time of this command, unless it says otherwise.
func (tx *Tx) Now() time.Time { return tx.g.s.opt.Clock.Now() }

// fail notes that the database failed: no command of the group can go on.
func (tx *Tx) fail(err error) error {
	tx.broken = err
	return err
}

// Balance is what account holds as of this command; zero if it was never used.
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

// Enough is Refused, in words for people, if account has less than need. Posting
// would refuse it too, by the account's code; name is what its owner calls it.
func (tx *Tx) Enough(account Account, need money.Amount, name string) error {
	b, err := tx.Balance(account)
	if err == nil && b.Available.Less(need) {
		err = errs.New(errs.Refused, "ledger.insufficient_balance", "Insufficient balance: the {account} has {available} available, and {needed} are needed.", "account", name, "available", b.Available.Short(), "needed", need.Short())
	}
	return err
}

// Load reads many accounts at once, for a command that will use them all: one
// by one, each would cost a query of its own.
func (tx *Tx) Load(accounts []Account) error {
	if err := tx.g.load(tx.g.missing(nil, accounts)); err != nil {
		return tx.fail(err)
	}
	return nil
}

// Unwritten gives what this command and those before it in its group have
// posted: what the store does not show before the group is durable.
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

// account is the balance of a, without an id if a was never used. Refused if the
// stored row is not what the ledger left: such a balance is not spent.
func (tx *Tx) account(a Account) (*balance, error) {
	b, err := tx.g.account(a)
	if err != nil {
		return nil, tx.fail(err)
	}
	if !b.row.Proved {
		tx.g.s.opt.Log.Error("ledger: a stored balance is not what the ledger left", "account", a)
		tx.g.s.accounts.Remove(a) // read it anew next time: somebody may have restored it
		return nil, errs.New(errs.Refused, "ledger.stored_balance_differs", "The stored balance of {account} is not what the ledger left: an operator must run 'bifolia verify'.", "account", a)
	}
	return b, nil
}

// Post moves money. Invalid if the transfer is malformed or does not balance;
// Refused if an account would fall below its floor, if the rule against paying
// out of deposits says no, or while the ledger is frozen.
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

// StandsStill is what everybody hears who would move money meanwhile. The
// finding names somebody's account and balance: it is for the log, for verify
// and for operators, never for who happens to ask.
const StandsStill = "Money stands still while the books are checked. Please try again later."

func (tx *Tx) checkFrozen() error {
	if tx.g.head.Frozen != "" && !tx.cmd.Thaw {
		return errs.New(errs.Refused, "ledger.stands_still", StandsStill)
	}
	return nil
}

// change is what one leg does to one account.
type change struct {
	account          Account
	delta, heldDelta int64
	hold             int64
}

// apply is the only code that changes a balance. All changes are checked
// before the first is made.
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

// fits refuses a change that would overflow or take the account below its floor.
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

// touch readies an account for change: opens it if it is new, lists it for
// writing, and notes how to take the change back.
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

// undo takes one change of a command back: of an account, which it was so, or by
// back. A command may have a million of them, so accounts need no closure.
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

// transferID makes an id that nobody can count by and that sorts by time, so
// that a new one lands at the end of its index and not on a page of its own.
func (tx *Tx) transferID(seq, recorded int64) string {
	var raw [15]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(recorded))
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%x", tx.id.Actor, tx.id.Key, seq, tx.g.s.head.Hash))
	copy(raw[8:], sum[:])
	return "t" + idEncoding.EncodeToString(raw[:])
}

var idEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)
