package member

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/api/signin"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerWithdraw(api huma.API) {
	httpx.Post(api, httpx.TagFunds, "Withdrawal", "Create a withdrawal, confirmed by a mailed one-time code", c.withdraw)
	httpx.Post(api, httpx.TagFunds, "factor/withdrawal", "Create a passkey challenge that confirms one withdrawal", c.beginWithdrawal)
	httpx.Post(api, httpx.TagFunds, "Withdrawalupdate", "Mail a one-time code for a withdrawal", c.sendCode)
	httpx.Post(api, httpx.TagFunds, "CancelWithdrawal", "Cancel a pending withdrawal", c.cancelWithdrawal)
	httpx.Get(api, httpx.TagFunds, "moneyRules", "Retrieve withdrawal fees and delays and the cooling-off period of purchases", c.moneyRules)
}

type withdrawInput struct {
	httpx.Idempotent
	Agent string `header:"User-Agent"`
	Body  withdrawBody
}

type withdrawBody struct {
	UID     httpx.StringOrInt   `json:"uid,omitempty" doc:"The caller's user id."`
	Amount  httpx.StringOrInt   `json:"Request_amount,omitempty" doc:"Whole dollars, up to 10 digits."`
	Code    httpx.StringOrInt   `json:"otp,omitempty" doc:"The one-time code mailed by Withdrawalupdate; for a member with a second factor, a code of the authenticator app."`
	Passkey *signin.PasskeySaid `json:"passkey,omitempty" doc:"Instead of otp: the passkey's response to the challenge of factor/withdrawal."`
	Email   string              `json:"email,omitempty" maxLength:"100" doc:"The caller's e-mail address."`
	Type    string              `json:"withdrawlType,omitempty" maxLength:"40" doc:"USDT. The values of withdrawlType and Wtype may be swapped."`
	By      string              `json:"withdrawlby,omitempty" maxLength:"20" doc:"'By User'; ignored."`
	Wallet  string              `json:"Wtype,omitempty" maxLength:"40" doc:"LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income, salaryrankreward or FundBalance."`
}

// inOrder returns a withdrawal's type and wallet from two fields in either order: clients
// differ, and no value is both.
func inOrder(kind, wallet string) (string, string) {
	if withdrawal.IsWallet(kind) || wallet == withdrawal.USDT {
		return wallet, kind
	}
	return kind, wallet
}

type withdrawResult struct {
	Result string `json:"Result" doc:"The success text, or a message for the user."`
	httpx.MessageCode
	Field string `json:"field,omitempty"`
}

func (c *Calls) withdraw(ctx context.Context, in *withdrawInput) (*httpx.Reply[withdrawResult], error) {
	b := in.Body
	b.Type, b.Wallet = inOrder(b.Type, b.Wallet)
	if _, err := (ownBody{b.UID}).parse(ctx); err != nil {
		return nil, err
	}
	code := string(b.Code)
	if b.Passkey != nil {
		code = "by passkey"
	}
	for _, missing := range []struct {
		value string
		text  errs.Text
		field string
	}{
		{string(b.Amount), httpx.AmountMissing, "Request_amount"}, {b.Wallet, httpx.WalletMissing, "Wtype"}, {b.Type, httpx.TypeMissing, "withdrawlType"}, {code, httpx.CodeMissing, "otp"},
	} {
		if strings.TrimSpace(missing.value) == "" {
			return httpx.NewReply(withdrawResult{missing.text.Message, httpx.CodeOf(missing.text), missing.field}), nil
		}
	}
	amount, err := fund.ParseAmount(string(b.Amount), cashier.WithdrawalDigits)
	if err != nil {
		return httpx.NewReply(withdrawResult{errs.MessageOf(err), httpx.CodeOf(errs.TextOf(err)), "Request_amount"}), nil
	}
	return withdrawn(httpx.WithdrawalDone, c.Cashier.Withdraw(ctx, httpx.SessionOf(ctx), in.Key, cashier.Withdrawal{
		Wallet: b.Wallet, Type: b.Type, Amount: amount, Code: strings.TrimSpace(string(b.Code)), Email: b.Email,
		Passkey: b.Passkey.Assertion(), From: httpx.RequestOrigin(ctx, "", in.Agent),
	}))
}

type beginWithdrawalInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Amount httpx.StringOrInt `json:"Request_amount,omitempty" doc:"As in Withdrawal."`
		Wallet string            `json:"Wtype,omitempty" maxLength:"40" doc:"As in Withdrawal."`
		Type   string            `json:"withdrawlType,omitempty" maxLength:"40" doc:"As in Withdrawal."`
	}
}

func (c *Calls) beginWithdrawal(ctx context.Context, in *beginWithdrawalInput) (*httpx.Reply[signin.PasskeySignIn], error) {
	o, err := codeBody{Amount: in.Body.Amount, Wallet: in.Body.Wallet, Type: in.Body.Type}.order()
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, errs.Fields([]errs.Field{{Name: "Request_amount", Text: httpx.AmountMissing}})
	}
	w := cashier.Withdrawal{Wallet: o.Wallet, Type: o.Type, Amount: o.Amount, From: httpx.RequestOrigin(ctx, "", in.Agent)}
	return httpx.ReplyAs(signin.SignInOf)(c.Cashier.BeginWithdrawal(ctx, httpx.SessionOf(ctx), w))
}

func withdrawn(done errs.Text, err error) (*httpx.Reply[withdrawResult], error) {
	text, field, err := outcome(done, err)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(withdrawResult{text.Message, httpx.CodeOf(text), field}), nil
}

type codeInput struct {
	Token string `header:"Authorization" doc:"The session token, if there is one."`
	Body  codeBody
}

type codeBody struct {
	Email  string            `json:"Email,omitempty" maxLength:"100"`
	UID    httpx.StringOrInt `json:"uid,omitempty" doc:"The member whose e-mail address receives the code; ignored with a session."`
	Amount httpx.StringOrInt `json:"Request_amount,omitempty" doc:"The amount that the code confirms. Default: the first withdrawal tried with the code binds it."`
	Wallet string            `json:"Wtype,omitempty" maxLength:"40" doc:"As in Withdrawal."`
	Type   string            `json:"withdrawlType,omitempty" maxLength:"40"`
}

// order returns the withdrawal that a code is for; nil if unspecified.
func (b codeBody) order() (*withdrawal.Order, error) {
	b.Type, b.Wallet = inOrder(b.Type, b.Wallet)
	if b.Amount == "" && b.Wallet == "" && b.Type == "" {
		return nil, nil
	}
	var f httpx.FieldErrors
	o := &withdrawal.Order{Wallet: b.Wallet, Type: b.Type}
	var err error
	if o.Amount, err = fund.ParseAmount(string(b.Amount), cashier.WithdrawalDigits); err != nil {
		f.AddText("Request_amount", errs.TextOf(err))
	}
	if !withdrawal.IsWallet(b.Wallet) {
		f.AddText("Wtype", httpx.WalletMissing)
	}
	if o.Type == "" {
		o.Type = withdrawal.USDT
	}
	if o.Type != withdrawal.USDT {
		f.AddText("withdrawlType", httpx.TypeMissing)
	}
	return o, f.Err()
}

// sendCode gives the same response to every caller and mails only the member. A signed-in
// member is told how long wrong codes have locked the code.
func (c *Calls) sendCode(ctx context.Context, in *codeInput) (*httpx.MessageReply, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.CodePeer); err != nil {
		return nil, err
	}
	o, err := in.Body.order()
	if err != nil {
		return nil, err
	}
	r := cashier.CodeRequest{Email: in.Body.Email, For: o}
	if s, signedIn := c.OptionalSession(ctx, in.Token); signedIn && s.Kind != auth.KindOperator {
		if !s.MayMoveMoney() {
			return httpx.NewMessage(httpx.Successful), nil // an operator's visit does not send a code
		}
		r.UID, r.Own = s.Owner, true
	} else if in.Body.UID != "" {
		var f httpx.FieldErrors
		r.UID = f.UserID("uid", in.Body.UID)
		if err := f.Err(); err != nil {
			return nil, err
		}
	}
	if limit := c.Limits.CodeUID.Allow(strconv.FormatInt(r.UID, 10) + " " + strconv.FormatBool(r.Own)); limit != nil {
		if r.Own {
			return nil, limit
		}
		return httpx.NewMessage(httpx.Successful), nil
	}
	err = c.Cashier.SendCode(ctx, r)
	if errs.Is(err, errs.Refused) {
		return httpx.NewMessage(errs.TextOf(err)), nil
	}
	return httpx.NewMessage(httpx.Successful), err
}

type cancelBody struct {
	UID httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	ID  httpx.StringOrInt `json:"id,omitempty" doc:"The id of the withdrawal."`
}

// parse returns the id of the withdrawal, after checking the owner.
func (b cancelBody) parse(ctx context.Context) (int64, error) {
	if _, err := (ownBody{b.UID}).parse(ctx); err != nil {
		return 0, err
	}
	var f httpx.FieldErrors
	number := f.RecordID("id", b.ID)
	return number, f.Err()
}

func (c *Calls) cancelWithdrawal(ctx context.Context, in *httpx.KeyedBody[cancelBody]) (*httpx.Reply[withdrawResult], error) {
	number, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	err = c.Cashier.Cancel(ctx, httpx.SessionOf(ctx), in.Key, number)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Conflict) {
		err = errs.WithKind(errs.Refused, err)
	}
	return withdrawn(httpx.WithdrawalCancelled, err)
}

// withdrawals is the report of the member's withdrawals. Its sum covers all rows in every
// state, as the heading of the screen shows it.
func (c *Calls) withdrawals(ctx context.Context, q report.Query) (*reportOutput, error) {
	zone, err := c.Report.Dated(ctx, q)
	if err != nil {
		return nil, err
	}
	f := withdrawal.Filter{UID: q.UID, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)}
	f.From, f.Before = within(q, zone)
	if column, down := strings.CutPrefix(q.Sort, "-"); q.Sort != "" {
		f.ByAmount, f.Ascending = column != "dd" && column != "lvl", !down
	}
	found, count, sum, paid, err := c.Cashier.WithdrawalsOf(ctx, f)
	p := report.Page[withdrawal.Withdrawal]{Rows: found, First: int(f.Offset) + 1, Total: int(count), Sum: sum}
	out := reportPage(q, p, func(w withdrawal.Withdrawal) reportRow { return withdrawalRow(w, c.Clock.Now()) }).numberByPosition()
	out.Body.Paid = httpx.ToUSD(paid)
	return out, err
}

// within returns the start of the first day and the end of the last day of a query; zero
// means no limit.
func within(q report.Query, zone *time.Location) (from, before time.Time) {
	if q.From != nil {
		from = midnight(*q.From, zone)
	}
	if q.To != nil {
		before = midnight(*q.To+1, zone)
	}
	return from, before
}

func midnight(d plan.Day, zone *time.Location) time.Time {
	return time.Date(1970, 1, 1+int(d), 0, 0, 0, 0, zone)
}

func withdrawalRow(w withdrawal.Withdrawal, now time.Time) reportRow {
	r := requestedRow(w)
	if w.State == withdrawal.Rejected || w.State == withdrawal.Cancelled {
		return r
	}
	approved := w.First.At
	if w.NeedsTwo {
		approved = w.Second.At
	}
	r.ApprovedAt, r.SentAt, r.ConfirmedAt = httpx.ToTimestamp(approved), httpx.ToTimestamp(w.SentAt), httpx.ToTimestamp(w.ConfirmedAt)
	if (w.State == withdrawal.Pending || w.State == withdrawal.Approved) && w.ReadyAt.After(now) {
		r.NotBefore = httpx.ToTimestamp(w.ReadyAt)
	}
	return r
}

func requestedRow(w withdrawal.Withdrawal) reportRow {
	var parts []fundPart
	for _, p := range w.Parts {
		if p.Account.Kind() == "L:FUND" {
			parts = append(parts, fundPart{strings.Split(p.Account.String(), ":")[2], httpx.ToUSD(p.Amount)})
		}
	}
	requested, answered := string(httpx.ToTimestamp(w.RequestedAt)), string(httpx.ToTimestamp(w.Answered()))
	return reportRow{
		UID: strconv.FormatInt(w.ID, 10), ID: strconv.FormatInt(w.ID, 10), Requested: httpx.ToUSD(w.Amount), Charge: httpx.ToUSD(w.Charge), Amount: httpx.ToUSD(w.Net),
		Wallet: w.Wallet, Type: w.Type, Status: string(w.State), RequestedAt: &requested, AnsweredAt: &answered, Remark: &w.Remark, Hash: w.Hash,
		Address: w.Address, Parts: parts,
	}
}

// fundPart is the part of a withdrawal that a fund paid.
type fundPart struct {
	Fund   string    `json:"fund" enum:"FUNDS,FOREXFUNDS,CRYPTOFUNDS"`
	Amount httpx.USD `json:"amount"`
}

// moneyRules are the rules that a form shows before anything is sent.
type moneyRules struct {
	Min         httpx.USD       `json:"withdrawMin" doc:"The minimum withdrawal from an income wallet; unused funds have no minimum."`
	ChargePPM   int64           `json:"withdrawChargePPM" doc:"The fee on income withdrawals in parts per million; unused funds have no fee."`
	Daily       httpx.USD       `json:"withdrawDaily" doc:"The most that a member can withdraw on one day."`
	WalletHours int64           `json:"walletWaitHours" doc:"The hours for which withdrawals pause after a change of the wallet address."`
	AccessHours int64           `json:"accessWaitHours" doc:"The hours for which withdrawals pause after a change of the password, the transaction password or the e-mail address."`
	CodeMinutes int64           `json:"codeMinutes" doc:"How long a one-time code can be used."`
	CoolingDays int64           `json:"coolingOffDays" doc:"So long a Robot package can be given back."`
	NotBefore   httpx.Timestamp `json:"notBefore,omitempty" doc:"A withdrawal requested now is paid no earlier than this; empty unless a wait is running."`
	BankDetails bool            `json:"bankDetails" doc:"Whether members keep bank details here."`
}

func (c *Calls) moneyRules(ctx context.Context, _ *struct{}) (*httpx.Reply[moneyRules], error) {
	p, err := c.Report.Plan(ctx)
	if err != nil {
		return nil, err
	}
	wait, err := c.Auth.Wait(ctx, httpx.SessionOf(ctx).Owner)
	if err != nil {
		return nil, err
	}
	if wait.Over(c.Clock.Now()) {
		wait.Until = time.Time{}
	}
	return httpx.NewReply(moneyRules{
		NotBefore: httpx.ToTimestamp(wait.Until),
		Min:       httpx.ToUSD(p.Withdraw.Min), ChargePPM: p.Withdraw.ChargePPM, Daily: httpx.ToUSD(c.Cashier.Limits().MemberDaily),
		WalletHours: int64(auth.WalletWait / time.Hour), AccessHours: int64(auth.AccessWait / time.Hour),
		CodeMinutes: int64(withdrawal.CodeLife / time.Minute), CoolingDays: p.CoolingOffDays, BankDetails: c.Features.BankDetails,
	}), nil
}
