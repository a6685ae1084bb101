package people_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// deposit posts money into a member's fund.
func deposit(tx *ledger.Tx, account string, amount int64) error {
	a := money.Micro(amount)
	_, err := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{{Account: ledger.MustAccount("A:CLIENT"), Delta: a}, {Account: ledger.MustAccount(account), Delta: a}}})
	return err
}

// give moves money from one account to another.
func give(tx *ledger.Tx, kind, from, to string, amount int64) error {
	_, err := tx.Post(ledger.Transfer{Kind: kind, Legs: []ledger.Leg{{Account: ledger.MustAccount(from), Delta: money.Micro(-amount)}, {Account: ledger.MustAccount(to), Delta: money.Micro(amount)}}})
	return err
}

func TestBalancesAreThoseOfTheMembersAccounts(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			err := errors.Join(deposit(tx, "L:FUND:FUNDS:100001", 70), deposit(tx, "L:FUND:FUNDS:100001", 7), deposit(tx, "L:FUND:FOREXFUNDS:100001", 5), deposit(tx, "L:FUND:FUNDS:100002", 9))
			_, herr := tx.PlaceHold(ledger.HoldRequest{Account: ledger.MustAccount("L:FUND:FUNDS:100001"), Amount: money.Micro(3), For: time.Hour})
			return errors.Join(err, herr)
		})
		want := map[string]ledger.Balance{
			"L:FUND:FUNDS:100001":      {Posted: money.Micro(77), Held: money.Micro(3), Available: money.Micro(74), Version: 3},
			"L:FUND:FOREXFUNDS:100001": {Posted: money.Micro(5), Available: money.Micro(5), Version: 1},
		}
		s.Same("balances", s.Read(s.DB.Team().Balances(s.T.Context(), 100001)), want)
		s.Same("of nobody", s.Read(s.DB.Team().Balances(s.T.Context(), 100003)), map[string]ledger.Balance{})
	})
}

func TestPurchasesOfAllMembersAreGivenNewestFirst(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		var want []team.Bought
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			want = nil
			p := tree.Place{No: 1, UID: 11, Joined: when(0)}
			if err := s.DB.Tree().Add(ctx, tx, p, tree.Seat{}); err != nil {
				return err
			}
			for i, add := range []tree.Business{{money.Micro(1), money.Micro(20), money.Micro(300)}, {}, {money.Micro(-5)}, {money.Micro(7)}, {tree.Crypto: money.Micro(9)}} {
				if _, err := s.DB.Tree().Change(ctx, tx, p, tree.Change{No: 1, Add: add}, when(i)); err != nil {
					return err
				}
			}
			want = []team.Bought{{No: 1, Amount: money.Micro(9), At: when(4)}, {No: 1, Amount: money.Micro(7), At: when(3)}, {No: 1, Amount: money.Micro(321), At: when(0)}}
			return nil
		})
		for _, c := range []struct{ since, limit, n int }{{0, 10, 3}, {1, 10, 2}, {4, 10, 1}, {5, 10, 0}, {0, 4, 2}, {0, 1, 1}} {
			s.Same("bought", s.Read(s.DB.Team().Bought(s.T.Context(), when(c.since), c.limit)), want[:c.n])
		}
	})
}

func TestUndoneSalesOfSomeMembersAreListed(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		states := []sale.State{sale.Refunded, sale.Cooling, sale.Reversed, sale.Final, sale.Refunded, sale.Refunded}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i, state := range states {
				err = errors.Join(err, s.DB.Sale().Add(ctx, tx, sale.Sale{ID: fmt.Sprint("s", i), No: int64(1 + i/5), Payer: 11, Package: 1, Topup: sale.Upgrade, Amount: money.Micro(int64(10 + i)), Day: 20000, At: when(i), State: state}))
			}
			return err
		})
		of := func(no tree.No, i int) team.Bought {
			return team.Bought{No: no, Amount: money.Micro(int64(10 + i)), At: when(i)}
		}
		read := func(since int, nos ...tree.No) any {
			return s.Read(s.DB.Team().Refunded(s.T.Context(), nos, when(since)))
		}
		s.Same("of one", read(0, 1), []team.Bought{of(1, 0), of(1, 2), of(1, 4)})
		s.Same("of one, later", read(1, 1), []team.Bought{of(1, 2), of(1, 4)})
		s.Same("of two", read(4, 1, 2), []team.Bought{of(1, 4), of(2, 5)})
	})
}

func TestEarnedSumsTheIncomesThatLeftHold(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		earned := func(want ...team.Earned) {
			s.T.Helper()
			got := s.Read(s.DB.Team().Earned(s.T.Context(), 5)).([]team.Earned)
			slices.SortFunc(got, func(a, b team.Earned) int {
				return strings.Compare(fmt.Sprint(a.Kind, a.Line), fmt.Sprint(b.Kind, b.Line))
			})
			s.Same("earned", got, want)
		}
		earned()
		row := func(no int64, kind plan.Kind, earner, paid int64, line, position, source string) closing.Income {
			return closing.Income{Row: no, Day: 20000, Kind: kind, Line: line, Earner: earner, Paid: paid, Position: position, Source: source}
		}
		rows := []closing.Income{
			row(1, plan.KindLevel, 5, 1, "", "", "s1"), row(2, plan.KindLevel, 5, 20, "", "", "s2"), row(3, plan.KindLevel, 6, 300, "", "", "s1"),
			row(4, plan.KindROI, 5, 4000, "FOREX", "p1", "released"), row(5, plan.KindROI, 5, 50000, "FOREX", "p1", "held"),
			row(6, plan.KindROI, 5, 600000, "FOREX", "p2", "held"), row(7, plan.KindROILevel, 5, 7000000, "FOREX", "p1", "released"), row(8, plan.KindROILevel, 5, 80000000, "FOREX", "p1", "held"),
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			books := s.DB.Closing()
			return errors.Join(books.AddIncomes(ctx, tx, len(rows), func(i int) closing.Income { return rows[i] }),
				books.AddBatch(ctx, tx, closing.Batch{ID: "released", Line: "FOREX", N: 1, Day: 20000, Released: 20001}), books.AddBatch(ctx, tx, closing.Batch{ID: "held", Line: "FOREX", N: 2, Day: 20000}),
				s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{{ID: "C-p2", Position: "p2", Line: "FOREX", No: 5, Day: 20002, Amount: money.Micro(1), Net: money.Micro(1)}}))
		})
		want := []team.Earned{{Kind: plan.KindLevel, Amount: money.Micro(21)}, {Kind: plan.KindROI, Line: "FOREX", Amount: money.Micro(4000)}, {Kind: plan.KindROILevel, Line: "FOREX", Amount: money.Micro(7000000)}}
		earned(want...)
		s.Exec("UPDATE claim SET state = 'Claimed', claim_day = 20003")
		want[1].Amount = money.Micro(604000)
		earned(want...)
		// The same with sums of a close.
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return s.DB.Closing().AddSums(ctx, tx, []closing.Sum{{Earner: 5, Kind: plan.KindLevel, First: 1, Last: 2, Rows: 2, Paid: 21}})
		})
		earned(want...)
	})
}

func TestNoticesListRecentEvents(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		const fundRequest = `INSERT INTO fund_request (id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch,
			state, remark, verdict, verdict_at, requested_at, decided_by, decided_name, decided_at) VALUES ($1, $2, 'FUNDS', $3, $4, $5, 0, '', '', '', '', '', $6, 'remark', '', 0, 1, 1, $7, $8)`
		for _, r := range []struct {
			id, uid    int64
			way, state string
			at         int
		}{{1, 7, "BANK", "Approved", 1}, {2, 7, "BANK", "Rejected", 2}, {3, 7, "BANK", "Pending", 0}, {4, 7, "USDT (BEP-20)", "Approved", 4}, {5, 8, "BANK", "Approved", 5}} {
			name, at := "Ann", when(r.at).UnixMicro()
			if r.state == "Pending" {
				name, at = "", 0
			}
			s.Exec(fundRequest, r.id, r.uid, r.id*10, fmt.Sprint("n", r.id), r.way, r.state, name, at)
		}
		const withdrawal = `INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name, second_at,
			remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at)
			VALUES ($1, $2, 'LevelIncome', 'USDT', 12, 2, 10, 'a', $3, 0, 1, 'Ann', $4, $5, '', $6, 'remark', '', $7, 0, $8, $9, 0, $10, $11)`
		at := func(n int) int64 { return when(n).UnixMicro() }
		for i, state := range []string{"Pending", "Approved", "Approved", "Sent", "Confirmed", "Rejected", "Cancelled"} {
			second, secondAt := int64(0), int64(0)
			if i == 2 {
				second, secondAt = 2, at(12)
			}
			s.Exec(withdrawal, int64(i+1), int64(7), state, at(11), second, secondAt, at(13), fmt.Sprint("h", i), at(i), at(14), at(15))
		}
		ticket, unanswered := aTicket(1, 7), aTicket(2, 7)
		unanswered.AnsweredAt = time.Time{}
		addTickets(s, ticket, unanswered, aTicket(3, 8))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			claim := func(id string, no, net int64) invest.Claim {
				return invest.Claim{ID: id, Position: "p" + id, Line: "FOREX", No: no, Day: 20000, Amount: money.Micro(net), Net: money.Micro(net)}
			}
			err := errors.Join(s.DB.Tree().Add(ctx, tx, tree.Place{No: 3, UID: 7, Joined: when(0)}, tree.Seat{}), s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{claim("C-1", 3, 70), claim("C-2", 3, 80), claim("C-3", 4, 90), claim("C-4", 3, 60)}),
				s.DB.Invest().Recall(ctx, tx, "C-2", money.Micro(80)), s.DB.Invest().Done(ctx, tx, "C-4", 20001),
				s.DB.Closing().AddDay(ctx, tx, closing.Closed{Day: 20000, Plan: "p", Digest: "d", At: when(30)}))
			return errors.Join(err, deposit(tx, "L:FUND:FUNDS:8", 100), give(tx, "transfer", "L:FUND:FUNDS:8", "L:FUND:FUNDS:7", 40), give(tx, "transfer", "L:FUND:FUNDS:7", "L:FUND:FUNDS:8", 1), give(tx, "other", "L:FUND:FUNDS:8", "L:FUND:FUNDS:7", 2))
		})
		got := s.Read(s.DB.Notice().Lately(s.T.Context(), 7, 10)).([]notice.Notice)
		var received notice.Notice
		got = slices.DeleteFunc(got, func(n notice.Notice) bool {
			if n.Kind == notice.Received {
				received = n
			}
			return n.Kind == notice.Received
		})
		paid := func(id, state string, at int) notice.Notice {
			return notice.Notice{Kind: notice.Withdrawal, ID: id, State: state, Name: "LevelIncome", Amount: money.Micro(10), Remark: "remark", At: when(at)}
		}
		decided := func(kind notice.Kind, id int64, state string, at int) notice.Notice {
			return notice.Notice{Kind: kind, ID: fmt.Sprint(id), State: state, Name: "FUNDS", Amount: money.Micro(id * 10), Remark: "remark", At: when(at)}
		}
		want := []notice.Notice{
			decided(notice.Bank, 2, "Rejected", 2), decided(notice.Bank, 1, "Approved", 1), decided(notice.USDT, 4, "Approved", 4),
			paid("6", "Rejected", 13), paid("5", "Confirmed", 15), paid("4", "Sent", 14), paid("3", "Approved", 12), paid("2", "Approved", 11),
			{Kind: notice.Answer, ID: "1", At: ticket.AnsweredAt},
			{Kind: notice.Claim, ID: "C-2", State: notice.Ready, Name: "FOREX", Amount: money.Micro(80), At: when(30)},
			{Kind: notice.Claim, ID: "C-1", State: "Pending", Name: "FOREX", Amount: money.Micro(70), At: when(30)},
		}
		s.Same("notices", got, want)
		if received.From != 8 || received.Amount != money.Micro(40) || received.Name != "FUNDS" || received.At.Before(testkit.Epoch) {
			s.T.Errorf("received: %+v", received)
		}
		few := s.Read(s.DB.Notice().Lately(s.T.Context(), 7, 1)).([]notice.Notice)
		if len(few) != 6 || few[0].ID != "2" || few[2].ID != "6" {
			s.T.Errorf("the newest of each kind: %+v", few)
		}
		s.Same("of nobody", s.Read(s.DB.Notice().Lately(s.T.Context(), 9, 10)), got[:0])
	})
}

func TestARestoreEndsWhateverSignsSomebodyIn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		revived := func(want revivedRows) {
			s.T.Helper()
			s.Same("counted", s.Read(s.DB.CountReactivated(ctx)), want)
		}
		revived(revivedRows{})
		addSessions(s, aSession("1", auth.KindMember, 7, 1), aSession("2", auth.KindVisit, 7, 2), aSession("3", auth.KindMember, 7, 3))
		temporary, plain := aCredential(7), aCredential(8)
		plain.Temporary, plain.Reset, plain.TemporaryUntil = "", []byte{}, time.Time{}
		used, open := testkit.Full[auth.TicketRow](1), testkit.Full[auth.TicketRow](2)
		code := testkit.Full[auth.MailedCodeRow](1)
		code.Expires = testkit.Epoch.Add(time.Hour)
		challenge := testkit.Full[auth.ChallengeRow](1)
		challenge.Expires = testkit.Epoch.Add(time.Hour)
		invitation := auth.InvitationRow{Operator: 1, Token: []byte("t"), Until: testkit.Epoch.Add(time.Hour)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := store.EndSession(ctx, tx, auth.KindMember, 7, "3", when(4))
			confirm, undo := testkit.Full[member.EmailLink](1), testkit.Full[member.EmailLink](2)
			confirm.UID, undo.UID, confirm.Purpose, undo.Purpose = 7, 7, member.ToConfirm, member.ToUndo
			return errors.Join(err, store.AddCredential(ctx, tx, temporary), store.AddCredential(ctx, tx, plain), store.AddTicket(ctx, tx, used), store.AddTicket(ctx, tx, open),
				store.UseTicket(ctx, tx, used.ID, when(5)), store.PutMailedCode(ctx, tx, code), store.AddChallenge(ctx, tx, challenge, when(0)), store.PutInvitation(ctx, tx, invitation),
				s.DB.Member().AddEmailLink(ctx, tx, confirm), s.DB.Member().AddEmailLink(ctx, tx, undo), s.DB.Mail().Add(ctx, tx, aMessage(1, 1)))
		})
		revived(revivedRows{Sessions: 2, Codes: 6, Letters: 1}) // code, open ticket, challenge, invitation, temporary password, link
		var now time.Time
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			now = tx.Now().Truncate(time.Microsecond)
			return s.DB.RevokeSignIns(ctx, tx)
		})
		revived(revivedRows{Codes: 3, Letters: 1}) // code, challenge and invitation remain, expired
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			code.Expires, invitation.Until, open.Used, used.Used = now, now, now, when(5)
			s.Same("the code", s.Found(store.MailedCode(ctx, tx, code.UID)), code)
			s.Same("the invitation", s.Found(store.Invitation(ctx, tx, 1)), invitation)
			s.Same("the ticket", s.Found(store.TicketIn(ctx, tx, open.ID)), open)
			s.Same("a ticket that was used", s.Found(store.TicketIn(ctx, tx, used.ID)), used)
			links := s.Read(s.DB.Member().EmailLinks(ctx, tx, 7)).([]member.EmailLink)
			if len(links) != 1 || links[0].Purpose != member.ToUndo {
				s.T.Errorf("links: %+v", links)
			}
			return nil
		})
		temporary.Temporary, temporary.Reset, temporary.TemporaryUntil = "", []byte{}, time.Time{}
		challenge.Expires = now
		s.Same("the credential", s.Found(store.Credential(ctx, 7)), temporary)
		s.Same("another credential", s.Found(store.Credential(ctx, 8)), plain)
		s.Same("the challenge", s.Found(store.Challenge(ctx, challenge.ID)), challenge)
		if at := s.Found(store.Session(ctx, "3")).(auth.Session).Ended; !at.Equal(when(4)) {
			s.T.Errorf("a session that had ended ends at %v", at)
		}
	})
}

type revivedRows = store.Reactivated
