package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Watcher knows what has not counted yet: *watch.Service.
type Watcher interface {
	Seen(uid int64) []depositwatch.Seen
}

// Balancer asks what an address has of the token: *chain.Client.
type Balancer interface {
	Balance(ctx context.Context, address string) (money.Amount, error)
}

func (c *MemberCalls) registerDeposits(api huma.API) {
	get(api, tagFunds, pathDeposit, "Where the member pays USDT to, and what of it the chain has shown", c.depositAddress)
	post(api, tagFunds, "DepositIntent", "Announce a payment in USDT before making it: its cents make it the member's", c.depositIntent)
	post(api, tagFunds, "CancelDepositIntent", "End an announced payment that will not be made", c.cancelIntent)
}

type depositInput struct {
	UID string `query:"uid" doc:"The caller's own user id."`
}

type depositRow struct {
	Mode          string      `json:"mode" enum:"address,intent,hash" doc:"address: to an address of the member's own. intent: announced before, to the company's. hash: to the company's, then a request that names the transaction."`
	Address       string      `json:"address" doc:"Where to pay; empty when there is none."`
	Picture       string      `json:"imglink" doc:"The address as a QR code: a PNG as a data: address."`
	Confirmations int64       `json:"confirmations" doc:"How many blocks deep a payment must be; 0 where no chain is configured."`
	Minimum       usd         `json:"minimum" doc:"The least payment that is credited: what is less becomes no request."`
	Now           moment      `json:"now" doc:"The server's time, for what expires counts down to."`
	Seen          []seenRow   `json:"seen" nullable:"false" doc:"Payments that are not deep enough yet."`
	Intents       []intentRow `json:"intents" nullable:"false" doc:"Announced payments of the last days, newest first."`
}

type seenRow struct {
	Hash          string `json:"utrno"`
	Amount        usd    `json:"amount"`
	Confirmations int64  `json:"confirmations"`
	Needed        int64  `json:"needed"`
}

type intentRow struct {
	ID      string `json:"id"`
	Amount  usd    `json:"amount" doc:"Exactly this much must arrive, in one payment."`
	Fund    string `json:"Fundtype" enum:"FUNDS,CRYPTOFUNDS,FOREXFUNDS"`
	Address string `json:"address"`
	Picture string `json:"imglink" doc:"The address as a QR code, while the intent is open."`
	Opened  moment `json:"opened"`
	Expires moment `json:"expires"`
	State   string `json:"state" enum:"open,paid,ended"`
	Request string `json:"request" doc:"The fund request that it became; empty for none."`
}

func (c *MemberCalls) intentRow(i deposit.Intent) (r intentRow, err error) {
	r = intentRow{ID: id(i.ID), Amount: dollars(i.Amount), Fund: i.Fund, Address: i.Address, Opened: at(i.OpenedAt), Expires: at(i.Expires), State: "open", Request: id(i.Request)}
	switch {
	case i.Request != 0:
		r.State = "paid"
	case !i.Expires.After(c.Clock.Now()):
		r.State = "ended"
	default:
		r.Picture, err = c.Cashier.Picture(i.Address)
	}
	return r, err
}

func (c *MemberCalls) depositAddress(ctx context.Context, in *depositInput) (*reply[depositRow], error) {
	uid, err := ownID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	out := depositRow{Mode: "hash", Minimum: dollars(c.Cashier.Minimum()), Now: at(c.Clock.Now()), Seen: []seenRow{}, Intents: []intentRow{}}
	if out.Address, out.Picture, err = c.receiver(ctx); err != nil {
		return nil, err
	}
	if c.Watch == nil {
		return answer(out), nil
	}
	out.Mode, out.Confirmations = "address", c.Confirmations
	for _, s := range c.Watch.Seen(uid) {
		out.Seen = append(out.Seen, seenRow{s.Hash, dollars(s.Amount), s.Confirmations, s.Needed})
	}
	if c.Cashier.HasKey() {
		return answer(out), nil
	}
	if out.Mode = "hash"; c.Cashier.MayAnnounce() {
		out.Mode = "intent"
	}
	all, err := c.Cashier.Announced(ctx, uid)
	for _, i := range all {
		row, rerr := c.intentRow(i)
		if rerr != nil {
			return nil, rerr
		}
		out.Intents = append(out.Intents, row)
	}
	if err != nil {
		return nil, err
	}
	return answer(out), nil
}

// receiver is where the caller pays USDT to, and a picture of it: an address of their
// own, else the company's.
func (c *MemberCalls) receiver(ctx context.Context) (address, picture string, err error) {
	own, found, err := c.Cashier.DepositAddress(ctx, sessionOf(ctx))
	switch {
	case err != nil:
		return "", "", err
	case found:
		picture, err = c.Cashier.Picture(own.Address)
		return own.Address, picture, err
	case c.Cashier.HasKey(): // a visit, before the member has asked
		return "", "", nil
	}
	return c.Cashier.USDT()
}

type intentInput struct {
	Keyed
	Body struct {
		UID    text   `json:"uid,omitempty" doc:"The caller's own user id."`
		Amount text   `json:"amount,omitempty" doc:"Whole dollars, up to 10 digits; cents are added."`
		Fund   string `json:"Fundtype,omitempty" maxLength:"40" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS."`
	}
}

// intentAnswer is as that of FundRequest, with what was announced.
type intentAnswer struct {
	Data string `json:"data" doc:"'success', or what to tell the person."`
	Said
	Field  string     `json:"field,omitempty" doc:"The field that it is about."`
	Intent *intentRow `json:"intent,omitempty"`
}

func (c *MemberCalls) depositIntent(ctx context.Context, in *intentInput) (*struct{ Body intentAnswer }, error) {
	if _, err := (ownBody{in.Body.UID}).parse(ctx); err != nil {
		return nil, err
	}
	i, err := c.Cashier.Announce(ctx, sessionOf(ctx), in.Key, string(in.Body.Amount), in.Body.Fund)
	told, field, oerr := outcome(textDone, err)
	if oerr != nil {
		return nil, oerr
	}
	out := intentAnswer{Data: told.Message, Said: codeOf(told), Field: field}
	if err == nil {
		row, err := c.intentRow(i)
		if err != nil {
			return nil, err
		}
		out.Intent = &row
	}
	return &struct{ Body intentAnswer }{out}, nil
}

func (c *MemberCalls) cancelIntent(ctx context.Context, in *cancelInput) (*sentence, error) {
	number, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	return say(textDone), c.Cashier.CancelAnnounced(ctx, sessionOf(ctx), in.Key, number)
}
