package plan

import (
	"math/bits"
	"slices"
)

// Book is the state before and after a close. Columns are indexed by join order, from
// 0; -1 is no member.
type Book struct {
	UID      []int64
	Sponsor  []int32
	Parent   []int32 // -1 for the root and for customers
	Side     []uint8 // 1 left, 2 right; 0 without a place
	Customer []bool
	ByUID    []int32 // all members in the order of their ids

	Final    []int64 // final purchases
	Sales    []int32 // number of them
	Own      []int64 // all volume of them; a customer's counts for the sponsor
	Month    []int64 // volume that became final this month
	Left     []int64 // carried volume
	Right    []int64
	MatchBot []int64 // matched volume, ever
	Rank     []uint8
	Reward   []uint8
	Months   []uint8 // remaining months of salary
	Active   []bool  // as of the last close
	Blocked  []bool
	Debt     []int64 // repaid from later incomes first

	Flips []Flip // when members became active or inactive

	Pools   [pools]int64
	Deficit [RESERVE]int64 // debt of a pool to the company; LEVEL never has one
	Lines   [2]LineBook
	Rows    int64 // last row number
}

// Pool is a source of network incomes.
type Pool uint8

// The pools. RESERVE pays no income.
const (
	LEVEL Pool = iota
	MATCH
	LEAD
	ROYALTY
	RESERVE
	pools
)

// Name is the pool's name in accounts and reports.
func (k Pool) Name() string { return [pools]string{"LEVEL", "MATCH", "LEAD", "ROYALTY", "RESERVE"}[k] }

// Flip is a change of a member's activity, from the close of a day on.
type Flip struct {
	Member int32
	Day    Day
	Active bool
}

// LineBook is one trading line.
type LineBook struct {
	Positions []Position // by id, as text
	Reserve   int64
	Held      int64 // ROI and ROI level rows on Hold
	Settled   int64 // cash that covers future releases and fees
	Frozen    int64 // held rows of matured positions with a pending claim
	Pending   int   // pending claims
	Batches   []Batch
	Fees      []Fee
}

// Position is one investment.
type Position struct {
	ID        string
	Member    int32
	Principal int64
	Loss      int64 // carried; never more than the principal
	Opened    Day
	Term      int64
	State     PositionState
}

type PositionState uint8

const (
	Open PositionState = iota
	Matured
	Claimed
)

// Batch is the income that one booked profit put on Hold. It is released as a whole.
type Batch struct {
	ID     string
	Day    Day
	ROI    []Share // by position
	Levels []Share // by member
}

// Share is part of a batch: Of is a position's index or a member's.
type Share struct {
	Of     int32
	Amount int64
}

// Fee is the operator's fee of one booked profit, due once it is settled.
type Fee struct {
	ID     string
	Amount int64
}

// Len is the number of members.
func (b *Book) Len() int { return len(b.UID) }

// Clone returns a copy that shares nothing mutable, so that a preview can close the
// copy and leave the book unchanged.
func (b *Book) Clone() *Book {
	c := *b
	for _, col := range []*[]int64{&c.UID, &c.Final, &c.Own, &c.Month, &c.Left, &c.Right, &c.MatchBot, &c.Debt} {
		*col = slices.Clone(*col)
	}
	for _, col := range []*[]int32{&c.Sponsor, &c.Parent, &c.ByUID, &c.Sales} {
		*col = slices.Clone(*col)
	}
	for _, col := range []*[]uint8{&c.Side, &c.Rank, &c.Reward, &c.Months} {
		*col = slices.Clone(*col)
	}
	for _, col := range []*[]bool{&c.Customer, &c.Active, &c.Blocked} {
		*col = slices.Clone(*col)
	}
	c.Flips = slices.Clone(c.Flips)
	for i := range c.Lines {
		l := &c.Lines[i]
		l.Positions, l.Batches, l.Fees = slices.Clone(l.Positions), slices.Clone(l.Batches), slices.Clone(l.Fees)
		for k := range l.Batches {
			l.Batches[k].ROI, l.Batches[k].Levels = slices.Clone(l.Batches[k].ROI), slices.Clone(l.Batches[k].Levels)
		}
	}
	return &c
}

// muldiv returns floor(a·num/den) for amounts that are not negative; if num ≤ den the
// result is at most a, so it fits.
func muldiv(a, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(num))
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(q)
}

// due returns the cash needed to release a batch, without its frozen rows.
func (l *LineBook) due(batch *Batch) (sum int64) {
	for _, s := range batch.ROI {
		if l.Positions[s.Of].State == Open {
			sum += s.Amount
		}
	}
	for _, s := range batch.Levels {
		sum += s.Amount
	}
	return sum
}

// feeHeld returns the sum of unpaid fees.
func (l *LineBook) feeHeld() (sum int64) {
	for _, f := range l.Fees {
		sum += f.Amount
	}
	return sum
}
