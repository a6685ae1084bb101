package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
)

// Watcher returns payments that are not credited yet: *watch.Service.
type Watcher interface {
	Seen(uid int64) []depositwatch.Seen
}

func (c *Calls) registerDeposits(api huma.API) {
	httpx.GetFromLeader(api, httpx.TagFunds, "DepositAddress", "Retrieve the member's USDT deposit address and deposits", c.depositAddress)
	httpx.Post(api, httpx.TagFunds, "DepositIntent", "Create a deposit intent: an exact USDT amount, in cents, that identifies the member", c.depositIntent)
	httpx.Post(api, httpx.TagFunds, "CancelDepositIntent", "Cancel a deposit intent", c.cancelIntent)
}

type depositInput struct {
	UID string `query:"uid" doc:"The caller's user id."`
}

type depositRow struct {
	Mode          string          `json:"mode" enum:"address,intent,hash" doc:"address: to the member's personal address. intent: announced by an intent, to the company's address. hash: to the company's address, followed by a fund request with the transaction hash."`
	Address       string          `json:"address" doc:"The address to pay to; empty if there is none."`
	Picture       string          `json:"imglink" doc:"The address as a QR code: a PNG in a data: URL."`
	Confirmations int64           `json:"confirmations" doc:"The number of confirmations that a payment needs; 0 if no chain is configured."`
	Minimum       httpx.USD       `json:"minimum" doc:"The minimum payment; a smaller payment creates no fund request."`
	Now           httpx.Timestamp `json:"now" doc:"The server's time, for countdowns to expiry."`
	Seen          []seenRow       `json:"seen" nullable:"false" doc:"Payments that still need confirmations."`
	Intents       []intentRow     `json:"intents" nullable:"false" doc:"Deposit intents of the last days, newest first."`
}

type seenRow struct {
	Hash          string    `json:"utrno"`
	Amount        httpx.USD `json:"amount"`
	Confirmations int64     `json:"confirmations"`
	Needed        int64     `json:"needed"`
}

type intentRow struct {
	ID      string          `json:"id"`
	Amount  httpx.USD       `json:"amount" doc:"The exact amount to send, in one payment."`
	Fund    string          `json:"Fundtype" enum:"FUNDS,CRYPTOFUNDS,FOREXFUNDS"`
	Address string          `json:"address"`
	Picture string          `json:"imglink" doc:"The address as a QR code, while the intent is open."`
	Opened  httpx.Timestamp `json:"opened"`
	Expires httpx.Timestamp `json:"expires"`
	State   string          `json:"state" enum:"open,paid,ended"`
	Request string          `json:"request" doc:"The id of the resulting fund request; empty if there is none."`
}

func (c *Calls) intentRow(i deposit.Intent) (r intentRow, err error) {
	r = intentRow{ID: httpx.FormatID(i.ID), Amount: httpx.ToUSD(i.Amount), Fund: i.Fund, Address: i.Address, Opened: httpx.ToTimestamp(i.OpenedAt), Expires: httpx.ToTimestamp(i.Expires), State: "open", Request: httpx.FormatID(i.Request)}
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

func (c *Calls) depositAddress(ctx context.Context, in *depositInput) (*httpx.Reply[depositRow], error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	out := depositRow{Mode: "hash", Minimum: httpx.ToUSD(c.Cashier.Minimum()), Now: httpx.ToTimestamp(c.Clock.Now()), Seen: []seenRow{}, Intents: []intentRow{}}
	if out.Address, out.Picture, err = c.receiver(ctx); err != nil {
		return nil, err
	}
	if c.Watch == nil {
		return httpx.NewReply(out), nil
	}
	out.Mode, out.Confirmations = "address", c.Confirmations
	for _, s := range c.Watch.Seen(uid) {
		out.Seen = append(out.Seen, seenRow{s.Hash, httpx.ToUSD(s.Amount), s.Confirmations, s.Needed})
	}
	if c.Cashier.HasKey() {
		return httpx.NewReply(out), nil
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
	return httpx.NewReply(out), nil
}

// receiver returns the address to which the caller pays USDT, with its QR code: the
// member's personal address, else the company's.
func (c *Calls) receiver(ctx context.Context) (address, picture string, err error) {
	own, found, err := c.Cashier.DepositAddress(ctx, httpx.SessionOf(ctx))
	switch {
	case err != nil:
		return "", "", err
	case found:
		picture, err = c.Cashier.Picture(own.Address)
		return own.Address, picture, err
	case c.Cashier.HasKey(): // an operator's visit before the member's first request
		return "", "", nil
	}
	return c.Cashier.USDT()
}

type intentInput struct {
	httpx.Idempotent
	Body struct {
		UID    httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
		Amount httpx.StringOrInt `json:"amount,omitempty" doc:"Whole dollars, up to 10 digits; the server adds cents."`
		Fund   string            `json:"Fundtype,omitempty" maxLength:"40" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS."`
	}
}

// intentAnswer has the fields of the answer of FundRequest, and the intent.
type intentAnswer struct {
	Data string `json:"data" doc:"'success', or a message for the user."`
	httpx.MessageCode
	Field  string     `json:"field,omitempty" doc:"The field that the message is about."`
	Intent *intentRow `json:"intent,omitempty"`
}

func (c *Calls) depositIntent(ctx context.Context, in *intentInput) (*struct{ Body intentAnswer }, error) {
	if _, err := (ownBody{in.Body.UID}).parse(ctx); err != nil {
		return nil, err
	}
	i, err := c.Cashier.Announce(ctx, httpx.SessionOf(ctx), in.Key, string(in.Body.Amount), in.Body.Fund)
	told, field, oerr := outcome(httpx.Success, err)
	if oerr != nil {
		return nil, oerr
	}
	out := intentAnswer{Data: told.Message, MessageCode: httpx.CodeOf(told), Field: field}
	if err == nil {
		row, err := c.intentRow(i)
		if err != nil {
			return nil, err
		}
		out.Intent = &row
	}
	return &struct{ Body intentAnswer }{out}, nil
}

func (c *Calls) cancelIntent(ctx context.Context, in *httpx.KeyedBody[cancelBody]) (*httpx.MessageReply, error) {
	number, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Success), c.Cashier.CancelAnnounced(ctx, httpx.SessionOf(ctx), in.Key, number)
}
