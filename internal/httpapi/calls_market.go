package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/market"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func (c *Calls) registerMarket(api huma.API) {
	post(api, tagMarket, "ActivationByFund", "Activate a Robot package out of one's own fund", c.activate)
	post(api, tagMarket, "UpgradebyFund", "Upgrade a Robot package out of one's own fund", c.upgrade)
	post(api, tagMarket, "ActivationByFund_investment", "Invest in Forex or Crypto out of one's own fund", c.invest)
	post(api, tagMarket, "UpgradeByFund_investment", "Invest more in Forex or Crypto", c.investMore)
	post(api, tagMarket, "RefundPurchase", "Give a purchase back while it cools off", c.refund)
	post(api, tagMarket, "Claiminvestment", "Claim a matured investment", c.claimInvestment)
}

type purchaseInput struct {
	Keyed
	Body purchaseBody
}

type purchaseBody struct {
	By       text   `json:"referby,omitempty" doc:"The caller's own user id: whose fund pays."`
	For      text   `json:"user_id,omitempty" doc:"For whom."`
	Package  text   `json:"package,omitempty"`
	Amount   text   `json:"amount,omitempty" doc:"Of an investment: whole dollars."`
	Fund     string `json:"type,omitempty" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS."`
	Topup    string `json:"topuptype,omitempty" doc:"Activation or Upgrade, as the call; it may be left out."`
	Password string `json:"ctrans_password,omitempty" doc:"The transaction password."`
}

type purchaseResult struct {
	Result string `json:"RESULT" doc:"The success text, or what to tell the person."`
	Said
	Field string `json:"field,omitempty"`
}

// order reads a purchase. What the form's own checks would say comes as the
// result; what no form sends is malformed.
func (c *Calls) order(ctx context.Context, in *purchaseInput, line bool, topup sale.Topup) (o market.Order, refusal *reply[purchaseResult], err error) {
	b := in.Body
	switch {
	case b.By == "" || b.For == "" || b.Package == "" || (line && b.Amount == ""):
		return o, bought(allRequired, ""), nil
	case b.Password == "":
		return o, bought(pinMissing, "ctrans_password"), nil
	}
	var f fields
	by := f.uid("referby", b.By)
	o.By, o.Key, o.Password = sessionOf(ctx), in.Key, b.Password
	o.UID = f.uid("user_id", b.For)
	o.Package = f.code("package", b.Package, 0, 1, 1_000_000)
	if o.Topup = topup; b.Topup != "" && b.Topup != string(topup) {
		f.add("topuptype", "sale.topup_of_call", "The top-up type of this call is {topup}.", "topup", string(topup))
	}
	lines := map[string]string{"FOREXFUNDS": "FOREX", "CRYPTOFUNDS": "CRYPTO"}
	if line {
		amount, err := fund.ParseAmount(string(b.Amount), fund.MaxDigits)
		if err != nil {
			f.say("amount", errs.TextOf(err))
		}
		if o.Amount, o.Line = amount, lines[b.Fund]; o.Line == "" {
			f.add("type", "invest.wallet_unknown", "The type is FOREXFUNDS or CRYPTOFUNDS.")
		}
	} else if b.Fund != "" && b.Fund != "FUNDS" {
		f.add("type", "invest.funds_type", "The type is FUNDS.")
	}
	if err := f.err(); err != nil {
		return o, nil, err
	}
	return o, nil, own(ctx, by)
}

// told turns what a person should hear into the place where screens look.
func told(done errs.Text, err error) (*reply[purchaseResult], error) {
	text, field, err := outcome(done, err)
	if err != nil {
		return nil, err
	}
	return bought(text, field), nil
}

func bought(t errs.Text, field string) *reply[purchaseResult] {
	return answer(purchaseResult{t.Message, codeOf(t), field})
}

func (c *Calls) buy(ctx context.Context, in *purchaseInput, topup sale.Topup, done errs.Text) (*reply[purchaseResult], error) {
	o, refusal, err := c.order(ctx, in, false, topup)
	if err != nil {
		return nil, err
	}
	if refusal != nil {
		return refusal, nil
	}
	return told(done, notThere(c.Market.Activate(ctx, o)))
}

// notThere: for whom one buys is a matter of the form.
func notThere(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.New(errs.Refused, "member.invalid_id", "Invalid User Id!!")
	}
	return err
}

func (c *Calls) activate(ctx context.Context, in *purchaseInput) (*reply[purchaseResult], error) {
	return c.buy(ctx, in, sale.Activation, activated)
}

func (c *Calls) upgrade(ctx context.Context, in *purchaseInput) (*reply[purchaseResult], error) {
	return c.buy(ctx, in, sale.Upgrade, upgraded)
}

func (c *Calls) open(ctx context.Context, in *purchaseInput, topup sale.Topup, done errs.Text) (*reply[purchaseResult], error) {
	o, refusal, err := c.order(ctx, in, true, topup)
	if err != nil {
		return nil, err
	}
	if refusal != nil {
		return refusal, nil
	}
	return told(done, notThere(c.Market.Open(ctx, o)))
}

func (c *Calls) invest(ctx context.Context, in *purchaseInput) (*reply[purchaseResult], error) {
	return c.open(ctx, in, sale.Activation, activated)
}

func (c *Calls) investMore(ctx context.Context, in *purchaseInput) (*reply[purchaseResult], error) {
	return c.open(ctx, in, sale.Upgrade, upgraded)
}

type refundInput struct {
	Keyed
	Body refundBody
}

type refundBody struct {
	UID      text   `json:"uid,omitempty"`
	Sale     string `json:"sale" minLength:"1" maxLength:"40"`
	Password string `json:"ctrans_password,omitempty"`
}

func (c *Calls) refund(ctx context.Context, in *refundInput) (*reply[purchaseResult], error) {
	if _, err := (ownBody{in.Body.UID}).parse(ctx); err != nil {
		return nil, err
	}
	return told(refunded, c.Market.Return(ctx, sessionOf(ctx), in.Key, in.Body.Password, in.Body.Sale))
}

type claimInput struct {
	Keyed
	Body claimBody
}

type claimBody struct {
	By  text   `json:"referby,omitempty" doc:"The caller's own user id."`
	For text   `json:"user_id,omitempty" doc:"The row's user id: the caller's own too."`
	Row string `json:"RowID,omitempty" maxLength:"60" doc:"The claim's id."`
}

func (c *Calls) claimInvestment(ctx context.Context, in *claimInput) (*sentence, error) {
	b := in.Body
	if b.By == "" || b.For == "" || b.Row == "" {
		return say(allRequired), nil
	}
	var f fields
	by, uid := f.uid("referby", b.By), f.uid("user_id", b.For)
	if err := f.err(); err != nil {
		return nil, err
	}
	for _, id := range []int64{by, uid} {
		if err := own(ctx, id); err != nil {
			return nil, err
		}
	}
	text, _, err := outcome(claimed, c.Market.Collect(ctx, sessionOf(ctx), in.Key, b.Row))
	if err != nil {
		return nil, err
	}
	return say(text), nil
}
