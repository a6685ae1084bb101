package store

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// What closes leave of members, the largest table that each close reads whole.

const (
	carriedColumns = `SELECT no, (((sales * 256 + rank) * 256 + reward) * 256 + months) * 2 + active,
		final, own, month, left_vol, right_vol, match_bot, debt FROM carry`

	// From so many join numbers on, two connections share the reading.
	shareReading = 50_000
	// carriedAtOnce is how many the other connection hands over together.
	carriedAtOnce = 1024
)

func scanCarried(r *sql.Rows) (c closing.Carried, err error) {
	var n [9]int64
	if err := scanInts(r, n[:]); err != nil {
		return c, err
	}
	return closing.Carried{
		No: n[0], Sales: n[1] >> 25, Rank: n[1] >> 17 & 255, Reward: n[1] >> 9 & 255, Months: n[1] >> 1 & 255, Active: n[1]&1 == 1,
		Final: n[2], Own: n[3], Month: n[4], Left: n[5], Right: n[6], Match: n[7], Debt: n[8],
	}, nil
}

func (m moment) Carried(ctx context.Context, yield func(closing.Carried) error) error {
	return each(ctx, m.q, scanCarried, yield, carriedColumns+" ORDER BY no")
}

// Carried reads the lower half within the command and the upper half beside it.
func (s closingStore) Carried(ctx context.Context, tx *ledger.Tx, yield func(closing.Carried) error) error {
	last, _, err := first(ctx, groupOf(tx), scanCount, "SELECT COALESCE(MAX(no), 0) FROM carry")
	if err != nil {
		return err
	}
	if last < shareReading {
		return each(ctx, groupOf(tx), scanCarried, yield, carriedColumns)
	}
	half := last / 2
	upper, err := s.carriedAbove(ctx, tx, half)
	if err != nil {
		return err
	}
	defer upper.end()
	n := 0
	if err := each(ctx, groupOf(tx), scanCarried, func(c closing.Carried) error {
		if n++; n%carriedAtOnce == 0 {
			if err := upper.some(yield); err != nil {
				return err
			}
		}
		return yield(c)
	}, carriedColumns+" WHERE no <= $1", half); err != nil {
		return err
	}
	if done, err := upper.rest(yield); done || err != nil {
		return err
	}
	return each(ctx, groupOf(tx), scanCarried, yield, carriedColumns+" WHERE no > $1", half)
}

// carriedBeside is a reading of carry on a connection of its own.
type carriedBeside struct {
	parts chan []closing.Carried // closed after the last
	stop  context.CancelFunc
	same  bool // it sees what the command sees
	err   error
}

// carriedAbove begins to read, outside of the command, what members above a join
// number carry. Nobody but a close writes this table, so that who sees the same last
// day sees the same rows; who does not, reads nothing.
func (s closingStore) carriedAbove(ctx context.Context, tx *ledger.Tx, no int64) (*carriedBeside, error) {
	day, _, err := s.LastDay(ctx, tx)
	if err != nil {
		return nil, err
	}
	b := &carriedBeside{parts: make(chan []closing.Carried, 8)}
	ctx, b.stop = context.WithCancel(ctx)
	go func() {
		defer close(b.parts)
		b.err = s.db.snapshot(ctx, func(q querier) error {
			seen, _, err := first(ctx, q, scanID, lastDay)
			if b.same = err == nil && seen == int64(day); !b.same {
				return err
			}
			return b.read(ctx, q, no)
		})
	}()
	return b, nil
}

func (b *carriedBeside) read(ctx context.Context, q querier, above int64) error {
	part := make([]closing.Carried, 0, carriedAtOnce)
	hand := func() error {
		select {
		case b.parts <- part:
			part = make([]closing.Carried, 0, carriedAtOnce)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := each(ctx, q, scanCarried, func(c closing.Carried) error {
		if part = append(part, c); len(part) < carriedAtOnce {
			return nil
		}
		return hand()
	}, carriedColumns+" WHERE no > $1", above); err != nil {
		return err
	}
	return hand()
}

// some gives what is there by now.
func (b *carriedBeside) some(yield func(closing.Carried) error) error {
	select {
	case part := <-b.parts: // nil after the last
		return giveAll(part, yield)
	default:
		return nil
	}
}

// rest gives what is still to come. False if there was nothing that the command sees.
func (b *carriedBeside) rest(yield func(closing.Carried) error) (done bool, err error) {
	for part := range b.parts {
		if err := giveAll(part, yield); err != nil {
			return false, err
		}
	}
	return b.same, b.err
}

// end makes sure that nobody reads on.
func (b *carriedBeside) end() {
	b.stop()
	for range b.parts { //nolint:revive // until it is closed
	}
}

func giveAll(part []closing.Carried, yield func(closing.Carried) error) error {
	for _, c := range part {
		if err := yield(c); err != nil {
			return err
		}
	}
	return nil
}
