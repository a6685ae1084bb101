package chain

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Verify checks whether a transaction made the expected payment. Several transfers to the
// receiver add up.
func (c *Client) Verify(ctx context.Context, hash string, e evm.Expectation) evm.Verdict {
	hash, err := evm.ParseHash(hash)
	if err != nil {
		return evm.Verdict{State: evm.Refused, Text: errs.TextOf(err), Final: true, Needed: c.opt.Confirmations}
	}
	v, err := c.verify(ctx, common.HexToHash(hash), e)
	v.Needed = c.opt.Confirmations
	if err != nil {
		return evm.Verdict{State: evm.Unknown, Text: errs.TextOf(err), Needed: c.opt.Confirmations, Cause: err}
	}
	return v
}

func (c *Client) verify(ctx context.Context, hash common.Hash, e evm.Expectation) (evm.Verdict, error) {
	receiver, err := evm.ParseAddress(e.Receiver)
	if err != nil {
		return evm.Verdict{State: evm.Refused, Text: errs.Say("chain.receiver_invalid", "The receiver: {why}", "why", errs.TextOf(err))}, nil
	}
	places, err := c.Decimals(ctx)
	if err != nil {
		return evm.Verdict{}, err
	}
	v, waits, err := c.together(ctx, hash)
	if err != nil {
		return evm.Verdict{}, err
	}
	if waits.Message != "" {
		return evm.Verdict{State: evm.Waiting, Text: waits}, nil
	}
	out := c.judge(v, common.HexToAddress(receiver), places, e)
	out.Confirmations = v.depth()
	deep := out.Confirmations >= c.opt.Confirmations
	switch {
	case out.State == evm.Refused:
		out.Final = deep
	case deep:
		out.State, out.Text, out.Final = evm.Confirmed, evm.Arrived(short(out.Paid), out.Confirmations), true
	default:
		out.State, out.Text = evm.Waiting, c.tooYoung(v)
	}
	return out, nil
}

// together returns the nodes' common view of a transaction, and why it does not count yet
// if it is in no block.
func (c *Client) together(ctx context.Context, hash common.Hash) (v view, waits errs.Text, err error) {
	views, err := each(ctx, c, func(ctx context.Context, n *node) (view, error) { return n.look(ctx, hash) })
	if err != nil {
		return v, waits, err
	}
	if v, err = agreement(views); err != nil {
		return v, waits, err
	}
	switch {
	case !v.mined:
		waits = errs.Say("chain.transaction_unknown", "The chain does not know this transaction yet.")
	case v.canonical != v.receipt.BlockHash || v.head < v.height():
		waits = errs.Say("chain.block_replaced", "The block with this transaction was replaced; it has to be mined again.")
	}
	return v, waits, nil
}

func (c *Client) tooYoung(v view) errs.Text {
	return errs.Say("chain.too_young", "Waiting for confirmations: {confirmations} of {needed}.", "confirmations", v.depth(), "needed", c.opt.Confirmations)
}

// judge compares a payment with its expectation. The state is Refused, or empty if
// nothing is wrong.
func (c *Client) judge(v view, receiver common.Address, places uint8, e evm.Expectation) (out evm.Verdict) {
	refuse := func(text errs.Text) evm.Verdict {
		out.State, out.Text = evm.Refused, text
		return out
	}
	if *v.receipt.Status == 0 {
		return refuse(textFailed)
	}
	units := new(big.Int)
	var otherToken, otherReceiver *payment
	for _, p := range v.payments() {
		switch {
		case p.token == c.token && p.to == receiver:
			units.Add(units, p.units)
			if from := p.from.Hex(); !slices.Contains(out.From, from) {
				out.From = append(out.From, from)
			}
		case p.to == receiver:
			otherToken = &p
		case p.token == c.token:
			otherReceiver = &p
		}
	}
	paid, err := toMicros(units, places)
	if err != nil {
		return refuse(errs.TextOf(err))
	}
	out.Paid = paid
	at := v.minedAt()
	switch less := paid.Cmp(e.Amount); {
	case len(out.From) == 0 && otherToken != nil:
		return refuse(errs.Say("chain.paid_other_token", "It paid in another token (contract {other}), not in {token}.", "other", otherToken.token.Hex(), "token", c.token.Hex()))
	case len(out.From) == 0 && otherReceiver != nil:
		return refuse(errs.Say("chain.paid_other_receiver", "It paid {other}, not {receiver}.", "other", otherReceiver.to.Hex(), "receiver", receiver.Hex()))
	case len(out.From) == 0:
		return refuse(errs.Say("chain.paid_nothing", "It paid nothing in the token {token}.", "token", c.token.Hex()))
	case less < 0:
		return refuse(errs.Say("chain.paid_less", "It paid {paid}, which is less than the {asked} of the request.", "paid", short(paid), "asked", short(e.Amount)))
	case less > 0:
		return refuse(errs.Say("chain.paid_more", "It paid {paid}, which is more than the {asked} of the request.", "paid", short(paid), "asked", short(e.Amount)))
	case !e.NotBefore.IsZero() && at.Before(e.NotBefore.Truncate(time.Second)):
		return refuse(errs.Say("chain.paid_early", "It was paid on {at}, which is too early: it counts from {from} on.", "at", day(at), "from", day(e.NotBefore)))
	}
	return out
}

var textFailed = errs.Say("chain.transaction_failed", "The transaction failed on the chain: no money moved.")

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// short formats an amount without trailing zeros.
func short(a money.Amount) string {
	return strings.TrimSuffix(strings.TrimRight(a.String(), "0"), ".")
}
