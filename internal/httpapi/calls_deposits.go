package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
	"github.com/bifolia/bifolia/internal/platform/export"
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

// pathDeposit is answered by the process that writes: it assigns addresses and knows
// what it has seen on the chain.
const pathDeposit = "DepositAddress"

func (c *Calls) registerDeposits(api huma.API) {
	get(api, tagFunds, pathDeposit, "Where the member pays USDT to, and what of it the chain has shown", c.depositAddress)
	post(api, tagFunds, "DepositIntent", "Announce a payment in USDT before making it: its cents make it the member's", c.depositIntent)
	post(api, tagFunds, "CancelDepositIntent", "End an announced payment that will not be made", c.cancelIntent)
	content := map[string]*huma.MediaType{}
	for _, f := range []export.Format{export.CSV, export.XLSX} {
		content[strings.TrimSuffix(f.Type(), "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	huma.Register(api, huma.Operation{
		OperationID: "operatorDepositsSweep", Method: http.MethodPost, Path: "/api/operator/deposits/sweep", Tags: []string{tagOperator},
		Summary:   "Members' deposit addresses with what lies there, as a file for the treasury",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: content}},
	}, func(ctx context.Context, in *sweepInput) (*huma.StreamResponse, error) {
		return c.sweep(ctx, api, in)
	})
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

func (c *Calls) intentRow(i deposit.Intent) (r intentRow, err error) {
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

func (c *Calls) depositAddress(ctx context.Context, in *depositInput) (*reply[depositRow], error) {
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
func (c *Calls) receiver(ctx context.Context) (address, picture string, err error) {
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

func (c *Calls) depositIntent(ctx context.Context, in *intentInput) (*struct{ Body intentAnswer }, error) {
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

func (c *Calls) cancelIntent(ctx context.Context, in *cancelInput) (*sentence, error) {
	number, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	return say(textDone), c.Cashier.CancelAnnounced(ctx, sessionOf(ctx), in.Key, number)
}

type sweepInput struct {
	Keyed
	Body struct {
		Format string `json:"format" doc:"csv or xlsx."`
	}
}

var sweepColumns = []column[cashier.Sweep]{
	numberColumn[cashier.Sweep]("S.No"),
	textColumn("Address", 44, func(s cashier.Sweep) string { return s.Address.Address }),
	textColumn("Branch", 12, func(s cashier.Sweep) string { return strconv.FormatInt(s.Branch, 10) }),
	textColumn("Index", 10, func(s cashier.Sweep) string { return strconv.FormatInt(s.Index, 10) }),
	textColumn("Path", 22, func(s cashier.Sweep) string { return s.Path }),
	textColumn("Key", 18, func(s cashier.Sweep) string { return s.Root }),
	textColumn("User Id", 12, func(s cashier.Sweep) string { return id(s.UID) }),
	moneyColumn("Received", func(s cashier.Sweep) money.Amount { return s.Received }),
	textColumn("On Chain", 18, func(s cashier.Sweep) string { return s.OnChain }),
	timeColumn("Assigned", func(s cashier.Sweep) time.Time { return s.At }),
}

func (c *Calls) sweep(ctx context.Context, api huma.API, in *sweepInput) (*huma.StreamResponse, error) {
	var f fields
	format := f.format(in.Body.Format, export.CSV, export.XLSX)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	return c.send(ctx, api, -by.Operator, func() (file, error) { // operators have turns of their own
		if err := c.Cashier.SweepTaken(ctx, by, in.Key); err != nil {
			return file{}, err
		}
		var ask func(context.Context, string) (money.Amount, error)
		if c.Balances != nil {
			ask = c.Balances.Balance
		}
		table, rows, err := sheet("Deposit addresses", sweepColumns, func(yield func(cashier.Sweep) error) error {
			return c.Cashier.EachSweep(ctx, ask, yield)
		}, time.UTC)
		return file{"deposit-addresses-" + c.Clock.Now().UTC().Format("2006-01-02"), format, table, rows}, err
	})
}

// claimantRow is one of several requests that name the same number.
type claimantRow struct {
	ID        string `json:"id"`
	UID       string `json:"uid"`
	Amount    usd    `json:"amount"`
	State     string `json:"st" enum:"Pending,Approved,Rejected"`
	Verdict   string `json:"verdict" doc:"What the chain says of it."`
	Remark    string `json:"remark"`
	Requested moment `json:"requestedDate"`
	Proven    bool   `json:"proven" doc:"The chain has shown the payment as this member's."`
}

type claimantsInput struct {
	Number string `query:"utrno" required:"true" maxLength:"66" doc:"In its one spelling, as the list has it."`
}

func (c *Calls) claimants(ctx context.Context, in *claimantsInput) (*list[claimantRow], error) {
	all, err := c.Cashier.Claims(ctx, in.Number)
	if err != nil {
		return nil, err
	}
	rows := make([]claimantRow, 0, len(all))
	for _, r := range all {
		rows = append(rows, claimantRow{strconv.FormatInt(r.ID, 10), id(r.UID), dollars(r.Amount), string(r.State), r.Verdict, r.Remark, at(r.RequestedAt), r.Source != ""})
	}
	return pageOf(rows, len(rows), 1, max(len(rows), 1)), nil
}
