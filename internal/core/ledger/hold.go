package ledger

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// holdTimeLayout is the format of a hold's expiry in the chain.
const holdTimeLayout = "2006-01-02T15:04:05.000000Z"

// LongestHold is the maximum duration of a hold, used for holds without an end.
const LongestHold = 100 * 365 * 24 * time.Hour

// HoldRequest asks to set money aside.
type HoldRequest struct {
	Account   Account
	Amount    money.Amount
	For       time.Duration // until the hold expires
	Reason    string
	Reference string
}

// PlaceHold sets money of one account aside. Refused if less is available,
// or while the ledger is frozen.
func (tx *Tx) PlaceHold(r HoldRequest) (Hold, error) {
	if err := tx.checkFrozen(); err != nil {
		return Hold{}, err
	}
	switch {
	case r.Account.code == "":
		return Hold{}, errs.New(errs.Invalid, "hold.no_account", "The hold names no account.")
	case r.Amount.Sign() <= 0:
		return Hold{}, errs.New(errs.Invalid, "hold.amount", "The amount of a hold must be above zero, not {amount}.", "amount", r.Amount)
	case r.For <= 0 || r.For > LongestHold:
		return Hold{}, errs.New(errs.Invalid, "hold.duration", "The duration of a hold must be above zero and at most 100 years.")
	}
	g := tx.g
	// Deadlines use Latest, so that no clock jump can extend a hold.
	expires := g.s.opt.Clock.Latest().Add(r.For).UTC().Truncate(time.Microsecond)
	reason := "until " + expires.Format(holdTimeLayout)
	if r.Reason != "" {
		reason += "; " + r.Reason
	}
	t := Transfer{Kind: "hold.place", Reason: reason, Reference: r.Reference}
	if err := checkText("reason", reason, maxReason); err != nil {
		return Hold{}, err
	}
	if err := checkText("reference", r.Reference, maxRef); err != nil {
		return Hold{}, err
	}
	id := g.head.Holds + 1
	posted, err := tx.apply(&t, 0, 0, []change{{account: r.Account, heldDelta: r.Amount.Micros(), hold: id}})
	if err != nil {
		return Hold{}, err
	}
	g.head.Holds = id
	b, err := tx.account(r.Account)
	if err != nil {
		return Hold{}, err
	}
	row := &HoldRow{
		ID: id, Account: b.row.ID, Code: r.Account.code, Amount: r.Amount.Micros(), State: HoldOpen,
		Expires: expires.UnixMicro(), Placed: posted.Seq, New: true, Proved: true,
	}
	g.holds[id] = row
	g.holdOrder = append(g.holdOrder, id)
	tx.undos = append(tx.undos, undo{back: func() { delete(g.holds, id) }})
	return row.hold(), nil
}

func (r *HoldRow) hold() Hold {
	return Hold{
		ID: r.ID, Account: Account{r.Code}, Amount: money.Micro(r.Amount), State: r.State,
		Expires: time.UnixMicro(r.Expires).UTC(), Placed: r.Placed, Resolved: r.Resolved,
	}
}

// Hold reads a hold. NotFound if there is none with this id.
func (tx *Tx) Hold(id int64) (Hold, error) {
	row, err := tx.hold(id)
	if err != nil {
		return Hold{}, err
	}
	return row.hold(), nil
}

func (tx *Tx) hold(id int64) (*HoldRow, error) {
	g := tx.g
	if row := g.holds[id]; row != nil {
		return row, nil
	}
	rows, err := g.db.Holds(g.ctx, []int64{id})
	if err != nil {
		return nil, tx.fail(err)
	}
	if len(rows) == 0 {
		return nil, errs.New(errs.NotFound, "hold.not_found", "There is no hold {hold}.", "hold", id)
	}
	row := rows[0]
	if !row.Proved {
		g.s.opt.Log.Error("ledger: a stored hold does not match the ledger", "hold", id)
		return nil, errs.New(errs.Refused, "hold.tampered", "The stored hold {hold} does not match the ledger. An operator must run 'bifolia verify'.", "hold", id)
	}
	g.holds[id] = &row // kept for the group: later commands must see its state
	return &row, nil
}

// open returns a hold that can still be resolved. Conflict if it is resolved.
func (tx *Tx) open(id int64) (*HoldRow, error) {
	row, err := tx.hold(id)
	if err != nil {
		return nil, err
	}
	if row.State != HoldOpen {
		return nil, errs.New(errs.Conflict, "hold.already", "Hold {hold} is already {state}.", "hold", id, "state", row.State)
	}
	return row, nil
}

// Settle moves the held money by t, which debits the hold's account by at most
// the amount held, and releases the whole hold. Conflict if the hold is already
// resolved or has expired.
func (tx *Tx) Settle(id int64, t Transfer) (Posted, error) {
	row, err := tx.open(id)
	if err != nil {
		return Posted{}, err
	}
	if tx.expired(row) {
		return Posted{}, errs.New(errs.Conflict, "hold.expired", "Hold {hold} has expired.", "hold", id)
	}
	if !settles(row, t.Legs) {
		return Posted{}, errs.New(errs.Invalid, "hold.transfer_too_large", "The transfer must take at most {amount} from {account}, the amount of hold {hold}.", "amount", money.Micro(row.Amount), "account", row.Code, "hold", id)
	}
	posted, err := tx.post(t, 0, row)
	if err != nil {
		return Posted{}, err
	}
	tx.resolve(row, HoldSettled, posted.Seq)
	return posted, nil
}

func settles(row *HoldRow, legs []Leg) bool {
	for _, l := range legs {
		if l.Account.code == row.Code {
			return l.Delta.Sign() < 0 && l.Delta.Micros() >= -row.Amount
		}
	}
	return false
}

// Void releases the held money. Conflict if the hold is already resolved. It works
// while the ledger is frozen, because no money moves.
func (tx *Tx) Void(id int64, reason string) (Posted, error) {
	if err := checkText("reason", reason, maxReason); err != nil {
		return Posted{}, err
	}
	row, err := tx.open(id)
	if err != nil {
		return Posted{}, err
	}
	return tx.giveBack(row, "hold.void", reason, HoldVoided)
}

// ExpireHolds releases at most limit expired holds and returns their number.
func (tx *Tx) ExpireHolds(limit int) (int, error) {
	g := tx.g
	ids, err := g.db.DueHolds(g.ctx, g.s.opt.Clock.Latest().UnixMicro(), limit)
	if err != nil {
		return 0, tx.fail(err)
	}
	expired := 0
	for _, id := range ids {
		row, err := tx.hold(id)
		if errs.Is(err, errs.Refused) {
			continue // a hold that was changed by hand must not block the others
		}
		if err != nil {
			return expired, err
		}
		if row.State != HoldOpen {
			continue // already resolved in this group
		}
		if _, err := tx.giveBack(row, "hold.expire", "its time is over", HoldExpired); err != nil {
			return expired, err
		}
		expired++
	}
	return expired, nil
}

func (tx *Tx) expired(row *HoldRow) bool {
	return tx.g.s.opt.Clock.Latest().UnixMicro() >= row.Expires
}

func (tx *Tx) giveBack(row *HoldRow, kind, reason string, state HoldState) (Posted, error) {
	t := Transfer{Kind: kind, Reason: reason}
	posted, err := tx.apply(&t, 0, 0, []change{{account: Account{row.Code}, heldDelta: -row.Amount, hold: row.ID}})
	if err != nil {
		return Posted{}, err
	}
	tx.resolve(row, state, posted.Seq)
	return posted, nil
}

// resolve ends a hold. open guarantees that this happens once.
func (tx *Tx) resolve(row *HoldRow, state HoldState, seq int64) {
	before := *row
	row.State, row.Resolved = state, seq
	if !row.New {
		tx.g.holdOrder = append(tx.g.holdOrder, row.ID)
	}
	tx.undos = append(tx.undos, undo{back: func() { *row = before }})
}
