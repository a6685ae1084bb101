package audit

import (
	"context"
	"strings"
	"time"
)

const untilLayout = "2006-01-02T15:04:05.000000Z"

// expiry parses a hold's expiry from the reason of the transfer that placed it.
func expiry(reason string) (int64, bool) {
	text, found := strings.CutPrefix(reason, "until ")
	if !found || len(text) < len(untilLayout) {
		return 0, false
	}
	stamp, rest := text[:len(untilLayout)], text[len(untilLayout):]
	t, err := time.Parse(untilLayout, stamp)
	if err != nil || t.Format(untilLayout) != stamp || (rest != "" && !strings.HasPrefix(rest, "; ")) {
		return 0, false
	}
	return t.UnixMicro(), true
}

// held checks each entry's effect on a hold.
func (c *checker) held(ctx context.Context, p *posting) error {
	for i := range p.entries {
		e := &p.entries[i]
		var err error
		switch {
		case e.Hold == 0 && e.HeldDelta == 0:
			continue
		case e.Hold <= 0 || e.HeldDelta == 0:
			return wrong("entry", entryRow(e), "hold is stored as %d beside a held_delta of %s: it takes both to move a hold", e.Hold, usd(e.HeldDelta))
		case e.HeldDelta > 0:
			err = c.books.place(ctx, p.Transfer, e, p.sure)
		default:
			err = c.books.release(ctx, p.Transfer, e, p.sure)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// holdKind checks that placing, voiding and expiring have their own kinds of transfers and do
// nothing else; a settlement moves money.
func holdKind(p *posting) error {
	row := transferRow(p.Seq)
	alone := p.Kind == kindPlace || p.Kind == kindVoid || p.Kind == kindExpire
	if alone && (len(p.entries) != 1 || p.entries[0].Delta != 0) {
		return wrong("transfer", row, "kind is stored as %s, but it does more than that", p.Kind)
	}
	if _, ok := expiry(p.Reason); p.Kind == kindPlace && !ok {
		return wrong("transfer", row, "reason is stored as %q, but must begin with the hold's expiry", p.Reason)
	}
	for i := range p.entries {
		e := &p.entries[i]
		switch {
		case e.HeldDelta > 0 && p.Kind != kindPlace:
			return wrong("transfer", row, "kind is stored as %s, but it places hold %d", p.Kind, e.Hold)
		case e.HeldDelta < 0 && p.Kind == kindPlace:
			return wrong("transfer", row, "kind is stored as %s, but it releases hold %d", p.Kind, e.Hold)
		case !alone && e.Delta == 0:
			return wrong("entry", entryRow(e), "delta is stored as %s, but only hold.place, hold.void and hold.expire move no money, not %s", usd(0), p.Kind)
		}
	}
	return nil
}
