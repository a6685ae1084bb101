package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Comparison compares the payments of a history with those of another plan.
type Comparison struct {
	Plans    []string  `json:"plans"`   // of the closed days
	WhatIf   string    `json:"what_if"` // the other plan
	First    string    `json:"first"`
	Last     string    `json:"last"`
	Events   int       `json:"events"`
	Derived  int       `json:"derived"` // of them, reconstructed from their effects
	Kinds    []Beside  `json:"kinds"`
	Paid     Beside    `json:"paid"`    // all of them
	Network  Beside    `json:"network"` // of them, from pools
	Revenue  Beside    `json:"revenue"` // final sales less chargebacks
	Payout   BesidePPM `json:"payout_to_revenue_ppm"`
	Refusals []Refusal `json:"refusals"` // that differ
	Members  []Beside  `json:"members"`  // the largest differences
}

// Beside is one figure of both.
type Beside struct {
	Name       string `json:"name"`
	Actual     string `json:"actual"`
	WhatIf     string `json:"what_if"`
	Difference string `json:"difference"`
}

// BesidePPM is a share of both.
type BesidePPM struct {
	Actual int64 `json:"actual"`
	WhatIf int64 `json:"what_if"`
}

// Refusal is an event with different results under the two plans.
type Refusal struct {
	ID     string `json:"id"`
	Actual string `json:"actual"`  // the reason; "" if it was accepted
	WhatIf string `json:"what_if"` // the reason; "" if it was accepted
}

// topMembers is the number of members in a comparison.
const topMembers = 20

// WhatIf replays the closed days of the database at dsn under another plan, on an empty
// database at scratch, and compares. It only reads the first one. Invalid if the plan is
// wrong or has another time zone; Refused if no day is closed.
func WhatIf(ctx context.Context, dsn, scratch string, body []byte) (Comparison, error) {
	return WhatIfWith(ctx, dsn, scratch, body, func(int64, int64) {})
}

// WhatIfWith is WhatIf with progress, called with the number of closed days and the total.
func WhatIfWith(ctx context.Context, dsn, scratch string, body []byte, progress func(done, total int64)) (c Comparison, err error) {
	p, err := plan.Parse(body)
	if err != nil {
		return c, err
	}
	db, err := store.OpenToRead(ctx, dsn)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.CheckSchema(ctx); err != nil {
		return c, err
	}
	h, err := db.History(ctx)
	if err != nil {
		return c, err
	}
	s, err := again(h, p, body)
	if err != nil {
		return c, err
	}
	actual, err := db.Totals(ctx)
	if err != nil {
		return c, err
	}
	if _, err := run(ctx, scratch, s, progress); err != nil {
		return c, err
	}
	other, err := store.OpenToRead(ctx, scratch)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, other.Close()) }()
	paid, err := other.Totals(ctx)
	if err != nil {
		return c, err
	}
	c = compare(actual, paid)
	c.Plans, c.WhatIf, c.First, c.Last, c.Events = h.Plans, p.Version, h.First.String(), h.Last.String(), len(s.Events)
	for _, e := range h.Events {
		if e.Derived {
			c.Derived++
		}
	}
	return c, nil
}

// again returns the history as a scenario under another plan.
func again(h closing.History, p *plan.Plan, body []byte) (*Scenario, error) {
	if h.Last == 0 {
		return nil, errs.New(errs.Refused, "simulate.no_day_closed", "No day of this database is closed, so there is nothing to compare.")
	}
	was, err := plan.Parse(h.Body)
	if err != nil {
		return nil, err
	}
	if p.TZ != was.TZ {
		return nil, errs.BadField("tz", "simulate.other_zone", "must be {zone}: in another zone the history has other days", "zone", was.TZ)
	}
	s := &Scenario{Plan: body, First: h.First.String(), Last: h.Last.String()}
	for _, r := range h.Events {
		var e Event
		if err := e.UnmarshalJSON(r.Body); err != nil {
			return nil, fmt.Errorf("event %s cannot be read: %w", r.ID, err)
		}
		if e.booked = r.Day; e.booked == 0 {
			e.booked = was.BookDay(e.At, e.Rec)
		}
		if e.booked <= h.Last {
			s.Events = append(s.Events, e)
		}
	}
	return s, nil
}

// beside compares a figure.
func beside(name string, actual, other int64) Beside {
	return Beside{name, text(actual), text(other), text(other - actual)}
}

func compare(actual, other closing.Totals) Comparison {
	kinds, members := map[string]*[2]int64{}, map[int64]*[2]int64{}
	var paid, network [2]int64
	for i, t := range []closing.Totals{actual, other} {
		for e, sum := range t.Paid {
			name := kindName(e)
			if kinds[name] == nil {
				kinds[name] = &[2]int64{}
			}
			if members[e.UID] == nil {
				members[e.UID] = &[2]int64{}
			}
			kinds[name][i] += sum
			members[e.UID][i] += sum
			paid[i] += sum
			if !e.Kind.Trading() {
				network[i] += sum
			}
		}
	}
	net := [2]int64{actual.Gross - actual.Reversed, other.Gross - other.Reversed}
	c := Comparison{
		Paid: beside("paid", paid[0], paid[1]), Network: beside("network", network[0], network[1]), Revenue: beside("revenue", net[0], net[1]),
		Payout: BesidePPM{disclosure.Share(network[0], net[0]), disclosure.Share(network[1], net[1])}, Kinds: []Beside{}, Refusals: []Refusal{}, Members: []Beside{},
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		c.Kinds = append(c.Kinds, beside(name, kinds[name][0], kinds[name][1]))
	}
	change := func(uid int64) int64 { d := members[uid][1] - members[uid][0]; return max(d, -d) }
	order := slices.SortedFunc(maps.Keys(members), func(a, b int64) int { return cmp.Or(cmp.Compare(change(b), change(a)), cmp.Compare(a, b)) })
	for _, uid := range order[:min(len(order), topMembers)] {
		if change(uid) > 0 {
			c.Members = append(c.Members, beside(strconv.FormatInt(uid, 10), members[uid][0], members[uid][1]))
		}
	}
	ids := maps.Clone(actual.Refused)
	maps.Copy(ids, other.Refused)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		a, was := actual.Refused[id]
		b, is := other.Refused[id]
		if was != is {
			c.Refusals = append(c.Refusals, Refusal{id, a, b})
		}
	}
	return c
}

// kindName returns an income's name in a comparison.
func kindName(e closing.Earned) string {
	name := e.Kind.Name()
	if e.Line != "" {
		name += " " + e.Line
	}
	return name
}
