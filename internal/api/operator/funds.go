package operator

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/actor"

	"github.com/bifolia/bifolia/internal/api/httpx"
	memberapi "github.com/bifolia/bifolia/internal/api/member"
)

func (c *Calls) registerFunds(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/fundRequests", "Fund requests of all members", c.allFundRequests)
	httpx.PostProved(api, httpx.TagOperator, "operator/fundRequests/approve", "Credit a fund request; above the limits two operators must approve it", c.approveFund)
	httpx.Post(api, httpx.TagOperator, "operator/fundRequests/reject", "Turn a fund request down", c.rejectFund)
	httpx.PostProved(api, httpx.TagOperator, "operator/fundRequests/release", "Let the member of a rejected request ask with its number again", c.releaseFund)
	httpx.Get(api, httpx.TagOperator, "operator/fundRequests/claims", "All requests that name one transaction number, side by side", c.claimants)
	httpx.Get(api, httpx.TagOperator, "operator/withdrawals", "Withdrawals of all members", c.allWithdrawals)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/approve", "Approve a withdrawal; above the limit two operators must", c.approveWithdrawal)
	httpx.Post(api, httpx.TagOperator, "operator/withdrawals/reject", "Turn a withdrawal down and give its money back", c.rejectWithdrawal)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/sent", "Note the transaction that pays a withdrawal", c.sentWithdrawal)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/failed", "Note that the transaction moved nothing and never will", c.failedWithdrawal)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/confirm", "Take a withdrawal that has arrived out of the books", c.confirmWithdrawal)
}

type operatorListInput struct {
	State string `query:"state" maxLength:"20" doc:"Only those in this state."`
	Way   string `query:"usertype" maxLength:"40" doc:"Of fund requests: BANK or USDT (BEP-20)."`
	UID   string `query:"uid" doc:"Only those of this member."`
	Names string `query:"utrno" maxLength:"66" doc:"Of fund requests: only those that name this transaction number, in its one spelling."`
	Page  string `query:"page" doc:"From 1."`
	Size  string `query:"size" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort  string `query:"sort" enum:"id,-id" doc:"-id, newest first, unless given."`
}

func (in *operatorListInput) parse() (uid int64, number, size int, err error) {
	var f httpx.Fields
	if in.UID != "" {
		uid = f.Uid("uid", httpx.Text(in.UID))
	}
	number, size = f.Page(httpx.Text(in.Page), httpx.Text(in.Size))
	return uid, number, size, f.Err()
}

type operatorFundRow struct {
	memberapi.FundRequestRow
	Verdict   string       `json:"verdict" doc:"What the chain says of it."`
	VerdictAt httpx.Moment `json:"verdictDate"`
	NeedsTwo  bool         `json:"needsTwo" doc:"Two operators must approve."`
	First     string       `json:"firstBy" doc:"Of two operators, who approved it first."`
	DecidedBy string       `json:"decidedBy"`
	Payload   string       `json:"payload" doc:"While it waits for the second of two operators: all that the first approved, in the one form that the digest is taken of. Empty otherwise."`
	Digest    string       `json:"digest" doc:"The SHA-256 of payload: the second one names it."`
	Claims    int64        `json:"claims" doc:"How many requests name this number, this one included."`
	Proven    bool         `json:"proven" doc:"The chain has shown the payment as this member's."`
	Released  bool         `json:"released" doc:"The member may ask with the number again."`
}

func (c *Calls) allFundRequests(ctx context.Context, in *operatorListInput) (*httpx.List[operatorFundRow], error) {
	uid, number, size, err := in.parse()
	if err != nil {
		return nil, err
	}
	first := (number - 1) * size
	found, total, err := c.Cashier.RequestsFor(ctx, httpx.SessionOf(ctx).Operator, fund.Filter{
		UID: uid, Number: in.Names, Way: fund.Way(in.Way), State: fund.State(in.State), Oldest: in.Sort == "id", Offset: int64(first), Limit: int64(size),
	})
	if err != nil {
		return nil, err
	}
	claims, err := c.Cashier.ClaimCounts(ctx, found)
	if err != nil {
		return nil, err
	}
	rows := make([]operatorFundRow, 0, len(found))
	for i, r := range found {
		row := operatorFundRow{memberapi.RequestRow(first+i+1, r), r.Verdict, httpx.At(r.VerdictAt), r.NeedsTwo, r.First.Name, r.DecidedName, "", "", claims[r.Number], r.Source != "", !r.ReleasedAt.IsZero()}
		if r.State == fund.Pending && r.First.Operator != 0 {
			row.Payload, row.Digest = string(r.Payload()), r.Digest()
		}
		row.Remark = r.Remark // the verdict stands beside it here
		rows = append(rows, row)
	}
	return httpx.PageOf(rows, int(total), number, size), nil
}

type decisionInput struct {
	httpx.Keyed
	Body decisionBody
}

type decisionBody struct {
	ID     httpx.Text `json:"id"`
	Remark string     `json:"remark,omitempty" doc:"The member is told; who turns something down must say why."`
	Hash   string     `json:"hash,omitempty" doc:"Of the transaction that pays a withdrawal."`
	Digest string     `json:"digest,omitempty" maxLength:"64" doc:"Of what somebody has approved first: of what was seen."`
}

type decision struct {
	Result string `json:"result"`
	httpx.Said
}

// decide does what an operator decides about a thing with an id.
func (c *Calls) decide(ctx context.Context, in *decisionInput, run func(by actor.By, id int64) error) (*httpx.Reply[decision], error) {
	var f httpx.Fields
	number := f.Number("id", in.Body.ID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	by, err := c.By(ctx)
	if err != nil {
		return nil, err
	}
	if err := run(by, number); err != nil {
		return nil, err
	}
	return httpx.Answer(decision{httpx.TextDone.Message, httpx.CodeOf(httpx.TextDone)}), nil
}

func (c *Calls) approveFund(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error {
		return c.Cashier.Approve(ctx, by, in.Key, id, in.Body.Digest, in.Body.Remark)
	})
}

func (c *Calls) rejectFund(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Reject(ctx, by, in.Key, id, in.Body.Remark) })
}

func (c *Calls) releaseFund(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Release(ctx, by, in.Key, id, in.Body.Remark) })
}

func (c *Calls) approveWithdrawal(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error {
		return c.Cashier.ApproveWithdrawal(ctx, by, in.Key, id, in.Body.Digest, in.Body.Remark)
	})
}

func (c *Calls) rejectWithdrawal(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error {
		return c.Cashier.RejectWithdrawal(ctx, by, in.Key, id, in.Body.Remark)
	})
}

func (c *Calls) sentWithdrawal(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Sent(ctx, by, in.Key, id, in.Body.Hash) })
}

func (c *Calls) failedWithdrawal(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Failed(ctx, by, in.Key, id, in.Body.Remark) })
}

func (c *Calls) confirmWithdrawal(ctx context.Context, in *decisionInput) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Confirm(ctx, by, in.Key, id) })
}

type operatorWithdrawalRow struct {
	ID        string       `json:"id"`
	UID       string       `json:"uid"`
	Wallet    string       `json:"Wtype"`
	Type      string       `json:"withdrawlType"`
	Amount    httpx.USD    `json:"Request_amount"`
	Charge    httpx.USD    `json:"admincharge"`
	Net       httpx.USD    `json:"amount"`
	Address   string       `json:"address"`
	State     string       `json:"ss" enum:"Pending,Approved,Sent,Confirmed,Rejected,Cancelled"`
	NeedsTwo  bool         `json:"needsTwo" doc:"Two operators must approve."`
	First     string       `json:"firstBy"`
	Second    string       `json:"secondBy"`
	Remark    string       `json:"remark"`
	Decided   string       `json:"decidedBy" doc:"Who rejected or cancelled it."`
	Batch     string       `json:"batch" doc:"Of payouts; empty for none."`
	Hash      string       `json:"hash"`
	Requested httpx.Moment `json:"rd"`
	Answered  httpx.Moment `json:"pd"`
	Ready     httpx.Moment `json:"ready" doc:"Before this its money does not leave."`
	Payload   string       `json:"payload" doc:"While it waits for the second of two operators: all that the first approved, in the one form that the digest is taken of. Empty otherwise."`
	Digest    string       `json:"digest" doc:"The SHA-256 of payload: the second one names it."`
}

func (c *Calls) allWithdrawals(ctx context.Context, in *operatorListInput) (*httpx.List[operatorWithdrawalRow], error) {
	uid, number, size, err := in.parse()
	if err != nil {
		return nil, err
	}
	found, total, _, err := c.Cashier.Withdrawals(ctx, withdrawal.Filter{
		UID: uid, State: withdrawal.State(in.State), Ascending: in.Sort == "id", Offset: int64((number - 1) * size), Limit: int64(size),
	})
	if err != nil {
		return nil, err
	}
	rows := make([]operatorWithdrawalRow, 0, len(found))
	for _, w := range found {
		row := operatorWithdrawalRow{
			ID: strconv.FormatInt(w.ID, 10), UID: httpx.ID(w.UID), Wallet: w.Wallet, Type: w.Type, Amount: httpx.Dollars(w.Amount), Charge: httpx.Dollars(w.Charge), Net: httpx.Dollars(w.Net),
			Address: w.Address, State: string(w.State), NeedsTwo: w.NeedsTwo, First: w.First.Name, Second: w.Second.Name, Remark: w.Remark, Decided: w.DecidedName,
			Batch: httpx.ID(w.Batch), Hash: w.Hash, Requested: httpx.At(w.RequestedAt), Answered: httpx.At(w.Answered()), Ready: httpx.At(w.ReadyAt),
		}
		if w.Half() {
			row.Payload, row.Digest = string(w.Payload()), w.Digest()
		}
		rows = append(rows, row)
	}
	return httpx.PageOf(rows, int(total), number, size), nil
}
