package booking

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// CorrectionBooks reads both lists of one moment from the database.
type CorrectionBooks interface {
	Corrections(ctx context.Context, correction func(Correction) error, transfer func(CorrectionTransfer) error) error
}

// CorrectionTransfer is a correcting transfer of the ledger.
type CorrectionTransfer struct {
	ID, Actor, Reason, Reference string
	Legs                         map[string]int64 // by account
}

// CheckCorrections compares every correction with the signed ledger. Each approved one
// has exactly one transfer with its accounts, amount and reason, whose id contains the
// digest of the proposal and whose actor is the approver; no other transfer corrects. The
// error is a *closing.Broken if a rule is broken.
func CheckCorrections(ctx context.Context, books CorrectionBooks) error {
	found := map[string]CorrectionTransfer{} // by reference
	var all []Correction
	wrong := func(rule, of, have, want string) error {
		return &closing.Broken{Rule: rule, Of: of, Have: have, Want: want}
	}
	err := books.Corrections(ctx,
		func(c Correction) error {
			all = append(all, c)
			return nil
		},
		func(t CorrectionTransfer) error {
			if first, twice := found[t.Reference]; twice {
				return wrong("a correction is posted once", t.Reference, t.ID, first.ID)
			}
			found[t.Reference] = t
			return nil
		})
	if err != nil {
		return err
	}
	for _, c := range all {
		t, posted := found[c.reference()]
		delete(found, c.reference())
		if posted != (c.State == approval.Approved) {
			return wrong("a correction is posted when it is approved, and only then", c.reference(), string(c.State), "posted: "+strconv.FormatBool(posted))
		}
		if !posted {
			continue
		}
		if c.Alone == "" && (c.Decided.Operator == c.By.Operator || c.Decided.Operator == 0) {
			return wrong("a correction takes two operators", c.reference(), c.Decided.Key(), "another than "+c.By.Key())
		}
		for rule, pair := range map[string][2]string{
			"a correction is what was proposed and approved": {c.TransferID(), t.ID},
			"a correction was posted by who approved it":     {c.Decided.Key(), t.Actor},
			"a correction's reason is what statements say":   {c.remark(), t.Reason},
		} {
			if pair[0] != pair[1] {
				return wrong(rule, c.reference(), pair[0], pair[1])
			}
		}
		if legs := c.legs(); !maps.Equal(legs, t.Legs) {
			return wrong("a correction's amount and accounts are what was posted", c.reference(), words(legs), words(t.Legs))
		}
	}
	for reference, t := range found {
		return wrong("what corrects a wallet was proposed and approved", reference, t.ID, "nothing")
	}
	return nil
}

// words formats legs.
func words(legs map[string]int64) string {
	out := ""
	for _, code := range slices.Sorted(maps.Keys(legs)) {
		out += code + " " + strconv.FormatInt(legs[code], 10) + "; "
	}
	return out
}
