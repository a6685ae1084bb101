package closing

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// Store is what the close needs of a database. All of it runs within commands,
// but for Plan, Versions, PlanProposals, LastDay, Beginning, Proposal, Events,
// Members and Changed, which without a tx read what is committed. Answered, Bookings,
// Batches, BatchShares, SaleIncomes and within commands Versions, by which a close
// pays, are a *ledger.TamperedError if what they read is not what the signed chain says.
type Store interface {
	Looks

	// Foresee reads ahead, outside of any command, what the first close after a start
	// holds against the chain: commands wait for one another's reads. It decides
	// nothing.
	Foresee(ctx context.Context) error

	// Plan is the version that holds on a day; false if there is none yet.
	Plan(ctx context.Context, tx *ledger.Tx, day plan.Day) (body []byte, found bool, err error)
	AddPlan(ctx context.Context, tx *ledger.Tx, version string, first plan.Day, body []byte, at time.Time) error
	// Versions lists those that hold or will, by their first day.
	Versions(ctx context.Context, tx *ledger.Tx) ([]Version, error)
	// CancelPlan lets a version hold on no day.
	CancelPlan(ctx context.Context, tx *ledger.Tx, version string, at time.Time) error
	// PlanProposals lists all that were made, the latest first.
	PlanProposals(ctx context.Context, tx *ledger.Tx) ([]PlanProposal, error)
	PlanProposal(ctx context.Context, tx *ledger.Tx, version string) (PlanProposal, bool, error)
	// SetPlanProposal adds one, or writes what became of it.
	SetPlanProposal(ctx context.Context, tx *ledger.Tx, p PlanProposal) error

	// LastDay is the last closed day; false before the first.
	LastDay(ctx context.Context, tx *ledger.Tx) (plan.Day, bool, error)
	AddDay(ctx context.Context, tx *ledger.Tx, d Closed) error
	// Answered is what the command of a close answered; false if there is none.
	Answered(ctx context.Context, tx *ledger.Tx, key string) ([]byte, bool, error)
	// Days lists closed days before one (0: all), the latest first. It runs
	// outside of commands.
	Days(ctx context.Context, before plan.Day, limit int) ([]ClosedBy, error)
	// Beginning is when the first member joined and the first day that has an
	// event; zero when there is none.
	Beginning(ctx context.Context, tx *ledger.Tx) (joined time.Time, event plan.Day, err error)
	Proposal(ctx context.Context, tx *ledger.Tx, day plan.Day) (Proposal, bool, error)
	// SetProposal writes a day's proposal in place of the one before.
	SetProposal(ctx context.Context, tx *ledger.Tx, p Proposal) error

	// Note writes down that an event books into a day, and why if it was
	// refused. An error if the id is known.
	Note(ctx context.Context, tx *ledger.Tx, e Noted) error
	// Refuse writes down why an event that was noted is not done.
	Refuse(ctx context.Context, tx *ledger.Tx, e Noted) error
	// Events lists a day's events, by (at, id).
	Events(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]Noted, error)

	AddBooking(ctx context.Context, tx *ledger.Tx, b Booking) error
	// Bookings lists those of a day that no close has done, by (at, id).
	Bookings(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]Booking, error)
	// Held lists booked profit on Hold as committed, oldest first.
	Held(ctx context.Context, limit int) ([]Held, error)
	// OpenBookings lists those of any day that no close has done; with a nil tx
	// outside of a command.
	OpenBookings(ctx context.Context, tx *ledger.Tx) ([]Booking, error)
	// CloseBooking marks one as done, or as refused.
	CloseBooking(ctx context.Context, tx *ledger.Tx, id, refused string) error

	// Members gives who joined after a join number, in that order.
	Members(ctx context.Context, tx *ledger.Tx, after int64, yield func(Member) error) error
	// Blocked are the join numbers of members whose account is under review.
	Blocked(ctx context.Context, tx *ledger.Tx) ([]int64, error)
	// VouchedReviews is a *ledger.TamperedError if one of members, by join number, or
	// of those who came under review since a day was closed or whose review ended, is
	// not what the signed chain says of them.
	VouchedReviews(ctx context.Context, tx *ledger.Tx, members []int64, since plan.Day) error
	// Carried gives what members carry, of those who carry anything, in any order.
	Carried(ctx context.Context, tx *ledger.Tx, yield func(Carried) error) error
	// Keep writes what members carry.
	Keep(ctx context.Context, tx *ledger.Tx, all []Carried) error
	// Flips lists changes of who is active, in order; AddFlips adds some.
	Flips(ctx context.Context, tx *ledger.Tx) ([]Flip, error)
	AddFlips(ctx context.Context, tx *ledger.Tx, all []Flip) error

	Tally(ctx context.Context, tx *ledger.Tx, name string) (int64, error)
	SetTally(ctx context.Context, tx *ledger.Tx, name string, value int64) error

	// LastRow is the number of the last income row.
	LastRow(ctx context.Context, tx *ledger.Tx) (int64, error)
	// AddIncomes adds n rows, which at gives.
	AddIncomes(ctx context.Context, tx *ledger.Tx, n int, at func(i int) Income) error
	// AddSums adds sums of rows that were added.
	AddSums(ctx context.Context, tx *ledger.Tx, all []Sum) error
	// AddDaySums adds what a day's close booked, added up.
	AddDaySums(ctx context.Context, tx *ledger.Tx, all []DaySum) error
	// SaleIncomes lists the level rows that a sale paid and nothing reversed.
	SaleIncomes(ctx context.Context, tx *ledger.Tx, sale string) ([]Income, error)
	// Incomes lists all rows, by number.
	Incomes(ctx context.Context, tx *ledger.Tx) ([]IncomeState, error)
	// Changed gives, of each row, what decides its status: of network rows
	// released on a day, of all rows of some batches, and of the rows of
	// positions claimed on that day. One row may come twice.
	Changed(ctx context.Context, tx *ledger.Tx, day plan.Day, batches []string, yield func(IncomeState) error) error
	// HeldIncomes lists a member's network rows on Hold that nothing reversed.
	HeldIncomes(ctx context.Context, tx *ledger.Tx, no int64) ([]Income, error)
	// Release marks network rows as released.
	Release(ctx context.Context, tx *ledger.Tx, all []int64, day plan.Day) error

	// Standing sums accounts and tables up. Of the accounts it is what the store
	// has: what the command's group has posted is not in it.
	Standing(ctx context.Context, tx *ledger.Tx) (Standing, error)

	// Books is everything that a scenario ends with.
	Books(ctx context.Context, tx *ledger.Tx) (Books, error)

	AddBatch(ctx context.Context, tx *ledger.Tx, b Batch) error
	// Batches lists those not released or whose fee is not paid, by number.
	Batches(ctx context.Context, tx *ledger.Tx, line string) ([]Batch, error)
	// BatchShares sums a batch's rows: ROI by position, levels by earner.
	BatchShares(ctx context.Context, tx *ledger.Tx, batch string) (roi []PositionShare, levels []EarnerShare, err error)
	SetBatch(ctx context.Context, tx *ledger.Tx, b Batch) error
}

// Books are all accounts, sales, positions and claims.
type Books struct {
	Accounts  map[string]int64
	Sales     []sale.Sale
	Positions []invest.Position
	Claims    []invest.Claim
}

// Closed is a day that is closed for good.
type Closed struct {
	Day                plan.Day
	Plan, Digest       string
	FirstRow, LastRow  int64
	Proposed, Approved int64
	At                 time.Time
}

// Noted is an event of a day.
type Noted struct {
	ID       string
	Day      plan.Day
	At       time.Time
	Recorded time.Time
	Body     []byte // what it was; Events leaves it out
	Refused  string // why; "" if it was done
}

// Booking is what an operator books for the close of a day.
type Booking struct {
	ID        string
	Kind      string // pnl, settle, chargeback
	Line      string
	Sale      string
	Amount    money.Amount
	Reference string
	Evidence  string // the hash of a file that was kept; "" without one
	Operator  int64
	Day       plan.Day
	At        time.Time
}

// Held is booked profit that waits on Hold for its settlement.
type Held struct {
	ID, Line string
	Day      plan.Day
	ROI, Fee money.Amount
}

// Member is a member's place.
type Member struct {
	No, UID, Sponsor, Parent int64
	Side                     uint8
}

// Carried is what a close leaves of a member for the next.
type Carried struct {
	No                                          int64
	Final, Own, Month, Left, Right, Match, Debt int64
	Sales, Rank, Reward, Months                 int64
	Active                                      bool
}

// Flip is a change of who is active.
type Flip struct {
	No     int64
	Day    plan.Day
	Active bool
}

// Income is an income row as stored.
type Income struct {
	Row                     int64
	Day                     plan.Day
	Kind                    plan.Kind
	Line                    string
	Earner, Of              int64
	Level                   int64
	Position                string
	Paid, Nominal, On, A, B int64
	Capped, Scaled, Held    bool
	Reverses                int64
	Source                  string
	Released                plan.Day
}

// Batch is one booked profit on Hold.
type Batch struct {
	ID       string
	Line     string
	N        int64
	Day      plan.Day
	Fee, ROI int64
	Released plan.Day // 0 while on Hold
	FeeDay   plan.Day // 0 while the fee is not paid
}

// PositionShare and EarnerShare are parts of a batch.
type PositionShare struct {
	Position string
	Amount   int64
}

// EarnerShare is what a batch owes one earner of level rows.
type EarnerShare struct {
	No     int64
	Amount int64
}
