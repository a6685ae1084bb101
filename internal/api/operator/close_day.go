package operator

import (
	"context"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerCloseDay(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/close/day", "Retrieve the totals of a closed day and some of its rows", c.closeDay)
	httpx.Get(api, httpx.TagOperator, "operator/trading/lines", "Retrieve the state of the trading lines", c.tradingLines)
}

// CloseLook is shown to an operator before approving a close, and for a past one.
type CloseLook struct {
	Compared []comparedTotal `json:"compared" nullable:"false" doc:"Totals by kind of income and overall, compared with the previous day."`
	Before   string          `json:"before" doc:"The previous day; empty if none is closed."`
	Top      []topEarner     `json:"top" nullable:"false" doc:"The members with the highest income."`
	Capped   int64           `json:"capped" doc:"The number of rows cut by the daily cap."`
	Scaled   int64           `json:"scaled" doc:"The number of rows scaled to their pool."`
	Held     int64           `json:"held" doc:"The number of network rows held for members under review."`
	Taken    int64           `json:"taken" doc:"The number of rows that reverse an earlier one."`
	Warnings []closeWarning  `json:"warnings" nullable:"false"`
}

func noLook() CloseLook {
	return CloseLook{Compared: []comparedTotal{}, Top: []topEarner{}, Warnings: []closeWarning{}}
}

type comparedTotal struct {
	Kind       string    `json:"kind" doc:"The kind of income; paid for the overall total."`
	Amount     httpx.USD `json:"amount"`
	Before     httpx.USD `json:"before" doc:"The value of the previous day."`
	Difference httpx.USD `json:"difference"`
}

type topEarner struct {
	UID  string    `json:"uid"`
	Name string    `json:"name"`
	Rows int64     `json:"rows"`
	Paid httpx.USD `json:"paid"`
}

type closeWarning struct {
	Code   string    `json:"code" enum:"refused,scaled,held,taken,jump,plan,waiting,company,short"`
	Count  int64     `json:"count" doc:"The number of cases; for jump, the change in percent."`
	Line   string    `json:"line" doc:"company only: the line whose losses the company pays."`
	Amount httpx.USD `json:"amount" doc:"company: the amount the company pays for the line; short: for all lines."`
	Has    httpx.USD `json:"has" doc:"company and short: the company's own money after the close."`
}

type closeRow struct {
	Row     int64          `json:"row"`
	UID     string         `json:"uid" doc:"The earning member."`
	Of      string         `json:"of" doc:"The member whose sale or position the income comes from."`
	Kind    httpx.KindName `json:"kind"`
	Line    string         `json:"line"`
	Level   int64          `json:"level"`
	Paid    httpx.USD      `json:"paid"`
	Nominal httpx.USD      `json:"nominal" doc:"The amount before scaling to the pool."`
	Capped  bool           `json:"capped"`
	Scaled  bool           `json:"scaled"`
	Held    bool           `json:"held"`
	Taken   bool           `json:"taken"`
}

func closeRows(seen []closing.Seen) []closeRow {
	out := make([]closeRow, 0, len(seen))
	for _, x := range seen {
		out = append(out, closeRow{
			x.Row, httpx.FormatID(x.UID), httpx.FormatID(x.Of), httpx.KindName(x.Kind.Name()), x.Line, x.Level, httpx.ToUSD(x.Paid), httpx.ToUSD(x.Nominal), x.Capped, x.Scaled, x.Held, x.Taken,
		})
	}
	return out
}

// jumpPercent is a change of the total payout that needs an explanation.
const jumpPercent = 50

// warn adds a warning if count is not zero.
func (l *CloseLook) warn(code string, count int64) {
	if count != 0 {
		l.Warnings = append(l.Warnings, closeWarning{Code: code, Count: count, Amount: httpx.ToUSD(money.Amount{}), Has: httpx.ToUSD(money.Amount{})})
	}
}

// warnOf adds warnings for money that a close takes from the company, by line, and for a
// shortage of it.
func (l *CloseLook) warnOf(c closing.Company) {
	for _, x := range c.Lines {
		l.Warnings = append(l.Warnings, closeWarning{"company", 1, x.Line, httpx.ToUSD(x.Pays), httpx.ToUSD(c.Has)})
	}
	if c.Short() {
		l.Warnings = append(l.Warnings, closeWarning{"short", int64(len(c.Lines)), "", httpx.ToUSD(c.Pays), httpx.ToUSD(c.Has)})
	}
}

// fill compares a day with the day before.
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
	l.Compared = append(l.Compared, comparedTotal{kind, httpx.ToUSD(now), httpx.ToUSD(before), httpx.ToUSD(difference)})
	return err
}

// name adds the names of the top earners.
func (c *Calls) name(ctx context.Context, l *CloseLook, top []closing.Top) error {
	uids := make([]int64, 0, len(top))
	for _, x := range top {
		uids = append(uids, x.UID)
	}
	cards, err := c.Members.Cards(ctx, uids)
	for _, x := range top {
		l.Top = append(l.Top, topEarner{httpx.FormatID(x.UID), cards[x.UID].Name, x.Rows, httpx.ToUSD(x.Paid)})
	}
	return err
}

// look fills the summary of a preview for an operator.
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
	Only string `query:"only" enum:"capped,scaled,held,taken" doc:"Only rows of this kind."`
	Page int    `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int    `query:"size" minimum:"1" maximum:"500" default:"25"`
}

type closeDay struct {
	Day    string          `json:"day"`
	Plan   string          `json:"plan"`
	Digest string          `json:"digest"`
	Rows   int64           `json:"rows"`
	At     httpx.Timestamp `json:"at"`
	CloseLook
	List  []closeRow `json:"list" nullable:"false" doc:"The requested rows."`
	Found int        `json:"found" doc:"The total number of matching rows."`
}

func (c *Calls) closeDay(ctx context.Context, in *closeDayInput) (*httpx.Reply[closeDay], error) {
	day, err := plan.ParseDay(in.Day)
	if err != nil {
		return nil, err
	}
	x, err := c.Closing.Shown(ctx, day)
	if err != nil {
		return nil, err
	}
	out := closeDay{Day: x.Day.String(), Plan: x.Plan, Digest: x.Digest, Rows: x.LastRow - x.FirstRow + 1, At: httpx.ToTimestamp(x.At), CloseLook: noLook()}
	if err := c.fill(ctx, day, &out.CloseLook, x); err != nil {
		return nil, err
	}
	seen, found, err := c.Closing.ShownRows(ctx, day, closing.Mark(in.Only), (in.Page-1)*in.Size, in.Size)
	out.List, out.Found = closeRows(seen), found
	return httpx.NewReply(out), err
}

type lineStanding struct {
	Line      string    `json:"line" enum:"FOREX,CRYPTO"`
	Positions int64     `json:"positions" doc:"The number of open positions."`
	Principal httpx.USD `json:"principal" doc:"The principal of open positions."`
	Loss      httpx.USD `json:"loss" doc:"The part of the principal carried as loss until profits repay it."`
	Reserve   httpx.USD `json:"reserve"`
	ROI       httpx.USD `json:"roi" doc:"The booked ROI on Hold."`
	Fee       httpx.USD `json:"fee" doc:"The booked fee of the operator, unpaid."`
	Claims    int64     `json:"claims" doc:"The number of pending claims."`
	Claimed   httpx.USD `json:"claimed" doc:"The value of pending claims."`
	Recalled  httpx.USD `json:"recalled" doc:"The cash recalled for pending claims."`
	Batches   int64     `json:"batches" doc:"The number of booked profits on Hold."`
	Oldest    string    `json:"oldest" doc:"The day of the oldest one; empty if there is none."`
	Age       int64     `json:"age" doc:"The age in days."`
}

func (c *Calls) tradingLines(ctx context.Context, _ *struct{}) (*httpx.Reply[[]lineStanding], error) {
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
			Line: x.Line, Positions: x.Positions, Principal: httpx.ToUSD(x.Principal), Loss: httpx.ToUSD(x.Loss), Reserve: httpx.ToUSD(x.Reserve), ROI: httpx.ToUSD(x.ROI), Fee: httpx.ToUSD(x.Fee),
			Claims: x.Claims, Claimed: httpx.ToUSD(x.Claimed), Recalled: httpx.ToUSD(x.Recalled), Batches: x.Batches,
		}
		if x.Batches > 0 {
			l.Oldest, l.Age = x.Oldest.String(), max(int64(today-x.Oldest), 0)
		}
		out = append(out, l)
	}
	return httpx.NewReply(out), nil
}
