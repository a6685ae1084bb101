package payout_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestApprovedWithdrawalsArePaidFromTheHotWallet(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		f, b := desk(t, dsn)
		_, first := chaintest.Wallet(t)
		_, second := chaintest.Wallet(t)
		one, two := b.approved(ann, "25", first), b.approved(ann, "40", strings.ToLower(second))
		batch := b.batch(payout.Hot)
		b.run()
		b.is(batch, one, payout.Sent, withdrawal.Sent)
		f.got(t, first, 0)
		f.Mine(1)
		b.run()
		if p := b.is(batch, two, payout.Sent, withdrawal.Sent); p.Note != "Waiting for confirmations: 1 of 3." || p.Nonce != 1 {
			t.Errorf("%+v", p)
		}
		f.Mine(needed - 1)
		b.run()
		b.is(batch, one, payout.Confirmed, withdrawal.Confirmed)
		b.is(batch, two, payout.Confirmed, withdrawal.Confirmed)
		f.got(t, first, 25)
		f.got(t, second, 40)
		if got, _, err := b.Batch(t.Context(), batch); err != nil || got.State != payout.Done {
			t.Errorf("the batch is %s, %v", got.State, err)
		}
		for range 2 {
			b.run()
			f.Mine(1)
		}
		f.got(t, first, 25)
		testkit.Verify(t, b.l)
	})
}

func TestTheProposerDoesNotApproveABatch(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t))
	_, to := chaintest.Wallet(t)
	id := b.approved(ann, "25", to)
	p, err := b.Propose(t.Context(), maker, "k", payout.Hot, []int64{id})
	if err != nil || p.Total != money.MustParse("25") {
		t.Fatal(p, err)
	}
	if again, err := b.Propose(t.Context(), maker, "k", payout.Hot, []int64{id}); err != nil || again.ID != p.ID {
		t.Errorf("the same key: %+v, %v", again, err)
	}
	_, err = b.Propose(t.Context(), maker, "", payout.Hot, []int64{id})
	refused(t, err, errs.Conflict, "is in batch")
	_, err = b.Approve(t.Context(), maker, "", p.ID, b.digest(p.ID))
	refused(t, err, errs.Forbidden, "Another operator")
	_, err = b.Approve(t.Context(), actor.By{Operator: 1, Name: "renamed"}, "", p.ID, b.digest(p.ID))
	refused(t, err, errs.Forbidden, "Another operator")
	_, err = b.Approve(t.Context(), checker, "", p.ID, strings.Repeat("0", 64))
	refused(t, err, errs.Refused, "Review it again")
	b.run()
	f.Mine(1)
	b.is(p.ID, id, payout.Waiting, withdrawal.Approved)
	if _, err = b.Cancel(t.Context(), maker, "", p.ID); err != nil {
		t.Fatal(err)
	}
	b.is(p.ID, id, payout.Cancelled, withdrawal.Approved)
	_, err = b.Approve(t.Context(), checker, "", p.ID, b.digest(p.ID))
	refused(t, err, errs.Conflict, "is cancelled")
	b.batch(payout.Hot) // it is free again
}

func TestTheDailyCapIsEnforced(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t), func(o *payout.Options) { o.DailyCap = money.MustParse("50") })
	_, to := chaintest.Wallet(t)
	one, two := b.approved(ann, "30", to), b.approved(ann, "30", to)
	batch := b.batch(payout.Hot)
	b.settle(f)
	b.is(batch, one, payout.Confirmed, withdrawal.Confirmed)
	if p := b.is(batch, two, payout.Waiting, withdrawal.Approved); !strings.Contains(p.Note, "cap") || !strings.Contains(b.Trouble().Message, "cap") {
		t.Errorf("%q, %q", p.Note, b.Trouble().Message)
	}
	b.l.Clock.Advance(24*time.Hour - time.Second)
	b.run()
	b.is(batch, two, payout.Waiting, withdrawal.Approved)
	b.l.Clock.Advance(2 * time.Second)
	b.settle(f)
	b.is(batch, two, payout.Confirmed, withdrawal.Confirmed)
	if f.got(t, to, 60); b.Trouble().Message != "" {
		t.Error(b.Trouble().Message)
	}
}

func TestNothingIsPaidWhileFrozenOrUnderReview(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	if err := b.l.Freeze(t.Context(), "a wrong row"); err != nil {
		t.Fatal(err)
	}
	b.run()
	if p := b.is(one.batch, one.id, payout.Waiting, withdrawal.Approved); !strings.Contains(p.Note, "frozen") {
		t.Errorf("%q", p.Note)
	}
	if err := b.l.Unfreeze(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.command(func(ctx context.Context, tx *ledger.Tx) error {
		return b.members.Block(ctx, tx, ann, "fraud", tx.Now())
	})
	b.run()
	if p := b.is(one.batch, one.id, payout.Waiting, withdrawal.Approved); !strings.Contains(p.Note, "under review") {
		t.Errorf("%q", p.Note)
	}
	if n := f.node.Calls("eth_sendRawTransaction"); n != 0 {
		t.Errorf("%d transactions were sent", n)
	}
	b.command(func(ctx context.Context, tx *ledger.Tx) error {
		return b.members.Unblock(ctx, tx, ann)
	})
	b.run()
	b.is(one.batch, one.id, payout.Sent, withdrawal.Sent)
	if err := b.l.Freeze(t.Context(), "a wrong row"); err != nil {
		t.Fatal(err)
	}
	f.Mine(needed)
	if err := b.Run(t.Context()); !errs.Is(err, errs.Refused) {
		t.Errorf("the books move while frozen: %v", err)
	}
	if err := b.l.Unfreeze(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.run()
	b.is(one.batch, one.id, payout.Confirmed, withdrawal.Confirmed)
}

func TestAnUnknownNonceHoldsPayouts(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	f.SendAs(t, f.key, 0, one.to) // somebody else has the key, or the database is an older copy
	f.Mine(1)
	b.run()
	b.is(one.batch, one.id, payout.Waiting, withdrawal.Approved)
	if st := b.held(payout.Held); st.Hold.Cause != payout.CauseChain || !strings.Contains(st.Hold.Detail.Message, "has sent 1 transactions") {
		t.Errorf("%+v", st.Hold)
	}
	b.standsStill(f, one)
	if st := b.settleWallet(f); len(st.Found) != 0 { // it paid in another coin
		t.Errorf("found %+v", st.Found)
	}
	b.adopt()
	b.settle(f)
	b.is(one.batch, one.id, payout.Confirmed, withdrawal.Confirmed)
	if f.got(t, one.to, 25); b.Trouble().Message != "" {
		t.Error(b.Trouble().Message)
	}
}

func TestAStuckPaymentIsReplacedAndPaidOnce(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	_, err := b.Replace(t.Context(), checker, "", one.batch, one.id)
	refused(t, err, errs.Conflict, "is waiting")
	b.run()
	before := b.is(one.batch, one.id, payout.Sent, withdrawal.Sent)
	after, err := b.Replace(t.Context(), checker, "", one.batch, one.id)
	if err != nil || after.Hash == before.Hash || after.Nonce != before.Nonce {
		t.Fatalf("%+v, %v", after, err)
	}
	b.run()
	f.Mine(1)
	_, err = b.Replace(t.Context(), checker, "", one.batch, one.id)
	refused(t, err, errs.Conflict, "is mined")
	f.Mine(needed)
	b.run()
	b.is(one.batch, one.id, payout.Confirmed, withdrawal.Confirmed)
	f.got(t, one.to, 25)
}

func TestTheMinedPaymentCounts(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	b.run()
	first := b.is(one.batch, one.id, payout.Sent, withdrawal.Sent)
	hold := f.node.HoldBack() // nobody hears of the replacement
	if _, err := b.Replace(t.Context(), checker, "", one.batch, one.id); err != nil {
		t.Fatal(err)
	}
	hold()
	f.Mine(needed)
	b.run()
	if p := b.is(one.batch, one.id, payout.Confirmed, withdrawal.Confirmed); p.Hash != first.Hash {
		t.Errorf("%s paid, not %s", p.Hash, first.Hash)
	}
	f.got(t, one.to, 25)
}

func TestAFailedPaymentWaitsForAnOperator(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	f.Call(t, f.token, "block_", common.HexToAddress(one.to), true) // mined before it
	b.settle(f)
	p := b.is(one.batch, one.id, payout.Failed, withdrawal.Sent)
	if p.Note != "The transaction failed on the chain: no money moved." {
		t.Errorf("%q", p.Note)
	}
	b.run() // it is left alone
	b.is(one.batch, one.id, payout.Failed, withdrawal.Sent)
	refused(t, b.Return(t.Context(), checker, "", one.batch, one.id, " "), errs.Invalid, "how you know")
	if err := b.Return(t.Context(), checker, "", one.batch, one.id, "The explorer shows that it reverted."); err != nil {
		t.Fatal(err)
	}
	b.is(one.batch, one.id, payout.Returned, withdrawal.Approved)
	f.Call(t, f.token, "block_", common.HexToAddress(one.to), false)
	f.Mine(1)
	again := b.batch(payout.Hot)
	b.settle(f)
	b.is(again, one.id, payout.Confirmed, withdrawal.Confirmed)
	f.got(t, one.to, 25)
	testkit.Verify(t, b.l)
}

func TestAPaymentWithAForeignNonceFails(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	hold := f.node.HoldBack()
	b.run()
	b.is(one.batch, one.id, payout.Sent, withdrawal.Sent)
	hold()
	f.SendAs(t, f.key, 0, one.to)
	f.Mine(needed - 1)
	b.run()
	b.is(one.batch, one.id, payout.Sent, withdrawal.Sent) // it could still be undone
	f.Mine(1)
	b.run()
	if p := b.is(one.batch, one.id, payout.Failed, withdrawal.Sent); !strings.Contains(p.Note, "used nonce 0") {
		t.Errorf("%q", p.Note)
	}
	f.got(t, one.to, 0)
}

func TestARefusedPaymentDoesNotBlockTheOthers(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t))
	_, bad := chaintest.Wallet(t)
	_, good := chaintest.Wallet(t)
	f.Call(t, f.token, "block_", common.HexToAddress(bad), true)
	f.Mine(1)
	one, two := b.approved(ann, "25", bad), b.approved(ann, "30", good)
	batch := b.batch(payout.Hot)
	b.settle(f)
	if p := b.is(batch, one, payout.Waiting, withdrawal.Approved); !strings.Contains(p.Note, "would fail") {
		t.Errorf("%q", p.Note)
	}
	b.is(batch, two, payout.Confirmed, withdrawal.Confirmed)
}

func TestAPaymentIsSentAgainAfterAReorg(t *testing.T) {
	t.Parallel()
	f, b, one := single(t)
	b.run()
	f.Mine(needed - 1)
	b.run()
	f.Reorg(t, needed-1)
	f.got(t, one.to, 0)
	b.settle(f)
	b.is(one.batch, one.id, payout.Confirmed, withdrawal.Confirmed)
	f.got(t, one.to, 25)
}
