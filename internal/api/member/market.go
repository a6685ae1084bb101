package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/market"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func (c *Calls) registerMarket(api huma.API) {
	httpx.Post(api, httpx.TagMarket, "ActivationByFund", "Activate a Robot package, paid from the member's fund", c.activate)
	httpx.Post(api, httpx.TagMarket, "UpgradebyFund", "Upgrade a Robot package, paid from the member's fund", c.upgrade)
	httpx.Post(api, httpx.TagMarket, "ActivationByFund_investment", "Invest in Forex or Crypto, paid from the member's fund", c.invest)
	httpx.Post(api, httpx.TagMarket, "UpgradeByFund_investment", "Invest more in Forex or Crypto", c.investMore)
	httpx.Post(api, httpx.TagMarket, "RefundPurchase", "Refund a purchase during its cooling-off period", c.refund)
	httpx.Post(api, httpx.TagMarket, "Claiminvestment", "Claim a matured investment", c.claimInvestment)
}

type purchaseBody struct {
	By       httpx.StringOrInt `json:"referby,omitempty" doc:"The caller's user id; the caller's fund pays."`
	For      httpx.StringOrInt `json:"user_id,omitempty" doc:"The member who receives the purchase."`
	Package  httpx.StringOrInt `json:"package,omitempty"`
	Amount   httpx.StringOrInt `json:"amount,omitempty" doc:"Investments only: whole dollars."`
	Fund     string            `json:"type,omitempty" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS."`
	Topup    string            `json:"topuptype,omitempty" doc:"Activation or Upgrade, as the call; optional."`
	Password string            `json:"ctrans_password,omitempty" doc:"The transaction password."`
}

type purchaseResult struct {
	Result string `json:"RESULT" doc:"The success text, or a message for the user."`
	httpx.MessageCode
	Field string `json:"field,omitempty"`
}

// order reads a purchase. Errors of the form become the result; input that no form sends
// is malformed.
func (c *Calls) order(ctx context.Context, in *httpx.KeyedBody[purchaseBody], line bool, topup sale.Topup) (o market.Order, refusal *httpx.Reply[purchaseResult], err error) {
	b := in.Body
	switch {
	case b.By == "" || b.For == "" || b.Package == "" || (line && b.Amount == ""):
		return o, bought(httpx.AllRequired, ""), nil
	case b.Password == "":
		return o, bought(httpx.PinMissing, "ctrans_password"), nil
	}
	var f httpx.FieldErrors
	by := f.UserID("referby", b.By)
	o.By, o.Key, o.Password = httpx.SessionOf(ctx), in.Key, b.Password
	o.UID = f.UserID("user_id", b.For)
	o.Package = f.Int("package", b.Package, 0, 1, 1_000_000)
	if o.Topup = topup; b.Topup != "" && b.Topup != string(topup) {
		f.Add("topuptype", "sale.topup_of_call", "The top-up type of this call is {topup}.", "topup", string(topup))
	}
	lines := map[string]string{"FOREXFUNDS": "FOREX", "CRYPTOFUNDS": "CRYPTO"}
	if line {
		amount, err := fund.ParseAmount(string(b.Amount), fund.MaxDigits)
		if err != nil {
			f.AddText("amount", errs.TextOf(err))
		}
		if o.Amount, o.Line = amount, lines[b.Fund]; o.Line == "" {
			f.Add("type", "invest.wallet_unknown", "The type is FOREXFUNDS or CRYPTOFUNDS.")
		}
	} else if b.Fund != "" && b.Fund != "FUNDS" {
		f.Add("type", "invest.funds_type", "The type is FUNDS.")
	}
	if err := f.Err(); err != nil {
		return o, nil, err
	}
	return o, nil, httpx.RequireOwner(ctx, by)
}

// purchaseReply puts a message for the user into the result, where screens look for it.
func purchaseReply(done errs.Text, err error) (*httpx.Reply[purchaseResult], error) {
	text, field, err := outcome(done, err)
	if err != nil {
		return nil, err
	}
	return bought(text, field), nil
}

func bought(t errs.Text, field string) *httpx.Reply[purchaseResult] {
	return httpx.NewReply(purchaseResult{t.Message, httpx.CodeOf(t), field})
}

func (c *Calls) buy(ctx context.Context, in *httpx.KeyedBody[purchaseBody], topup sale.Topup, done errs.Text) (*httpx.Reply[purchaseResult], error) {
	o, refusal, err := c.order(ctx, in, false, topup)
	if err != nil {
		return nil, err
	}
	if refusal != nil {
		return refusal, nil
	}
	return purchaseReply(done, recipientError(c.Market.Activate(ctx, o)))
}

// recipientError turns an unknown recipient into an error of the form.
func recipientError(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.New(errs.Refused, "member.invalid_id", "Invalid User Id!!")
	}
	return err
}

func (c *Calls) activate(ctx context.Context, in *httpx.KeyedBody[purchaseBody]) (*httpx.Reply[purchaseResult], error) {
	return c.buy(ctx, in, sale.Activation, httpx.Activated)
}

func (c *Calls) upgrade(ctx context.Context, in *httpx.KeyedBody[purchaseBody]) (*httpx.Reply[purchaseResult], error) {
	return c.buy(ctx, in, sale.Upgrade, httpx.Upgraded)
}

func (c *Calls) open(ctx context.Context, in *httpx.KeyedBody[purchaseBody], topup sale.Topup, done errs.Text) (*httpx.Reply[purchaseResult], error) {
	o, refusal, err := c.order(ctx, in, true, topup)
	if err != nil {
		return nil, err
	}
	if refusal != nil {
		return refusal, nil
	}
	return purchaseReply(done, recipientError(c.Market.Open(ctx, o)))
}

func (c *Calls) invest(ctx context.Context, in *httpx.KeyedBody[purchaseBody]) (*httpx.Reply[purchaseResult], error) {
	return c.open(ctx, in, sale.Activation, httpx.Activated)
}

func (c *Calls) investMore(ctx context.Context, in *httpx.KeyedBody[purchaseBody]) (*httpx.Reply[purchaseResult], error) {
	return c.open(ctx, in, sale.Upgrade, httpx.Upgraded)
}

type refundBody struct {
	UID      httpx.StringOrInt `json:"uid,omitempty"`
	Sale     string            `json:"sale" minLength:"1" maxLength:"40"`
	Password string            `json:"ctrans_password,omitempty"`
}

func (c *Calls) refund(ctx context.Context, in *httpx.KeyedBody[refundBody]) (*httpx.Reply[purchaseResult], error) {
	if _, err := (ownBody{in.Body.UID}).parse(ctx); err != nil {
		return nil, err
	}
	return purchaseReply(httpx.Refunded, c.Market.Return(ctx, httpx.SessionOf(ctx), in.Key, in.Body.Password, in.Body.Sale))
}

type claimBody struct {
	By  httpx.StringOrInt `json:"referby,omitempty" doc:"The caller's user id."`
	For httpx.StringOrInt `json:"user_id,omitempty" doc:"The user id of the row: also the caller's."`
	Row string            `json:"RowID,omitempty" maxLength:"60" doc:"The id of the claim."`
}

func (c *Calls) claimInvestment(ctx context.Context, in *httpx.KeyedBody[claimBody]) (*httpx.MessageReply, error) {
	b := in.Body
	if b.By == "" || b.For == "" || b.Row == "" {
		return httpx.NewMessage(httpx.AllRequired), nil
	}
	var f httpx.FieldErrors
	by, uid := f.UserID("referby", b.By), f.UserID("user_id", b.For)
	if err := f.Err(); err != nil {
		return nil, err
	}
	for _, id := range []int64{by, uid} {
		if err := httpx.RequireOwner(ctx, id); err != nil {
			return nil, err
		}
	}
	text, _, err := outcome(httpx.Claimed, c.Market.Collect(ctx, httpx.SessionOf(ctx), in.Key, b.Row))
	if err != nil {
		return nil, err
	}
	if text.Message == market.NotFunded { // closes digest that text, so members read another one
		text = errs.Say("claim.cash_awaited", "The cash for this claim isn’t available yet. We’ll notify you when you can collect it.")
	}
	return httpx.NewMessage(text), nil
}
