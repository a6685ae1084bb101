package httpapi

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerWithdraw(api huma.API) {
	post(api, tagFunds, "Withdrawal", "Ask for money to be paid out, with a mailed one-time code", c.withdraw)
	post(api, tagFunds, "factor/withdrawal", "Get a challenge that the member's passkey signs to confirm one withdrawal", c.beginWithdrawal)
	post(api, tagFunds, "Withdrawalupdate", "Mail a one-time code for a withdrawal", c.sendCode)
	post(api, tagFunds, "CancelWithdrawal", "Take a withdrawal back while it is Pending", c.cancelWithdrawal)
	get(api, tagFunds, "moneyRules", "What withdrawals cost and wait for, and how long purchases cool off", c.moneyRules)
}

type withdrawInput struct {
	Keyed
	Agent string `header:"User-Agent"`
	Body  withdrawBody
}

type withdrawBody struct {
	UID     text         `json:"uid,omitempty" doc:"The caller's own user id."`
	Amount  text         `json:"Request_amount,omitempty" doc:"Whole dollars, up to 10 digits."`
	Code    text         `json:"otp,omitempty" doc:"The one-time code that Withdrawalupdate mailed; of a member with a second factor, a code of the authenticator app."`
	Passkey *passkeySaid `json:"passkey,omitempty" doc:"In place of otp: what the member's passkey has signed for factor/withdrawal."`
	Email   string       `json:"email,omitempty" maxLength:"100" doc:"The caller's own."`
	Type    string       `json:"withdrawlType,omitempty" maxLength:"40" doc:"USDT. It and Wtype may come the other way round."`
	By      string       `json:"withdrawlby,omitempty" maxLength:"20" doc:"'By User'; it decides nothing."`
	Wallet  string       `json:"Wtype,omitempty" maxLength:"40" doc:"LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income, salaryrankreward or FundBalance."`
}

// inOrder gives a withdrawal's type and wallet, whichever of the two fields each
// came in: clients differ, and no value is both.
func inOrder(kind, wallet string) (string, string) {
	if withdrawal.IsWallet(kind) || wallet == withdrawal.USDT {
		return wallet, kind
	}
	return kind, wallet
}

type withdrawResult struct {
	Result string `json:"Result" doc:"The success text, or what to tell the person."`
	Said
	Field string `json:"field,omitempty"`
}

func (c *Calls) withdraw(ctx context.Context, in *withdrawInput) (*reply[withdrawResult], error) {
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
		{string(b.Amount), amountMissing, "Request_amount"}, {b.Wallet, walletMissing, "Wtype"}, {b.Type, typeMissing, "withdrawlType"}, {code, codeMissing, "otp"},
	} {
		if strings.TrimSpace(missing.value) == "" {
			return answer(withdrawResult{missing.text.Message, codeOf(missing.text), missing.field}), nil
		}
	}
	amount, err := fund.ParseAmount(string(b.Amount), cashier.WithdrawalDigits)
	if err != nil {
		return answer(withdrawResult{errs.MessageOf(err), codeOf(errs.TextOf(err)), "Request_amount"}), nil
	}
	return withdrawn(withdrawalDone, c.Cashier.Withdraw(ctx, sessionOf(ctx), in.Key, cashier.Withdrawal{
		Wallet: b.Wallet, Type: b.Type, Amount: amount, Code: strings.TrimSpace(string(b.Code)), Email: b.Email,
		Passkey: b.Passkey.assertion(), From: from(ctx, "", in.Agent),
	}))
}

type beginWithdrawalInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Amount text   `json:"Request_amount,omitempty" doc:"As in Withdrawal."`
		Wallet string `json:"Wtype,omitempty" maxLength:"40" doc:"As in Withdrawal."`
		Type   string `json:"withdrawlType,omitempty" maxLength:"40" doc:"As in Withdrawal."`
	}
}

func (c *Calls) beginWithdrawal(ctx context.Context, in *beginWithdrawalInput) (*reply[passkeySignIn], error) {
	o, err := codeBody{Amount: in.Body.Amount, Wallet: in.Body.Wallet, Type: in.Body.Type}.order()
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, errs.Fields([]errs.Field{{Name: "Request_amount", Text: amountMissing}})
	}
	w := cashier.Withdrawal{Wallet: o.Wallet, Type: o.Type, Amount: o.Amount, From: from(ctx, "", in.Agent)}
	options, err := c.Cashier.BeginWithdrawal(ctx, sessionOf(ctx), w)
	if err != nil {
		return nil, err
	}
	return answer(signInOf(options)), nil
}

func withdrawn(done errs.Text, err error) (*reply[withdrawResult], error) {
	text, field, err := outcome(done, err)
	if err != nil {
		return nil, err
	}
	return answer(withdrawResult{text.Message, codeOf(text), field}), nil
}

type codeInput struct {
	Token string `header:"Authorization" doc:"The session, if there is one."`
	Body  codeBody
}

type codeBody struct {
	Email  string `json:"Email,omitempty" maxLength:"100"`
	UID    text   `json:"uid,omitempty" doc:"Whose e-mail it is; of no use with a session, which says it."`
	Amount text   `json:"Request_amount,omitempty" doc:"What the code is to be good for. Without it, the first withdrawal that is tried with the code binds it."`
	Wallet string `json:"Wtype,omitempty" maxLength:"40" doc:"As in Withdrawal."`
	Type   string `json:"withdrawlType,omitempty" maxLength:"40"`
}

// order is what a code is asked for; nil when that is not said.
func (b codeBody) order() (*withdrawal.Order, error) {
	b.Type, b.Wallet = inOrder(b.Type, b.Wallet)
	if b.Amount == "" && b.Wallet == "" && b.Type == "" {
		return nil, nil
	}
	var f fields
	o := &withdrawal.Order{Wallet: b.Wallet, Type: b.Type}
	var err error
	if o.Amount, err = fund.ParseAmount(string(b.Amount), cashier.WithdrawalDigits); err != nil {
		f.say("Request_amount", errs.TextOf(err))
	}
	if !withdrawal.IsWallet(b.Wallet) {
		f.say("Wtype", walletMissing)
	}
	if o.Type == "" {
		o.Type = withdrawal.USDT
	}
	if o.Type != withdrawal.USDT {
		f.say("withdrawlType", typeMissing)
	}
	return o, f.err()
}

// sendCode answers the same whoever asks, and mails the member only. The signed-in
// member reads for how long wrong codes have shut it.
func (c *Calls) sendCode(ctx context.Context, in *codeInput) (*sentence, error) {
	if err := perPeer(ctx, c.limits.codePeer); err != nil {
		return nil, err
	}
	o, err := in.Body.order()
	if err != nil {
		return nil, err
	}
	r := cashier.CodeRequest{Email: in.Body.Email, For: o}
	if s, signedIn := c.session(ctx, in.Token); signedIn {
		if !s.MayMoveMoney() {
			return say(successful), nil // an operator's visit does not even send a code
		}
		r.UID, r.Own = s.Owner, true
	} else if in.Body.UID != "" {
		var f fields
		r.UID = f.uid("uid", in.Body.UID)
		if err := f.err(); err != nil {
			return nil, err
		}
	}
	if limit := c.limits.codeUID.Allow(strconv.FormatInt(r.UID, 10) + " " + strconv.FormatBool(r.Own)); limit != nil {
		if r.Own {
			return nil, limit
		}
		return say(successful), nil
	}
	err = c.Cashier.SendCode(ctx, r)
	if errs.Is(err, errs.Refused) {
		return say(errs.TextOf(err)), nil
	}
	return say(successful), err
}

// session is the session of a public call, if it has one.
func (c *Calls) session(ctx context.Context, header string) (auth.Session, bool) {
	token := bearer(header)
	if token == "" {
		return auth.Session{}, false
	}
	s, _, err := c.Auth.Check(ctx, token)
	return s, err == nil && s.Kind != auth.KindOperator
}

type cancelInput struct {
	Keyed
	Body cancelBody
}

type cancelBody struct {
	UID text `json:"uid,omitempty" doc:"The caller's own user id."`
	ID  text `json:"id,omitempty" doc:"The number of what is cancelled."`
}

// parse is the number, asked for by its owner.
func (b cancelBody) parse(ctx context.Context) (int64, error) {
	if _, err := (ownBody{b.UID}).parse(ctx); err != nil {
		return 0, err
	}
	var f fields
	number := f.number("id", b.ID)
	return number, f.err()
}

func (c *Calls) cancelWithdrawal(ctx context.Context, in *cancelInput) (*reply[withdrawResult], error) {
	number, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	err = c.Cashier.Cancel(ctx, sessionOf(ctx), in.Key, number)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Conflict) {
		err = errs.WithKind(errs.Refused, err)
	}
	return withdrawn(withdrawalCancelled, err)
}

// withdrawals is the report of what a member asked to take out. Its sum is over
// all of it, whatever became of it, as the screen's heading has it.
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
	found, count, sum, err := c.Cashier.Withdrawals(ctx, f)
	p := report.Page[withdrawal.Withdrawal]{Rows: found, First: int(f.Offset) + 1, Total: int(count), Sum: sum}
	return written(q, p, withdrawalRow).numbered(), err
}

// within are the times at which a query's days begin and are over; zero is open.
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

func withdrawalRow(w withdrawal.Withdrawal) reportRow {
	requested, answered := string(at(w.RequestedAt)), string(at(w.Answered()))
	return reportRow{
		UID: strconv.FormatInt(w.ID, 10), ID: strconv.FormatInt(w.ID, 10), Requested: dollars(w.Amount), Charge: dollars(w.Charge), Amount: dollars(w.Net),
		Wallet: w.Wallet, Type: w.Type, Status: string(w.State), RequestedAt: &requested, AnsweredAt: &answered, Remark: &w.Remark, Hash: w.Hash,
		Address: w.Address,
	}
}
