package simulate

import (
	"cmp"
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// feed runs an event. Of a refused one only the reason is recorded.
func (w *World) feed(ctx context.Context, e Event) error {
	w.clock.SetWall(e.Rec.UTC())
	at := closing.Event{ID: e.ID, At: e.At.UTC(), Recorded: e.Rec.UTC(), Body: e.raw}
	err := w.do(ctx, e.ID, e.raw, func(ctx context.Context, tx *ledger.Tx) error {
		if err := w.act(ctx, tx, e, at); err != nil {
			return err
		}
		return w.Closing.Note(ctx, tx, at, "")
	})
	if errors.As(err, new(*ledger.TamperedError)) { // the database was changed by hand: not a refusal of the event
		return err
	}
	switch errs.KindOf(err) {
	case errs.Refused, errs.Invalid, errs.NotFound, errs.Conflict:
		reason := errs.MessageOf(err)
		return w.do(ctx, "", nil, func(ctx context.Context, tx *ledger.Tx) error {
			return w.Closing.Note(ctx, tx, at, reason)
		})
	}
	return err
}

// act runs an event. Only scenarios can choose the id of a new member.
func (w *World) act(ctx context.Context, tx *ledger.Tx, e Event, at closing.Event) error {
	if e.Kind == "register" || e.Kind == "customer" {
		return w.join(ctx, tx, e)
	}
	return w.Act(ctx, tx, e, at)
}

func (w *World) join(ctx context.Context, tx *ledger.Tx, e Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	if _, taken, err := w.Tree.Standing(ctx, tx, uid); err != nil || taken {
		return cmp.Or(err, error(errs.New(errs.Conflict, "simulate.member_exists", "member {uid} is there already", "uid", uid)))
	}
	id := func(tree.No) int64 { return uid }
	var p tree.Place
	switch {
	case e.Sponsor == "" && e.Kind == "customer":
		return errs.New(errs.Refused, "member.customer_needs_sponsor", "A customer needs a sponsor.")
	case e.Sponsor == "":
		p, err = w.Tree.PlaceRoot(ctx, tx, id)
	default:
		sponsor, serr := number(e.Sponsor)
		side := map[string]tree.Side{"Left": tree.Left, "Right": tree.Right}[e.Side]
		switch {
		case serr != nil:
			return serr
		case e.Kind == "customer":
			p, err = w.Tree.PlaceCustomer(ctx, tx, sponsor, id)
		case side == tree.NoSide:
			return errs.New(errs.Invalid, "simulate.side_unknown", "The side is Left or Right.")
		default:
			p, err = w.Tree.Place(ctx, tx, sponsor, side, id)
		}
	}
	if err != nil {
		return err
	}
	return w.Members.Add(ctx, tx, member.Member{UID: uid, Name: "Member " + e.UID, Email: e.UID + "@example.org", JoinedAt: p.Joined})
}
