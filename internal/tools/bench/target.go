package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Routes are direct calls of the ledger, for benchmarks and crash tests. Only 'bifolia bench
// target' serves them, on a private listener; the server never has them.
func Routes(seq *ledger.Sequencer) func(huma.API) {
	t := target{seq}
	return func(api huma.API) {
		register(api, "deposit", t.deposit)
		register(api, "transfer", t.transfer)
		register(api, "hold", t.hold)
		register(api, "settle", t.settle)
		register(api, "void", t.void)
		register(api, "bulk", t.bulk)
		register(api, "balance", t.balance)
	}
}

type target struct{ seq *ledger.Sequencer }

// call is a request with its idempotency key.
type call[B any] struct {
	Key  string `header:"Idempotency-Key" maxLength:"120"`
	Body B
}

type answer struct{ Body json.RawMessage }

func register[B any](api huma.API, name string, f func(context.Context, *call[B]) (*answer, error)) {
	huma.Register(api, huma.Operation{OperationID: "bench-" + name, Method: http.MethodPost, Path: "/api/bench/" + name}, f)
}

// do runs fn as a command with the call's key.
func (t target) do(ctx context.Context, key string, body any, touches []ledger.Account, fn func(tx *ledger.Tx) (any, error)) (*answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := t.seq.Do(ctx, ledger.Command{Actor: "bench", Key: key, Body: raw, Touches: touches, Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		out, err := fn(tx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	}})
	if err != nil {
		return nil, err
	}
	return &answer{r.Response}, nil
}

type moveBody struct {
	From   string `json:"from" maxLength:"160"`
	To     string `json:"to" maxLength:"160"`
	Amount string `json:"amount" maxLength:"30"`
}

type posted struct {
	Seq int64  `json:"seq"`
	ID  string `json:"id"`
}

func (b *moveBody) legs(down, up int64) ([]ledger.Leg, error) {
	from, err := ledger.ParseAccount(b.From)
	if err != nil {
		return nil, err
	}
	to, err := ledger.ParseAccount(b.To)
	if err != nil {
		return nil, err
	}
	amount, err := money.Parse(b.Amount)
	if err != nil || amount.Sign() <= 0 {
		return nil, errs.BadField("amount", "bench.amount_above_zero", "{value} is not an amount above zero", "value", strconv.Quote(b.Amount))
	}
	minus, err := amount.MulDiv(down, 1)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "amount.too_large", "The amount is too large.")
	}
	plus, err := amount.MulDiv(up, 1)
	return []ledger.Leg{{Account: from, Delta: minus}, {Account: to, Delta: plus}}, err
}

func touched(legs []ledger.Leg) []ledger.Account {
	out := make([]ledger.Account, len(legs))
	for i, l := range legs {
		out[i] = l.Account
	}
	return out
}

func (t target) post(ctx context.Context, c *call[moveBody], kind string, down, up int64) (*answer, error) {
	legs, err := c.Body.legs(down, up)
	if err != nil {
		return nil, err
	}
	return t.do(ctx, c.Key, c.Body, touched(legs), func(tx *ledger.Tx) (any, error) {
		p, err := tx.Post(ledger.Transfer{Kind: kind, Legs: legs})
		return posted{p.Seq, p.ID}, err
	})
}

func (t target) transfer(ctx context.Context, c *call[moveBody]) (*answer, error) {
	return t.post(ctx, c, "transfer", -1, 1)
}

// deposit increases both accounts: From is the cash account.
func (t target) deposit(ctx context.Context, c *call[moveBody]) (*answer, error) {
	return t.post(ctx, c, "deposit", 1, 1)
}

type holdBody struct {
	Account string `json:"account" maxLength:"160"`
	Amount  string `json:"amount" maxLength:"30"`
	Millis  int64  `json:"millis" minimum:"1" maximum:"86400000"`
}

func (t target) hold(ctx context.Context, c *call[holdBody]) (*answer, error) {
	account, err := ledger.ParseAccount(c.Body.Account)
	if err != nil {
		return nil, err
	}
	amount, err := money.Parse(c.Body.Amount)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "amount.malformed", "The amount is malformed.")
	}
	return t.do(ctx, c.Key, c.Body, []ledger.Account{account}, func(tx *ledger.Tx) (any, error) {
		h, err := tx.PlaceHold(ledger.HoldRequest{Account: account, Amount: amount, For: time.Duration(c.Body.Millis) * time.Millisecond, Reason: "bench"})
		return map[string]int64{"hold": h.ID}, err
	})
}

type settleBody struct {
	Hold   int64  `json:"hold"`
	From   string `json:"from" maxLength:"160"`
	To     string `json:"to" maxLength:"160"`
	Amount string `json:"amount" maxLength:"30"`
}

func (t target) settle(ctx context.Context, c *call[settleBody]) (*answer, error) {
	move := moveBody{From: c.Body.From, To: c.Body.To, Amount: c.Body.Amount}
	legs, err := move.legs(-1, 1)
	if err != nil {
		return nil, err
	}
	return t.do(ctx, c.Key, c.Body, touched(legs), func(tx *ledger.Tx) (any, error) {
		p, err := tx.Settle(c.Body.Hold, ledger.Transfer{Kind: "settle", Legs: legs})
		return posted{p.Seq, p.ID}, err
	})
}

type voidBody struct {
	Hold int64 `json:"hold"`
}

func (t target) void(ctx context.Context, c *call[voidBody]) (*answer, error) {
	return t.do(ctx, c.Key, c.Body, nil, func(tx *ledger.Tx) (any, error) {
		p, err := tx.Void(c.Body.Hold, "bench")
		return posted{p.Seq, p.ID}, err
	})
}

type bulkBody struct {
	Run     string `json:"run" minLength:"1" maxLength:"40" pattern:"^[a-z0-9-]+$"`
	Count   int    `json:"count" minimum:"1" maximum:"20000"`
	Deposit string `json:"deposit,omitempty" maxLength:"30" doc:"deposit this to each wallet instead of moving between them"`
}

// bulk posts many transfers in one command, as a daily run does. Ids are derived from the run,
// so that the same run never posts twice.
func (t target) bulk(ctx context.Context, c *call[bulkBody]) (*answer, error) {
	legs := make([][]ledger.Leg, c.Body.Count)
	kind, down := "run", int64(-1)
	amount, cash := "0.000001", ""
	if c.Body.Deposit != "" {
		kind, down, amount, cash = "deposit", 1, c.Body.Deposit, "A:CLIENT"
	}
	var all []ledger.Account
	for i := range legs {
		m := moveBody{From: wallet(i % accounts), To: wallet((i + 1) % accounts), Amount: amount}
		if cash != "" {
			m.From = cash
		}
		var err error
		if legs[i], err = m.legs(down, 1); err != nil {
			return nil, err
		}
		all = append(all, touched(legs[i])...)
	}
	return t.do(ctx, c.Key, c.Body, all, func(tx *ledger.Tx) (any, error) {
		for i := range legs {
			if _, err := tx.Post(ledger.Transfer{ID: fmt.Sprintf("%s/%06d", c.Body.Run, i), Kind: kind, Legs: legs[i]}); err != nil {
				return nil, err
			}
		}
		return map[string]int{"postings": 2 * len(legs)}, nil
	})
}

type balanceBody struct {
	Account string `json:"account" maxLength:"160"`
}

func (t target) balance(ctx context.Context, c *call[balanceBody]) (*answer, error) {
	account, err := ledger.ParseAccount(c.Body.Account)
	if err != nil {
		return nil, err
	}
	return t.do(ctx, "", c.Body, []ledger.Account{account}, func(tx *ledger.Tx) (any, error) {
		b, err := tx.Balance(account)
		return map[string]string{"posted": b.Posted.String(), "held": b.Held.String()}, err
	})
}
