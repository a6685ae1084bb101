package app

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

type notices struct {
	Unread int
	Data   [][]struct {
		Kind, State, Name, From, Amount, Remark, At string
		Unread                                      bool
	}
}

// notices lists a member's notices as lines, newest first, and how many are new.
func (c client) notices() (lines []string, newest string, unread int) {
	c.s.t.Helper()
	var got notices
	c.get("notices?uid=" + id(c.uid)).into(&got)
	for i, n := range got.Data[0] {
		if n.Unread != (i < got.Unread) {
			c.s.t.Errorf("notice %d of %d new ones is unread: %v", i, got.Unread, n.Unread)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %s %s %s", n.Kind, n.State, n.Name, n.From, n.Amount, n.Remark))
	}
	if len(got.Data[0]) > 0 {
		newest = got.Data[0][0].At
	}
	return lines, newest, got.Unread
}

// saysNotices fails unless a member's newest notices are these.
func (c client) saysNotices(unread int, want ...string) {
	c.s.t.Helper()
	lines, _, n := c.notices()
	if n != unread || len(lines) < len(want) || fmt.Sprint(lines[:len(want)]) != fmt.Sprint(want) {
		c.s.t.Errorf("%d unread of %q, not %d of %q", n, lines, unread, want)
	}
}

func (c client) readsNotices() {
	c.s.t.Helper()
	_, newest, _ := c.notices()
	c.post("notices/read", m{"uid": id(c.uid), "upto": newest}).into(&m{})
}

func TestNoticesStayUntilTheyAreRead(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		me.saysNotices(0)
		s.moves(me, pin)
		lines, _, unread := me.notices()
		if unread != 4 || len(lines) != 4 || lines[0] != "bank Rejected FOREXFUNDS  100.000000 not found" {
			t.Fatalf("%d unread of %q", unread, lines)
		}
		me.readsNotices()
		me.saysNotices(0, lines...)

		s.clock.Advance(time.Minute)
		ticket := me.complain("Where is it?", "")
		s.hire(auth.RoleSupport).work("answer", m{"id": ticket, "seen": 0, "reply": "Here."})
		me.saysNotices(1, "answer    0.000000 ")

		// A transfer from another member, with the sender.
		place, _ := s.services.Tree.Get(s.services.Tree.Find(me.uid) + 1) // joined next
		berta := s.login(place.UID, password)
		berta.saysNotices(4, "received  FOREXFUNDS "+id(me.uid)+" 10.000000 ", "received  FOREXFUNDS "+id(me.uid)+" 20.000000 ")
		berta.readsNotices()
		// Reading an earlier time takes nothing back; a future time cannot be read.
		berta.post("notices/read", m{"uid": id(berta.uid), "upto": "2020-01-31T09:30:00Z"}).into(&m{})
		berta.saysNotices(0)
		berta.post("notices/read", m{"uid": id(berta.uid), "upto": "2099-01-31T09:30:00Z"}).into(&m{})
		berta.post("notices/read", m{"uid": id(berta.uid), "upto": "soon"}).names("upto")
		s.clock.Advance(time.Minute)
		s.matures(berta.uid)
		s.clock.Advance(time.Minute)
		if got := me.post("FundTransferToUser", m{"user_id": id(berta.uid), "referby": id(me.uid), "amount": "1", "ctrans_password": pin, "wallettype": "FOREXFUNDS"}).told(); got != "success" {
			t.Fatal(got)
		}
		berta.saysNotices(1, "received  FOREXFUNDS "+id(me.uid)+" 1.000000 ")
		lines, _, _ = berta.notices()
		if last := lines[len(lines)-1]; last != "claim Ready FOREX  110.000000 " {
			t.Errorf("the claim's notice is %q", last)
		}
	})
}

// matures gives a member a funded claim.
func (s *site) matures(uid int64) {
	s.t.Helper()
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		net := money.MustParse("110")
		if err := s.db.Invest().AddClaims(ctx, tx, []invest.Claim{{ID: "C-x", Position: "x", Line: "FOREX", No: int64(s.services.Tree.Find(uid)), Amount: net, Net: net, Day: 20000}}); err != nil {
			return err
		}
		return s.db.Invest().Recall(ctx, tx, "C-x", net)
	})
}

func TestEachWithdrawalStepIsANotice(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.earner("100")
	operator := s.hire(auth.RoleFinance)
	number := me.withdraw("LevelIncome", "40")
	me.saysNotices(0)
	operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
	me.saysNotices(1, "withdrawal Approved LevelIncome  39.200000 ")
	me.readsNotices()
	s.clock.Advance(time.Minute)
	operator.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).into(&m{})
	me.saysNotices(1, "withdrawal Sent LevelIncome  39.200000 ")
	s.clock.Advance(31 * 24 * time.Hour)
	me = s.login(me.uid, password)
	me.saysNotices(0, "withdrawal Sent LevelIncome  39.200000 ")
}
