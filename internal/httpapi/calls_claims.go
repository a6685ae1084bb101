package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/market"
)

func (c *Calls) registerClaims(api huma.API) {
	get(api, tagOperator, "operator/claims", "Claims of all members, and the cash that they need", inTurn(c, c.allClaims))
}

type claimsInput struct {
	State string `query:"state" enum:"Open,Funded,Claimed," doc:"Open: cash has to be recalled for it. Funded: its member may take it. Claimed: its member has."`
	Line  string `query:"line" enum:"FOREX,CRYPTO,"`
	UID   string `query:"uid" doc:"Only those of this member."`
	From  string `query:"from" doc:"Only those that wait since this day, or later."`
	To    string `query:"to" doc:"Only those that wait since this day, or before."`
	Page  string `query:"page" doc:"From 1."`
	Size  string `query:"size" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort  string `query:"sort" enum:"day,-day" doc:"day, who has waited longest first, unless given."`
}

func (in *claimsInput) parse() (uid int64, filter invest.ClaimFilter, number, size int, err error) {
	var f fields
	if in.UID != "" {
		uid = f.uid("uid", text(in.UID))
	}
	filter = invest.ClaimFilter{State: invest.ClaimState(in.State), Line: in.Line, From: f.planDay("from", in.From), To: f.planDay("to", in.To), Newest: in.Sort == "-day"}
	number, size = f.page(text(in.Page), text(in.Size))
	filter.Offset, filter.Limit = int64((number-1)*size), int64(size)
	return uid, filter, number, size, f.err()
}

// planDay reads a day of the plan; what is missing is open.
func (f *fields) planDay(name, s string) plan.Day {
	if s == "" {
		return 0
	}
	day, err := plan.ParseDay(s)
	if err != nil {
		f.notDay(name, s)
	}
	return day
}

type operatorClaimRow struct {
	ID        string `json:"id" doc:"A recall names it."`
	UID       string `json:"uid"`
	Line      string `json:"line" enum:"FOREX,CRYPTO"`
	Position  string `json:"position"`
	Principal usd    `json:"principal"`
	Income    usd    `json:"income" doc:"Held returns less the carried loss; may be negative."`
	Amount    usd    `json:"amount" doc:"What the member gets."`
	Since     string `json:"since" doc:"The day on which its position matured."`
	State     string `json:"state" enum:"Open,Funded,Claimed"`
	Recalled  usd    `json:"recalled"`
	Need      usd    `json:"need" doc:"The cash that still has to be recalled."`
	Available usd    `json:"available" doc:"The cash that its line has to recall from."`
	Taken     string `json:"taken" doc:"The day on which its member took it; empty before."`
}

type operatorClaimList struct {
	Data  [][]operatorClaimRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Total int                  `json:"total" doc:"How many rows there are in all."`
	Sum   usd                  `json:"sum" doc:"The cash that all of them still need."`
	Page  int                  `json:"page"`
	Size  int                  `json:"size"`
}

func claimOf(x market.Claimed) operatorClaimRow {
	row := operatorClaimRow{
		ID: x.ID, UID: id(x.UID), Line: x.Line, Position: x.Position, Principal: dollars(x.Amount), Income: dollars(x.Income), Amount: dollars(x.Net),
		Since: x.Day.String(), State: string(x.State()), Recalled: dollars(x.Recalled), Need: micro(x.Net.Micros() - x.Recalled.Micros()), Available: dollars(x.Available),
	}
	if x.Done {
		row.Taken = x.ClaimDay.String()
	}
	return row
}

func (c *Calls) allClaims(ctx context.Context, in *claimsInput) (*struct{ Body operatorClaimList }, error) {
	uid, filter, number, size, err := in.parse()
	if err != nil {
		return nil, err
	}
	found, total, need, err := c.Market.Claims(ctx, uid, filter)
	if err != nil {
		return nil, err
	}
	rows := make([]operatorClaimRow, 0, len(found))
	for _, x := range found {
		rows = append(rows, claimOf(x))
	}
	return &struct{ Body operatorClaimList }{operatorClaimList{[][]operatorClaimRow{rows}, int(total), dollars(need), number, size}}, nil
}
