package operator

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	memberapi "github.com/bifolia/bifolia/internal/api/member"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerFunds(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/fundRequests", "List fund requests", c.allFundRequests)
	httpx.PostProved(api, httpx.TagOperator, "operator/fundRequests/approve", "Approve and credit a fund request; above the limits two operators must approve", c.approveFund)
	httpx.Post(api, httpx.TagOperator, "operator/fundRequests/reject", "Reject a fund request", c.rejectFund)
	httpx.PostProved(api, httpx.TagOperator, "operator/fundRequests/release", "Release the transaction number of a rejected fund request for another request", c.releaseFund)
	httpx.Get(api, httpx.TagOperator, "operator/fundRequests/claims", "List the fund requests that name one transaction number", c.claimants)
	httpx.Get(api, httpx.TagOperator, "operator/withdrawals", "List withdrawals", c.allWithdrawals)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/approve", "Approve a withdrawal; above the limit two operators must approve", c.approveWithdrawal)
	httpx.Post(api, httpx.TagOperator, "operator/withdrawals/reject", "Reject a withdrawal and return its money", c.rejectWithdrawal)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/sent", "Record the transaction that pays a withdrawal", c.sentWithdrawal)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/failed", "Record that the transaction of a withdrawal has failed for good", c.failedWithdrawal)
	httpx.PostProved(api, httpx.TagOperator, "operator/withdrawals/confirm", "Confirm that a withdrawal has arrived", c.confirmWithdrawal)
}

type operatorListInput struct {
	State string `query:"state" maxLength:"20" doc:"Only rows in this state."`
	Way   string `query:"usertype" maxLength:"40" doc:"Fund requests only: BANK or USDT (BEP-20)."`
	UID   string `query:"uid" doc:"Only rows of this member."`
	Names string `query:"utrno" maxLength:"66" doc:"Fund requests only: the transaction number, in canonical spelling."`
	Page  string `query:"page" doc:"Page number, from 1."`
	Size  string `query:"size" doc:"Rows per page, at most 500; default 100."`
	Sort  string `query:"sort" enum:"id,-id" doc:"The column to sort by; default -id, newest first."`
}

func (in *operatorListInput) parse() (uid int64, number, size int, err error) {
	var f httpx.FieldErrors
	if in.UID != "" {
		uid = f.UserID("uid", httpx.StringOrInt(in.UID))
	}
	number, size = f.Page(httpx.StringOrInt(in.Page), httpx.StringOrInt(in.Size))
	return uid, number, size, f.Err()
}

type operatorFundRow struct {
	memberapi.FundRequestRow
	Verdict   string          `json:"verdict" doc:"The result of the check on the chain."`
	Finding   *errs.Text      `json:"verdictText,omitempty" doc:"The verdict with its code."`
	VerdictAt httpx.Timestamp `json:"verdictDate"`
	NeedsTwo  bool            `json:"needsTwo" doc:"Whether two operators must approve."`
	First     string          `json:"firstBy" doc:"The first of two approvers."`
	DecidedBy string          `json:"decidedBy"`
	Payload   string          `json:"payload" doc:"While the second approval is pending: the whole approved request in canonical form, the input of the digest. Else empty."`
	Digest    string          `json:"digest" doc:"The SHA-256 of payload; the second approval must name it."`
	Claims    int64           `json:"claims" doc:"The number of requests with this transaction number, including this one."`
	Proven    bool            `json:"proven" doc:"Whether the chain shows the payment as this member's."`
	Released  bool            `json:"released" doc:"Whether the member may use the transaction number again."`
	Name      string          `json:"name" doc:"The member's name."`
	Mine      bool            `json:"mine" doc:"Whether the calling operator gave the first of two approvals."`
	Checked   bool            `json:"checked" doc:"Whether the server checks the payment on the chain."`
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
	uids := make([]int64, len(found))
	for i, r := range found {
		uids[i] = r.UID
	}
	names, err := c.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	caller := httpx.SessionOf(ctx).Operator
	rows := make([]operatorFundRow, 0, len(found))
	for i, r := range found {
		row := operatorFundRow{
			memberapi.RequestRow(first+i+1, r), r.Verdict.Message, httpx.Coded(r.Verdict), httpx.ToTimestamp(r.VerdictAt), r.NeedsTwo, r.First.Name, r.DecidedName, "", "", claims[r.Number], r.Source != "", !r.ReleasedAt.IsZero(),
			names[r.UID].Name, r.First.Operator == caller, r.Way == fund.ByUSDT && c.Chain != nil,
		}
		if r.State == fund.Pending && r.First.Operator != 0 {
			row.Payload, row.Digest = string(r.Payload()), r.Digest()
		}
		remark := r.RemarkText() // the row has the verdict separately
		row.Remark, row.Written = remark.Message, httpx.Coded(remark)
		rows = append(rows, row)
	}
	return httpx.NewList(rows, int(total), number, size), nil
}

type decisionBody struct {
	ID     httpx.StringOrInt `json:"id"`
	Remark string            `json:"remark,omitempty" doc:"A remark, sent to the member; required for a rejection."`
	Hash   string            `json:"hash,omitempty" doc:"The hash of the transaction that pays the withdrawal."`
	Digest string            `json:"digest,omitempty" maxLength:"64" doc:"The digest of the first approval, as seen; required for the second approval."`
}

type decision struct {
	Result string `json:"result"`
	httpx.MessageCode
}

// decide runs an operator's decision about a record.
func (c *Calls) decide(ctx context.Context, in *httpx.KeyedBody[decisionBody], run func(by actor.By, id int64) error) (*httpx.Reply[decision], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	if err := run(by, number); err != nil {
		return nil, err
	}
	return httpx.NewReply(decision{httpx.Success.Message, httpx.CodeOf(httpx.Success)}), nil
}

func (c *Calls) approveFund(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error {
		return c.Cashier.Approve(ctx, by, in.Key, id, in.Body.Digest, in.Body.Remark)
	})
}

func (c *Calls) rejectFund(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Reject(ctx, by, in.Key, id, in.Body.Remark) })
}

func (c *Calls) releaseFund(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Release(ctx, by, in.Key, id, in.Body.Remark) })
}

func (c *Calls) approveWithdrawal(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error {
		return c.Cashier.ApproveWithdrawal(ctx, by, in.Key, id, in.Body.Digest, in.Body.Remark)
	})
}

func (c *Calls) rejectWithdrawal(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error {
		return c.Cashier.RejectWithdrawal(ctx, by, in.Key, id, in.Body.Remark)
	})
}

func (c *Calls) sentWithdrawal(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Sent(ctx, by, in.Key, id, in.Body.Hash) })
}

func (c *Calls) failedWithdrawal(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Failed(ctx, by, in.Key, id, in.Body.Remark) })
}

func (c *Calls) confirmWithdrawal(ctx context.Context, in *httpx.KeyedBody[decisionBody]) (*httpx.Reply[decision], error) {
	return c.decide(ctx, in, func(by actor.By, id int64) error { return c.Cashier.Confirm(ctx, by, in.Key, id) })
}

type operatorWithdrawalRow struct {
	ID        string          `json:"id"`
	UID       string          `json:"uid"`
	Wallet    string          `json:"Wtype"`
	Type      string          `json:"withdrawlType"`
	Amount    httpx.USD       `json:"Request_amount"`
	Charge    httpx.USD       `json:"admincharge"`
	Net       httpx.USD       `json:"amount"`
	Address   string          `json:"address"`
	State     string          `json:"ss" enum:"Pending,Approved,Sent,Confirmed,Rejected,Cancelled"`
	NeedsTwo  bool            `json:"needsTwo" doc:"Whether two operators must approve."`
	First     string          `json:"firstBy"`
	Second    string          `json:"secondBy"`
	Remark    string          `json:"remark"`
	Decided   string          `json:"decidedBy" doc:"The operator or member who rejected or cancelled it."`
	Batch     string          `json:"batch" doc:"The payout batch; empty if there is none."`
	Hash      string          `json:"hash"`
	Requested httpx.Timestamp `json:"rd"`
	Answered  httpx.Timestamp `json:"pd"`
	Ready     httpx.Timestamp `json:"ready" doc:"The earliest time of payment."`
	Payload   string          `json:"payload" doc:"While the second approval is pending: the whole approved request in canonical form, the input of the digest. Else empty."`
	Digest    string          `json:"digest" doc:"The SHA-256 of payload; the second approval must name it."`
	Name      string          `json:"name" doc:"The member's name."`
	Mine      bool            `json:"mine" doc:"Whether the calling operator gave the first of two approvals."`
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
	uids := make([]int64, len(found))
	for i, w := range found {
		uids[i] = w.UID
	}
	names, err := c.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	caller := httpx.SessionOf(ctx).Operator
	rows := make([]operatorWithdrawalRow, 0, len(found))
	for _, w := range found {
		row := operatorWithdrawalRow{
			ID: strconv.FormatInt(w.ID, 10), UID: httpx.FormatID(w.UID), Wallet: w.Wallet, Type: w.Type, Amount: httpx.ToUSD(w.Amount), Charge: httpx.ToUSD(w.Charge), Net: httpx.ToUSD(w.Net),
			Address: w.Address, State: string(w.State), NeedsTwo: w.NeedsTwo, First: w.First.Name, Second: w.Second.Name, Remark: w.Remark, Decided: w.DecidedName,
			Batch: httpx.FormatID(w.Batch), Hash: w.Hash, Requested: httpx.ToTimestamp(w.RequestedAt), Answered: httpx.ToTimestamp(w.Answered()), Ready: httpx.ToTimestamp(w.ReadyAt), Name: names[w.UID].Name, Mine: w.First.Operator == caller,
		}
		if w.Half() {
			row.Payload, row.Digest = string(w.Payload()), w.Digest()
		}
		rows = append(rows, row)
	}
	return httpx.NewList(rows, int(total), number, size), nil
}
