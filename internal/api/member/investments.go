package member

import (
	"context"

	"github.com/bifolia/bifolia/internal/insight/report"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

type investmentsInput struct {
	UID  string `query:"uid" doc:"The caller's user id."`
	Line string `query:"line" required:"true" enum:"FOREX,CRYPTO"`
	Page int    `query:"page" default:"1" minimum:"1" maximum:"1000000" doc:"Page number, from 1."`
	Size int    `query:"size" default:"100" minimum:"1" maximum:"500" doc:"Rows per page."`
}

type investmentRow struct {
	ID       string    `json:"id"`
	Payer    string    `json:"referby" doc:"The member whose fund paid."`
	Package  string    `json:"pp"`
	Amount   httpx.USD `json:"Amount" doc:"The principal."`
	Day      string    `json:"dd" doc:"The local day of the investment."`
	Ends     string    `json:"ends" doc:"The local day on which the term ends."`
	Term     int64     `json:"term" doc:"The term in days."`
	Gone     int64     `json:"days_gone" doc:"The days of the term that have passed; at most term."`
	State    string    `json:"state" enum:"open,matured,claimed"`
	Result   httpx.USD `json:"result" doc:"The result so far: the member's part of all profits minus the loss that later profits make up first."`
	Released httpx.USD `json:"released" doc:"The part of the result that was paid into the income wallet of the line."`
	Loss     httpx.USD `json:"loss" doc:"The loss that later profits make up first."`
	Net      httpx.USD `json:"netamount,omitempty" doc:"Matured and claimed: the amount of the claim."`
	Ready    bool      `json:"ready" doc:"Matured: whether Claiminvestment can pay the claim now."`
}

func (c *Calls) investments(ctx context.Context, in *investmentsInput) (*httpx.List[investmentRow], error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	q := report.Query{UID: uid, Page: in.Page, Size: in.Size}
	p, err := c.Report.Investments(ctx, q, in.Line)
	if err != nil {
		return nil, err
	}
	today, err := c.Report.Today(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]investmentRow, 0, len(p.Rows))
	for _, x := range p.Rows {
		result, err := x.Earned.Sub(x.Loss)
		if err != nil {
			return nil, err
		}
		r := investmentRow{
			ID: x.ID, Payer: httpx.FormatID(x.Payer), Package: x.PackageName, Amount: httpx.ToUSD(x.Amount), Day: x.Day.String(), Ends: x.Ends.String(),
			Term: x.Term, Gone: min(max(0, int64(today-x.Day)), x.Term), State: x.State,
			Result: httpx.ToUSD(result), Released: httpx.ToUSD(x.Released), Loss: httpx.ToUSD(x.Loss), Ready: x.Ready,
		}
		if x.Claim != "" {
			r.Net = httpx.ToUSD(x.Net)
		}
		rows = append(rows, r)
	}
	return httpx.NewList(rows, p.Total, q.Page, q.Size), nil
}
