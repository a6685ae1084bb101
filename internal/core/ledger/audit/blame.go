package audit

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// reach is the number of versions before and after an entry that are used to check its
// account's code.
const reach = 8

// blame finds the row that made a transfer's leaf wrong, if every entry matches the entries
// before. The possible causes are the texts and times of the transfer, its leaf, and the
// codes of its accounts, which are part of other leaves as well: a code that fails in all
// of them was changed.
func (c *checker) blame(ctx context.Context, p *posting) error {
	var suspects, unknown []*Entry
	for i := range p.entries {
		e := &p.entries[i]
		right, tested, err := c.testify(ctx, e)
		switch {
		case err != nil:
			return err
		case tested == 0:
			unknown = append(unknown, e)
		case right == 0:
			suspects = append(suspects, e)
		}
	}
	if len(suspects) == 1 {
		e := suspects[0]
		return wrong("account", accountRow(e.Account, e.Code), "code is stored as %q, but transfer %d and all transfers beside it hashed another", e.Code, p.Seq)
	}
	also := ""
	for _, e := range append(suspects, unknown...) {
		also += fmt.Sprintf(" or the code of account id %d", e.Account)
	}
	return wrong("transfer", transferRow(p.Seq), "leaf is stored as %s, but its fields hash to %x: one of them%s was changed", hexOf(p.Leaf), p.leaf, strings.TrimSuffix(also, " "))
}

// testify counts the neighbours of e in its account, and those with a right leaf.
func (c *checker) testify(ctx context.Context, e *Entry) (right, tested int, err error) {
	seqs, err := c.r.Near(ctx, e.Account, e.Version, reach)
	if err != nil {
		return 0, 0, err
	}
	for _, seq := range seqs {
		if seq == e.Seq {
			continue
		}
		ok, err := leafRight(ctx, c.r, seq)
		if err != nil {
			return 0, 0, err
		}
		tested++
		if ok {
			right++
		}
	}
	return right, tested, nil
}

// leafRight reports whether a transfer exists and hashes to its stored leaf.
func leafRight(ctx context.Context, r Reader, seq int64) (bool, error) {
	transfers, err := r.Transfers(ctx, seq, seq)
	if err != nil || len(transfers) != 1 {
		return false, err
	}
	entries, err := r.Entries(ctx, seq, seq)
	if err != nil {
		return false, err
	}
	var canon record
	leaf := canon.transfer(&transfers[0], entries)
	return bytes.Equal(leaf[:], transfers[0].Leaf), nil
}
