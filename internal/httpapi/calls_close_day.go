package httpapi

import (
	"context"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerCloseDay(api huma.API) {
	get(api, tagOperator, "operator/close/day", "What a closed day came to, and some of its rows", c.closeDay)
	get(api, tagOperator, "operator/trading/lines", "How the trading lines stand", c.tradingLines)
}

// CloseLook is what an operator looks at before approving a close, and of a past
// one.
type CloseLook struct {
	Compared []comparedTotal `json:"compared" nullable:"false" doc:"By kind of income, and paid in all, beside the day before."`
	Before   string          `json:"before" doc:"The day before; empty if none is closed."`
	Top      []topEarner     `json:"top" nullable:"false" doc:"Who earned most."`
	Capped   int64           `json:"capped" doc:"Rows cut by the daily cap."`
	Scaled   int64           `json:"scaled" doc:"Rows cut to what their pool had."`
	Held     int64           `json:"held" doc:"Network rows of members under review."`
	Taken    int64           `json:"taken" doc:"Rows that take an earlier one back."`
	Warnings []closeWarning  `json:"warnings" nullable:"false"`
}

func noLook() CloseLook {
	return CloseLook{Compared: []comparedTotal{}, Top: []topEarner{}, Warnings: []closeWarning{}}
}

type comparedTotal struct {
	Kind       string `json:"kind" doc:"Of income; paid for all of them."`
	Amount     usd    `json:"amount"`
	Before     usd    `json:"before" doc:"Of the day before."`
	Difference usd    `json:"difference"`
}

type topEarner struct {
	UID  string `json:"uid"`
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	Paid usd    `json:"paid"`
}

type closeWarning struct {
	Code   string `json:"code" enum:"refused,scaled,held,taken,jump,plan,waiting,company,short"`
	Count  int64  `json:"count" doc:"Of what it warns; of jump the change in percent."`
	Line   string `json:"line" doc:"Of company: whose losses."`
	Amount usd    `json:"amount" doc:"Of company: what the company pays for the line; of short: for all lines together."`
	Has    usd    `json:"has" doc:"Of company and short: what the company's own money would be after the close."`
}

type closeRow struct {
	Row     int64    `json:"row"`
	UID     string   `json:"uid" doc:"Who earned it."`
	Of      string   `json:"of" doc:"Whose sale or position it came from."`
	Kind    kindName `json:"kind"`
	Line    string   `json:"line"`
	Level   int64    `json:"level"`
	Paid    usd      `json:"paid"`
	Nominal usd      `json:"nominal" doc:"Before what the pool could pay."`
	Capped  bool     `json:"capped"`
	Scaled  bool     `json:"scaled"`
	Held    bool     `json:"held"`
	Taken   bool     `json:"taken"`
}

func closeRows(seen []closing.Seen) []closeRow {
	out := make([]closeRow, 0, len(seen))
	for _, x := range seen {
		out = append(out, closeRow{
			x.Row, id(x.UID), id(x.Of), kindName(x.Kind.Name()), x.Line, x.Level, dollars(x.Paid), dollars(x.Nominal), x.Capped, x.Scaled, x.Held, x.Taken,
		})
	}
	return out
}

// jumpPercent is a change of what is paid in all that somebody should explain.
const jumpPercent = 50

// warn adds a warning if there is anything to warn of.
func (l *CloseLook) warn(code string, count int64) {
	if count != 0 {
		l.Warnings = append(l.Warnings, closeWarning{Code: code, Count: count, Amount: dollars(money.Amount{}), Has: dollars(money.Amount{})})
	}
}

// warnOf tells what a close takes from the company's own money, by line and, if
// there is not enough of it, together.
func (l *CloseLook) warnOf(c closing.Company) {
	for _, x := range c.Lines {
		l.Warnings = append(l.Warnings, closeWarning{"company", 1, x.Line, dollars(x.Pays), dollars(c.Has)})
	}
	if c.Short() {
		l.Warnings = append(l.Warnings, closeWarning{"short", int64(len(c.Lines)), "", dollars(c.Pays), dollars(c.Has)})
	}
}

// fill compares what a day came to with the day before.
func (c *Calls) fill(ctx context.Context, on plan.Day, l *CloseLook, now closing.Shown) error {
	l.Capped, l.Scaled, l.Held, l.Taken = now.Marks.Capped, now.Marks.Scaled, now.Marks.Held, now.Marks.Taken
	before, closed, err := c.Closing.DayBefore(ctx, on)
	if err != nil {
		return err
	}
	if closed {
		l.Before = (on - 1).String()
	}
	kinds := maps.Clone(before.Totals)
	if kinds == nil {
		kinds = map[string]money.Amount{}
	}
	maps.Copy(kinds, now.Totals)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if err := l.compare(kind, now.Totals[kind], before.Totals[kind]); err != nil {
			return err
		}
	}
	if err := l.compare("paid", now.Paid, before.Paid); err != nil {
		return err
	}
	l.warn("scaled", l.Scaled)
	l.warn("held", l.Held)
	l.warn("taken", l.Taken)
	if was, is := before.Paid.Micros(), now.Paid.Micros(); was > 0 {
		if change, err := money.Micro(is-was).MulDiv(100, was); err == nil && (change.Micros() > jumpPercent || change.Micros() < -jumpPercent) {
			l.warn("jump", change.Micros())
		}
	}
	if closed && before.Plan != now.Plan {
		l.warn("plan", 1)
	}
	return c.name(ctx, l, now.Top)
}

func (l *CloseLook) compare(kind string, now, before money.Amount) error {
	difference, err := now.Sub(before)
	l.Compared = append(l.Compared, comparedTotal{kind, dollars(now), dollars(before), dollars(difference)})
	return err
}

// name tells who earned most.
func (c *Calls) name(ctx context.Context, l *CloseLook, top []closing.Top) error {
	uids := make([]int64, 0, len(top))
	for _, x := range top {
		uids = append(uids, x.UID)
	}
	cards, err := c.Members.Cards(ctx, uids)
	for _, x := range top {
		l.Top = append(l.Top, topEarner{id(x.UID), cards[x.UID].Name, x.Rows, dollars(x.Paid)})
	}
	return err
}

// look tells of a preview what an operator looks at.
func (c *Calls) look(ctx context.Context, on plan.Day, r *closing.Report, out *closeSummary) error {
	s, err := r.Summary()
	if err != nil {
		return err
	}
	now := closing.Shown{Totals: s.Totals, Paid: s.Paid}
	now.Plan = s.Plan
	now.Top, now.Marks = r.Rows.Look()
	out.warnOf(r.Company)
	out.warn("waiting", int64(out.Waiting))
	out.warn("refused", int64(len(out.Refused)))
	return c.fill(ctx, on, &out.CloseLook, now)
}

type closeDayInput struct {
	Day  string `query:"day" example:"2026-01-31"`
	Only string `query:"only" enum:"capped,scaled,held,taken" doc:"Only such rows."`
	Page int    `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int    `query:"size" minimum:"1" maximum:"500" default:"25"`
}

type closeDay struct {
	Day    string `json:"day"`
	Plan   string `json:"plan"`
	Digest string `json:"digest"`
	Rows   int64  `json:"rows"`
	At     moment `json:"at"`
	CloseLook
	List  []closeRow `json:"list" nullable:"false" doc:"The rows that were asked for."`
	Found int        `json:"found" doc:"How many there are of them."`
}

func (c *Calls) closeDay(ctx context.Context, in *closeDayInput) (*reply[closeDay], error) {
	day, err := plan.ParseDay(in.Day)
	if err != nil {
		return nil, err
	}
	x, err := c.Closing.Shown(ctx, day)
	if err != nil {
		return nil, err
	}
	out := closeDay{Day: x.Day.String(), Plan: x.Plan, Digest: x.Digest, Rows: x.LastRow - x.FirstRow + 1, At: at(x.At), CloseLook: noLook()}
	if err := c.fill(ctx, day, &out.CloseLook, x); err != nil {
		return nil, err
	}
	seen, found, err := c.Closing.ShownRows(ctx, day, closing.Mark(in.Only), (in.Page-1)*in.Size, in.Size)
	out.List, out.Found = closeRows(seen), found
	return answer(out), err
}

type lineStanding struct {
	Line      string `json:"line" enum:"FOREX,CRYPTO"`
	Positions int64  `json:"positions" doc:"That are open."`
	Principal usd    `json:"principal" doc:"Put into them."`
	Loss      usd    `json:"loss" doc:"Of that, carried as lost until profits repay it."`
	Reserve   usd    `json:"reserve"`
	ROI       usd    `json:"roi" doc:"Booked and on Hold."`
	Fee       usd    `json:"fee" doc:"Booked for the operator and not paid."`
	Claims    int64  `json:"claims" doc:"That wait."`
	Claimed   usd    `json:"claimed" doc:"What they are worth."`
	Recalled  usd    `json:"recalled" doc:"Cash that has come back for them."`
	Batches   int64  `json:"batches" doc:"Booked profits on Hold."`
	Oldest    string `json:"oldest" doc:"The day of the oldest of them; empty without any."`
	Age       int64  `json:"age" doc:"How many days ago that was."`
}

func (c *Calls) tradingLines(ctx context.Context, _ *struct{}) (*reply[[]lineStanding], error) {
	all, err := c.Closing.Lines(ctx)
	if err != nil {
		return nil, err
	}
	today, err := c.Closing.Today(ctx)
	if err != nil {
		return nil, err
	}
	out := []lineStanding{}
	for _, x := range all {
		l := lineStanding{
			Line: x.Line, Positions: x.Positions, Principal: dollars(x.Principal), Loss: dollars(x.Loss), Reserve: dollars(x.Reserve), ROI: dollars(x.ROI), Fee: dollars(x.Fee),
			Claims: x.Claims, Claimed: dollars(x.Claimed), Recalled: dollars(x.Recalled), Batches: x.Batches,
		}
		if x.Batches > 0 {
			l.Oldest, l.Age = x.Oldest.String(), max(int64(today-x.Oldest), 0)
		}
		out = append(out, l)
	}
	return answer(out), nil
}
