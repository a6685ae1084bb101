package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/market"
)

func (c *Calls) registerClaims(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/claims", "List claims and the cash that they need", httpx.WithReadSlot(c.Base, c.allClaims))
}

type claimsInput struct {
	State string `query:"state" enum:"Open,Funded,Claimed," doc:"Open: its cash is not recalled yet. Funded: the member may claim it. Claimed: the member has claimed it."`
	Line  string `query:"line" enum:"FOREX,CRYPTO,"`
	UID   string `query:"uid" doc:"Only rows of this member."`
	From  string `query:"from" doc:"Only claims that wait since this day or later."`
	To    string `query:"to" doc:"Only claims that wait since this day or earlier."`
	Page  string `query:"page" doc:"Page number, from 1."`
	Size  string `query:"size" doc:"Rows per page, at most 500; default 100."`
	Sort  string `query:"sort" enum:"day,-day" doc:"The column to sort by; default day, longest waiting first."`
}

func (in *claimsInput) parse() (uid int64, filter invest.ClaimFilter, number, size int, err error) {
	var f httpx.FieldErrors
	if in.UID != "" {
		uid = f.UserID("uid", httpx.StringOrInt(in.UID))
	}
	filter = invest.ClaimFilter{State: invest.ClaimState(in.State), Line: in.Line, From: f.PlanDay("from", in.From), To: f.PlanDay("to", in.To), Newest: in.Sort == "-day"}
	number, size = f.Page(httpx.StringOrInt(in.Page), httpx.StringOrInt(in.Size))
	filter.Offset, filter.Limit = int64((number-1)*size), int64(size)
	return uid, filter, number, size, f.Err()
}

type operatorClaimRow struct {
	ID        string    `json:"id" doc:"The id of the claim, as a recall names it."`
	UID       string    `json:"uid"`
	Line      string    `json:"line" enum:"FOREX,CRYPTO"`
	Position  string    `json:"position"`
	Principal httpx.USD `json:"principal"`
	Income    httpx.USD `json:"income" doc:"Held returns less the carried loss; may be negative."`
	Amount    httpx.USD `json:"amount" doc:"The amount paid to the member."`
	Since     string    `json:"since" doc:"The day of maturity of its position."`
	State     string    `json:"state" enum:"Open,Funded,Claimed"`
	Recalled  httpx.USD `json:"recalled"`
	Need      httpx.USD `json:"need" doc:"The cash still to be recalled."`
	Waiting   httpx.USD `json:"waiting" doc:"The cash of recalls for it that are proposed and not approved."`
	Available httpx.USD `json:"available" doc:"The cash available in its line."`
	Name      string    `json:"name" doc:"The member's name."`
	Taken     string    `json:"taken" doc:"The day on which the member claimed it; empty before."`
}

type operatorClaimList struct {
	Data  [][]operatorClaimRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Total int                  `json:"total" doc:"The total number of rows."`
	Sum   httpx.USD            `json:"sum" doc:"The cash still to be recalled for all rows."`
	Page  int                  `json:"page"`
	Size  int                  `json:"size"`
}

func claimOf(x market.Claimed, waiting int64) operatorClaimRow {
	row := operatorClaimRow{
		ID: x.ID, UID: httpx.FormatID(x.UID), Line: x.Line, Position: x.Position, Principal: httpx.ToUSD(x.Amount), Income: httpx.ToUSD(x.Income), Amount: httpx.ToUSD(x.Net),
		Since: x.Day.String(), State: string(x.State()), Recalled: httpx.ToUSD(x.Recalled), Need: httpx.MicroToUSD(x.Net.Micros() - x.Recalled.Micros()), Waiting: httpx.MicroToUSD(waiting), Available: httpx.ToUSD(x.Available),
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
	proposed, _, err := c.Bookings.Proposals(ctx)
	if err != nil {
		return nil, err
	}
	waiting := map[string]int64{}
	for _, p := range proposed {
		if p.Act.Kind == booking.Recall {
			waiting[p.Act.Claim] += p.Act.Amount.Micros()
		}
	}
	uids := make([]int64, len(found))
	for i, x := range found {
		uids[i] = x.UID
	}
	names, err := c.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	rows := make([]operatorClaimRow, len(found))
	for i, x := range found {
		rows[i] = claimOf(x, waiting[x.ID])
		rows[i].Name = names[x.UID].Name
	}
	return &struct{ Body operatorClaimList }{operatorClaimList{[][]operatorClaimRow{rows}, int(total), httpx.ToUSD(need), number, size}}, nil
}
