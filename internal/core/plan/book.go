package plan

import (
	"math/bits"
	"slices"
)

// Book is what a close starts from and leaves. Columns are indexed by join
// order, from 0; -1 is nobody.
type Book struct {
	UID      []int64
	Sponsor  []int32
	Parent   []int32 // -1 for the root and for customers
	Side     []uint8 // 1 left, 2 right; 0 without a place
	Customer []bool
	ByUID    []int32 // all members in the order of their ids

	Final    []int64 // purchases that are final
	Sales    []int32 // how many of them
	Own      []int64 // volume of them, ever; a customer's is its sponsor's
	Month    []int64 // volume that became final this month
	Left     []int64 // carried volume
	Right    []int64
	MatchBot []int64 // matched volume, ever
	Rank     []uint8
	Reward   []uint8
	Months   []uint8 // of salary left
	Active   []bool  // as of the last close
	Blocked  []bool
	Debt     []int64 // what later incomes repay first

	Flips []Flip // when members became active or ceased to be

	Pools   [pools]int64
	Deficit [RESERVE]int64 // what a pool owes the company; LEVEL never does
	Lines   [2]LineBook
	Rows    int64 // last row number
}

// Pool is where network incomes come from.
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

// Name is the pool as accounts and reports call it.
func (k Pool) Name() string { return [pools]string{"LEVEL", "MATCH", "LEAD", "ROYALTY", "RESERVE"}[k] }

// Flip is a change of who is active, from the close of a day on.
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
	Settled   int64 // cash that covers releases and fees to come
	Frozen    int64 // held rows of matured positions that wait for their claim
	Pending   int   // claims that wait
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

// PositionState is how far a position has come.
type PositionState uint8

// The states.
const (
	Open PositionState = iota
	Matured
	Claimed
)

// Batch is what one booked profit put on Hold. It is released whole.
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

// Fee is what the operator earns of one booked profit, once it is settled.
type Fee struct {
	ID     string
	Amount int64
}

// Len is how many members there are.
func (b *Book) Len() int { return len(b.UID) }

// Clone is a copy that shares nothing that changes: a preview closes a copy, and
// the book stays as it was.
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

// muldiv is floor(a·num/den) for amounts that are not negative; the result is
// never more than a when num ≤ den, so it fits.
func muldiv(a, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(num))
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(q)
}

// due is what releasing a batch needs: frozen rows have left it.
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

// feeHeld is the sum of fees not paid yet.
func (l *LineBook) feeHeld() (sum int64) {
	for _, f := range l.Fees {
		sum += f.Amount
	}
	return sum
}
