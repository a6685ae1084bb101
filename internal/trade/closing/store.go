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

// Store is the database of closes. All methods run within commands, except that Plan,
// Versions, PlanProposals, LastDay, Beginning, Proposal, Events, Members and Changed read
// committed data with a nil tx. Answered, Bookings, Batches, BatchShares, SaleIncomes
// and, within commands, Versions return a *ledger.TamperedError if a row does not match
// the signed chain.
type Store interface {
	Looks

	// Plan returns the version of a day; false if there is none yet.
	Plan(ctx context.Context, tx *ledger.Tx, day plan.Day) (body []byte, found bool, err error)
	AddPlan(ctx context.Context, tx *ledger.Tx, version string, first plan.Day, body []byte, at time.Time) error
	// Versions lists current, past and future versions by their first day.
	Versions(ctx context.Context, tx *ledger.Tx) ([]Version, error)
	// CancelPlan removes a version before its first day.
	CancelPlan(ctx context.Context, tx *ledger.Tx, version string, at time.Time) error
	// PlanProposals lists all proposals, the latest first.
	PlanProposals(ctx context.Context, tx *ledger.Tx) ([]PlanProposal, error)
	PlanProposal(ctx context.Context, tx *ledger.Tx, version string) (PlanProposal, bool, error)
	// SetPlanProposal adds or updates a proposal.
	SetPlanProposal(ctx context.Context, tx *ledger.Tx, p PlanProposal) error

	// LastDay returns the last closed day; false if there is none.
	LastDay(ctx context.Context, tx *ledger.Tx) (plan.Day, bool, error)
	AddDay(ctx context.Context, tx *ledger.Tx, d Closed) error
	// Answered returns the answer of a close's command; false if there is none.
	Answered(ctx context.Context, tx *ledger.Tx, key string) ([]byte, bool, error)
	// Days lists closed days before one (0: all), the latest first. It runs
	// outside of commands.
	Days(ctx context.Context, before plan.Day, limit int) ([]ClosedBy, error)
	// Beginning returns when the first member joined and the first day with an event;
	// zero if there is none.
	Beginning(ctx context.Context, tx *ledger.Tx) (joined time.Time, event plan.Day, err error)
	Proposal(ctx context.Context, tx *ledger.Tx, day plan.Day) (Proposal, bool, error)
	// SetProposal sets a day's proposal.
	SetProposal(ctx context.Context, tx *ledger.Tx, p Proposal) error

	// Note adds an event to a day, with the reason if it was refused. An error if the id
	// is known.
	Note(ctx context.Context, tx *ledger.Tx, e Noted) error
	// Refuse notes why an event is not executed.
	Refuse(ctx context.Context, tx *ledger.Tx, e Noted) error
	// Events lists a day's events, by (at, id).
	Events(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]Noted, error)

	AddBooking(ctx context.Context, tx *ledger.Tx, b Booking) error
	// Bookings lists the open bookings of a day, by (at, id).
	Bookings(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]Booking, error)
	// Held lists booked profit on Hold as committed, oldest first.
	Held(ctx context.Context, limit int) ([]Held, error)
	// OpenBookings lists the open bookings of all days; with a nil tx as committed.
	OpenBookings(ctx context.Context, tx *ledger.Tx) ([]Booking, error)
	// CloseBooking marks a booking as done or refused.
	CloseBooking(ctx context.Context, tx *ledger.Tx, id, refused string) error

	// Members yields the members after a join number, in order.
	Members(ctx context.Context, tx *ledger.Tx, after int64, yield func(Member) error) error
	// Blocked returns the join numbers of members under review.
	Blocked(ctx context.Context, tx *ledger.Tx) ([]int64, error)
	// VerifyReviews returns a *ledger.TamperedError if the review of a member does not
	// match the signed chain: of those given by join number, and of those whose review
	// began or ended since a day was closed.
	VerifyReviews(ctx context.Context, tx *ledger.Tx, members []int64, since plan.Day) error
	// Carried yields the carried values that are not zero, in any order.
	Carried(ctx context.Context, tx *ledger.Tx, yield func(Carried) error) error
	// Keep writes carried values.
	Keep(ctx context.Context, tx *ledger.Tx, all []Carried) error
	// Flips lists changes of who is active, in order; AddFlips adds some.
	Flips(ctx context.Context, tx *ledger.Tx) ([]Flip, error)
	AddFlips(ctx context.Context, tx *ledger.Tx, all []Flip) error

	Tally(ctx context.Context, tx *ledger.Tx, name string) (int64, error)
	SetTally(ctx context.Context, tx *ledger.Tx, name string, value int64) error

	// LastRow returns the number of the last income row.
	LastRow(ctx context.Context, tx *ledger.Tx) (int64, error)
	// AddIncomes adds n rows, returned by at.
	AddIncomes(ctx context.Context, tx *ledger.Tx, n int, at func(i int) Income) error
	// AddSums adds sums of rows that were added.
	AddSums(ctx context.Context, tx *ledger.Tx, all []Sum) error
	AddDaySums(ctx context.Context, tx *ledger.Tx, all []DaySum) error
	// SaleIncomes lists the level rows of a sale that were not reversed.
	SaleIncomes(ctx context.Context, tx *ledger.Tx, sale string) ([]Income, error)
	// Incomes lists all rows, by number.
	Incomes(ctx context.Context, tx *ledger.Tx) ([]IncomeState, error)
	// Changed yields the data for the status of rows: of network rows released on a day,
	// of all rows of some batches, and of the rows of positions claimed on that day. A
	// row may occur twice.
	Changed(ctx context.Context, tx *ledger.Tx, day plan.Day, batches []string, yield func(IncomeState) error) error
	// HeldIncomes lists a member's network rows on Hold that were not reversed.
	HeldIncomes(ctx context.Context, tx *ledger.Tx, no int64) ([]Income, error)
	// Release marks network rows as released.
	Release(ctx context.Context, tx *ledger.Tx, all []int64, day plan.Day) error

	// Standing sums up accounts and tables, without the postings of the current group.
	Standing(ctx context.Context, tx *ledger.Tx) (Standing, error)

	// Books returns the final state of a scenario.
	Books(ctx context.Context, tx *ledger.Tx) (Books, error)

	AddBatch(ctx context.Context, tx *ledger.Tx, b Batch) error
	// Batches lists the batches on Hold or with an unpaid fee, by number.
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
	Body     []byte // scenario form; not read by Events
	Refused  string // reason, or empty
}

// The kinds of bookings.
const (
	PnL        = "pnl"
	Settle     = "settle"
	Chargeback = "chargeback"
)

// Booking is an operator's booking for the close of a day.
type Booking struct {
	ID        string
	Kind      string
	Line      string
	Sale      string
	Amount    money.Amount
	Reference string
	Evidence  string // the hash of a stored file, or empty
	Operator  int64
	Day       plan.Day
	At        time.Time
}

// Held is booked profit on Hold until its settlement.
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

// Carried are a member's values that a close passes to the next.
type Carried struct {
	No                                          int64
	Final, Own, Month, Left, Right, Match, Debt int64
	Sales, Rank, Reward, Months                 int64
	Active                                      bool
}

// Flip is a change between active and inactive.
type Flip struct {
	No     int64
	Day    plan.Day
	Active bool
}

// Income is a stored income row.
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

// EarnerShare is the part of a batch for one earner of level rows.
type EarnerShare struct {
	No     int64
	Amount int64
}
