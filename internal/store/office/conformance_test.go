package office_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func addMembers(s *testkit.Stores, all ...member.Member) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, m := range all {
			err = errors.Join(err, s.DB.Member().Add(ctx, tx, m))
		}
		return err
	})
}

// insertWithdrawal has the parameters id, uid, state, hash.
const insertWithdrawal = `INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name, second_at,
	remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at)
	VALUES ($1, $2, 'LevelIncome', 'USDT', 12, 2, 10, 'a', $3, 0, 1, 'Ann', 1, 0, '', 0, '', '', 0, 0, $4, 1, 0, 0, 0)`

// insertFundRequest has the parameters id, uid, number, state, decided_name, decided_at.
const insertFundRequest = `INSERT INTO fund_request (id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch,
	state, remark, verdict, verdict_at, requested_at, decided_by, decided_name, decided_at) VALUES ($1, $2, 'FUNDS', 1, $3, 'BANK', 0, '', '', '', '', '', $4, '', '', 0, 1, 0, $5, $6)`

func TestMembersAreFoundByHowAFieldBegins(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		addMembers(s,
			member.Member{UID: 1, Name: "Ann Bea Cid Dan Eve", LastName: "Zimmer", Email: "Ann@x.org", Mobile: "1234", Wallet: "0xAb", Country: 1},
			member.Member{UID: 2, Name: "anna bert", LastName: "zi", Email: "ann@y.org", Mobile: "1235", Wallet: "0xabc", Country: 2},
			member.Member{UID: 3, Name: "Zoe", Email: "z@x.org", Mobile: "21", Country: 1},
			member.Member{UID: 4, Name: "Ann", Email: "q@x.org", Mobile: "1234", Country: 3},
			member.Member{UID: 5, Name: "An_ Bea", Email: "r@x.org", Mobile: "3", Country: 3})
		for _, c := range []struct {
			by    staff.Field
			text  string
			limit int
			want  []int64
		}{
			{staff.ByName, "ann", 9, []int64{4, 1, 2}},
			{staff.ByName, "ANN", 2, []int64{4, 1}},
			{staff.ByName, "an_", 9, []int64{5}},
			{staff.ByName, "x", 9, nil},
			{staff.ByLastName, "zi", 9, []int64{2, 1}},
			{staff.ByLastName, "", 9, []int64{2, 1}},
			{staff.ByEmail, "ann@", 9, []int64{1, 2}},
			{staff.ByMobile, "123", 9, []int64{1, 4, 2}},
			{staff.ByWallet, "0xAB", 9, []int64{1, 2}},
			{staff.ByWallet, "", 9, []int64{1, 2}},
			{staff.ByWord2, "be", 9, []int64{5, 1, 2}},
			{staff.ByWord3, "cid", 9, []int64{1}},
			{staff.ByWord4, "dan", 9, []int64{1}},
			{staff.ByWord4, "", 9, []int64{1}},
			{staff.ByWord2, "", 9, []int64{5, 1, 2}},
			{staff.ByWord3, "", 9, []int64{1}},
		} {
			s.Same(fmt.Sprint(c.by, " ", c.text), s.Read(store.Begins(ctx, c.by, c.text, c.limit)), c.want)
		}
		if _, err := store.Begins(ctx, staff.ByPayment, "x", 9); err == nil {
			s.T.Error("members are looked up by an unknown field")
		}
		for _, c := range []struct {
			countries []int64
			text      string
			limit     int
			want      []int64
		}{{[]int64{1, 2}, "12", 9, []int64{1, 2}}, {[]int64{1, 2, 3}, "12", 2, []int64{1, 4}}, {[]int64{2}, "1235", 9, []int64{2}}, {[]int64{9}, "1", 9, nil}} {
			s.Same("calls", s.Read(store.Calls(ctx, c.countries, c.text, c.limit)), c.want)
		}
	})
}

func TestMembersAreFoundByAPaymentOrATransfer(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		s.Exec(insertFundRequest, int64(1), int64(100009), "n1", "Pending", "", int64(0))
		s.Exec(insertFundRequest, int64(2), int64(100008), "n1", "Pending", "", int64(0))
		s.Exec(insertFundRequest, int64(3), int64(100007), "n2", "Pending", "", int64(0))
		s.Exec(insertWithdrawal, int64(1), int64(100005), "Sent", "n1")
		s.Exec(insertWithdrawal, int64(2), int64(100004), "Pending", "")
		s.Exec("INSERT INTO payout_tx (hash, batch, withdrawal, n, chain, sender, nonce, raw, by_name, at) VALUES ('n1', 1, 2, 1, 1, 's', 1, $1, 'Ann', 1)", []byte{1})
		s.Same("paid", s.Read(store.Paid(ctx, "n1", 10)), []int64{100004, 100005, 100008, 100009})
		s.Same("paid by another", s.Read(store.Paid(ctx, "n2", 10)), []int64{100007})
		s.Same("paid by none", s.Read(store.Paid(ctx, "x", 10)), []int64{})
		s.Same("paid by numbers that begin so", s.Read(store.Paid(ctx, "n", 10)), []int64{100004, 100005, 100007, 100008, 100009})
		s.Same("two of them", s.Read(store.Paid(ctx, "n", 2)), []int64{100004, 100005})

		leg := func(code string, amount int64) ledger.Leg {
			return ledger.Leg{Account: ledger.MustAccount(code), Delta: money.Micro(amount)}
		}
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			_, err := tx.Post(ledger.Transfer{ID: "both", Kind: "deposit", Reason: "why", Reference: "ref", Legs: []ledger.Leg{leg("A:CLIENT", 12), leg("L:FUND:FUNDS:100002", 5), leg("L:FUND:FOREXFUNDS:100002", 4), leg("L:FUND:FUNDS:100001", 3)}})
			_, again := tx.Post(ledger.Transfer{ID: "again", Kind: "deposit", Effective: when(7), Legs: []ledger.Leg{leg("A:CLIENT", 20), leg("L:FUND:FUNDS:100001", 20)}})
			_, held := tx.PlaceHold(ledger.HoldRequest{Account: ledger.MustAccount("L:FUND:FUNDS:100001"), Amount: money.Micro(2), For: time.Hour, Reason: "hold", Reference: "h"})
			return errors.Join(err, again, held)
		})
		s.Same("in the transfer", s.Read(store.InTransfer(ctx, "both")), []int64{100001, 100002})
		s.Same("in another", s.Read(store.InTransfer(ctx, "unknown")), []int64{})
		line := func(code string, posted, held, version int64) staff.AccountLine {
			return staff.AccountLine{Code: code, Balance: ledger.Balance{Posted: money.Micro(posted), Held: money.Micro(held), Available: money.Micro(posted - held), Version: version}}
		}
		s.Same("accounts", s.Read(store.Accounts(ctx, 100001)), []staff.AccountLine{line("L:FUND:FUNDS:100001", 23, 2, 3)})
		s.Same("accounts by code", s.Read(store.Accounts(ctx, 100002)), []staff.AccountLine{line("L:FUND:FOREXFUNDS:100002", 4, 0, 1), line("L:FUND:FUNDS:100002", 5, 0, 1)})

		entries := func(uid int64, code string, before int64, limit int) []staff.EntryLine {
			got := s.Read(store.Entries(ctx, uid, code, before, limit)).([]staff.EntryLine)
			for i := range got {
				if got[i].At.Before(testkit.Epoch) {
					s.T.Errorf("recorded at %v", got[i].At)
				}
				if got[i].Transfer != "again" && !got[i].Effective.Equal(got[i].At) {
					s.T.Errorf("effective at %v, not %v", got[i].Effective, got[i].At)
				}
				if got[i].At = (time.Time{}); got[i].Transfer != "again" {
					got[i].Effective = time.Time{}
				}
			}
			return got
		}
		micro := money.Micro
		const code = "L:FUND:FUNDS:100001"
		newest := entries(100001, code, 0, 1)
		if len(newest) != 1 || newest[0].Version != 3 || newest[0].Held != micro(2) || newest[0].HeldAfter != micro(2) || newest[0].Delta != micro(0) || newest[0].After != micro(23) || !strings.HasSuffix(newest[0].Reason, "; hold") || newest[0].Ref != "h" {
			s.T.Errorf("the hold: %+v", newest)
		}
		older := []staff.EntryLine{
			{Version: 2, Transfer: "again", Kind: "deposit", Delta: micro(20), After: micro(23), Effective: when(7)},
			{Version: 1, Transfer: "both", Kind: "deposit", Reason: "why", Ref: "ref", Delta: micro(3), After: micro(3)},
		}
		s.Same("before one", entries(100001, code, 3, 9), older)
		s.Same("a page", entries(100001, code, 3, 1), older[:1])
		s.Same("before the first", entries(100001, code, 1, 9), older[:0])
		s.Same("of another member", entries(100002, code, 0, 9), older[:0])
	})
}

func TestNotesAndFlagsAreReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		var notes []staff.Note
		var flags []staff.FlagRow
		for i := int64(1); i <= 6; i++ {
			n, f := testkit.Full[staff.Note](i), testkit.Full[staff.FlagRow](i)
			n.ID, n.UID = i, 7+(i%5)/4 // the fourth is of another member
			f.ID, f.UID, f.Flag, f.Raised = i, n.UID, []staff.Flag{staff.FlagHold, staff.FlagWatch}[i%2], i != 5
			notes, flags = append(notes, n), append(flags, f)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Missing(store.LastHold(ctx, tx, 7))
			for i := range notes {
				n, f := notes[i], flags[i]
				n.ID, f.ID = 0, 0
				id, err := store.AddNote(ctx, tx, n)
				flag, ferr := store.AddFlag(ctx, tx, f)
				if id != notes[i].ID || flag != flags[i].ID || err != nil || ferr != nil {
					return errors.Join(err, ferr, fmt.Errorf("ids %d and %d", id, flag))
				}
			}
			s.Same("flags within the command", s.Read(store.Flags(ctx, tx, 7)), []staff.FlagRow{flags[5]})
			s.Same("flags before the commit", s.Read(store.Flags(ctx, nil, 7)), flags[:0])
			s.Same("the last hold", s.Found(store.LastHold(ctx, tx, 7)), flags[5])
			s.Missing(store.LastHold(ctx, nil, 7))
			return nil
		})
		s.Same("flags", s.Read(store.Flags(ctx, nil, 7)), []staff.FlagRow{flags[5]})
		s.Same("flags of another", s.Read(store.Flags(ctx, nil, 8)), []staff.FlagRow{flags[3]})
		s.Same("the last hold", s.Found(store.LastHold(ctx, nil, 8)), flags[3])
		pick := func(ids []int64) (n []staff.Note, f []staff.FlagRow) {
			for _, id := range ids {
				n, f = append(n, notes[id-1]), append(f, flags[id-1])
			}
			return n, f
		}
		for _, c := range []struct {
			before int64
			limit  int
			want   []int64
		}{{0, 9, []int64{6, 5, 3, 2, 1}}, {0, 2, []int64{6, 5}}, {5, 9, []int64{3, 2, 1}}, {1, 9, nil}} {
			n, f := pick(c.want)
			s.Same("notes", s.Read(store.Notes(ctx, 7, c.before, c.limit)), n)
			s.Same("the history", s.Read(store.FlagHistory(ctx, 7, c.before, c.limit)), f)
		}
	})
}

func TestSimilarMembersAreFoundByTheirSharedData(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		bank := member.Bank{Account: "1", IFSC: "A"}
		addMembers(s, member.Member{UID: 1, Email: "Ann+a@x.org", Mobile: "12", Wallet: "w1", Bank: bank}, member.Member{UID: 2, Email: "ann@x.org", Mobile: "12", Bank: bank}, member.Member{UID: 3, Email: "bea@x.org", Mobile: "123", Bank: member.Bank{Account: "1", IFSC: "B"}},
			member.Member{UID: 4, Email: "cid@x.org", Mobile: "12", Bank: bank}, member.Member{UID: 5})
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i, c := range []struct {
				kind  auth.Kind
				owner int64
				peer  string
			}{{auth.KindMember, 1, "p1"}, {auth.KindMember, 1, "p2"}, {auth.KindMember, 1, "p1"}, {auth.KindMember, 2, "p1"}, {auth.KindVisit, 3, "p1"}, {auth.KindMember, 4, "p1"}, {auth.KindMember, 1, ""}, {auth.KindMember, 2, "p1"}} {
				err = errors.Join(err, s.DB.Auth().AddSession(ctx, tx, auth.Session{ID: fmt.Sprint(i), Kind: c.kind, Owner: c.owner, Peer: c.peer, Created: when(i), Expires: when(99)}))
			}
			return err
		})
		for _, c := range []struct {
			uid         int64
			way         staff.Way
			value, more string
			limit       int
			want        []int64
		}{
			{1, staff.SameMobile, "12", "", 9, []int64{2, 4}},
			{1, staff.SameMobile, "12", "", 1, []int64{2}},
			{9, staff.SameWallet, "w1", "", 9, []int64{1}},
			{1, staff.SameWallet, "w1", "", 9, nil},
			{1, staff.SameWallet, "", "", 9, nil},
			{1, staff.SameEmail, "ann@x.org", "", 9, []int64{2}},
			{1, staff.SameEmail, "", "", 9, nil},
			{1, staff.SameBank, "1", "A", 9, []int64{2, 4}},
			{1, staff.SameBank, "1", "B", 9, []int64{3}},
			{1, staff.SameAddress, "p1", "", 9, []int64{2, 4}},
			{1, staff.SameAddress, "p1", "", 1, []int64{2}},
			{2, staff.SameAddress, "", "", 9, nil},
		} {
			s.Same(fmt.Sprint(c.way, c.value), s.Read(store.Alike(ctx, c.uid, c.way, c.value, c.more, c.limit)), c.want)
		}
		if _, err := store.Alike(ctx, 1, "unknown", "x", "", 9); err == nil {
			s.T.Error("members are alike by an unknown way")
		}
		s.Same("addresses", s.Read(store.Peers(ctx, 1, 9)), []string{"p1", "p2"})
		s.Same("the latest", s.Read(store.Peers(ctx, 1, 1)), []string{"p1"})
		s.Same("of nobody", s.Read(store.Peers(ctx, 3, 9)), []string{})
	})
}

func TestObstaclesAndCountsAreOfOneMember(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(s.DB.Tree().Add(ctx, tx, tree.Place{No: 1, UID: 100001, Joined: when(0)}, tree.Seat{}), s.DB.Tree().Add(ctx, tx, tree.Place{No: 2, UID: 100002, Sponsor: 1, Joined: when(0)}, tree.Seat{}))
			for no := int64(1); no <= 2; no++ {
				for i, state := range []sale.State{sale.Cooling, sale.Final, sale.Refunded, sale.Cooling} {
					err = errors.Join(err, s.DB.Sale().Add(ctx, tx, sale.Sale{ID: fmt.Sprint("s", no, i), No: no, Topup: sale.Activation, Amount: money.Micro(1), State: state}))
				}
				for i, state := range []invest.State{invest.Open, invest.Matured, invest.Claimed} {
					err = errors.Join(err, s.DB.Invest().Add(ctx, tx, invest.Position{ID: fmt.Sprint("p", no, i), Line: "FOREX", No: no, Principal: money.Micro(1), State: state}))
				}
				err = errors.Join(err, s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{{ID: fmt.Sprint("c", no), No: no}, {ID: fmt.Sprint("d", no), No: no}}), s.DB.Invest().Done(ctx, tx, fmt.Sprint("d", no), 1))
				for i, status := range []support.Status{support.Open, support.Open, support.Replied, support.Closed, support.Open} {
					err = errors.Join(err, s.DB.Support().Add(ctx, tx, support.Ticket{ID: no*10 + int64(i), UID: 100000 + no, Kind: support.KindQuery, Status: status}))
				}
			}
			_, noted := store.AddNote(ctx, tx, staff.Note{UID: 100001, Text: "t"})
			a := money.Micro(8)
			_, posted := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{{Account: ledger.MustAccount("A:CLIENT"), Delta: a}, {Account: ledger.MustAccount("L:FUND:FUNDS:100001"), Delta: a}}})
			return errors.Join(err, noted, posted, s.DB.Closing().Keep(ctx, tx, []closing.Carried{{No: 1, Debt: 3}, {No: 2}}))
		})
		for i, state := range []string{"Pending", "Approved", "Sent", "Confirmed", "Rejected", "Cancelled"} {
			s.Exec(insertWithdrawal, int64(i+1), int64(100001), state, fmt.Sprint("h", i))
		}
		s.Exec(insertFundRequest, int64(1), int64(100001), "n1", "Pending", "", int64(0))
		s.Exec(insertFundRequest, int64(2), int64(100001), "n2", "Rejected", "Ann", int64(1))
		const correction = `INSERT INTO correction (id, uid, wallet, direction, into_wallet, amount, against, reason, corrects, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at, answer, alone)
			VALUES ($1, 100001, 'FUNDS', 'credit', '', 1, 'company', 'r', '', 1, 'Ann', 1, 'waiting', 0, '', 0, '', '')`
		s.Exec(correction, int64(1))
		s.Exec(correction, int64(2))
		s.Exec("UPDATE correction SET state = 'refused', decided_by = 2, decided_name = 'Bea', decided_at = 1 WHERE id = 2")
		want := staff.Obstacles{
			Withdrawals: 3, Positions: 2, Claims: 1, Requests: 1, Cooling: 2, Debt: 1, Tickets: 3, Corrections: 1,
			Balances: []staff.AccountLine{{Code: "L:FUND:FUNDS:100001", Balance: ledger.Balance{Posted: money.Micro(8)}}},
		}
		s.Same("outside of a command", s.Read(store.Obstacles(ctx, nil, 100001)), want)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("within one", s.Read(store.Obstacles(ctx, tx, 100001)), want)
			return nil
		})
		s.Same("of another member", s.Read(store.Obstacles(ctx, nil, 100002)), staff.Obstacles{Positions: 2, Claims: 1, Cooling: 2, Tickets: 3})
		s.Same("counts", s.Read(store.Counts(ctx, 100001, 1)), staff.Counts{Sales: 4, Positions: 3, Claims: 2, Tickets: 5, OpenTickets: 3, Notes: 1})
		s.Same("counts of nobody", s.Read(store.Counts(ctx, 9, 9)), staff.Counts{})
	})
}

func TestErasureReplacesAMembersTexts(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		ticket := func(id, uid int64, reply string) support.Ticket {
			return support.Ticket{ID: id, UID: uid, Kind: support.KindQuery, Status: support.Replied, Query: "why", Reply: reply, CreatedAt: when(1), Acts: 1}
		}
		mine, bare, other := ticket(1, 7, "because"), ticket(2, 7, ""), ticket(3, 8, "because")
		letter := func(to string, about int64) mail.Message {
			return mail.Message{To: to, Subject: "s", Text: "t", About: about, CreatedAt: when(1), DueAt: when(1)}
		}
		addMembers(s, member.Member{UID: 7, Email: "me@x", ErasedAt: when(1)}, member.Member{UID: 8, Email: "Shared@x"})
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i, x := range []support.Ticket{mine, bare, other} {
				before := x
				before.Acts = 0
				err = errors.Join(err, s.DB.Support().Add(ctx, tx, before), s.DB.Support().Save(ctx, tx, x, support.Act{Ticket: x.ID, No: 1, Kind: support.ActClose, Text: []string{"text", "", "text"}[i]}))
			}
			for _, uid := range []int64{7, 8} {
				_, noted := store.AddNote(ctx, tx, staff.Note{UID: uid, Text: "note"})
				err = errors.Join(err, noted, s.DB.Member().AddFormerEmail(ctx, tx, uid, "old@x", true, when(1)))
			}
			_, operator := s.DB.Auth().AddOperator(ctx, tx, auth.OperatorRow{Operator: auth.Operator{Email: "op@x"}})
			for i, m := range []mail.Message{letter("me@x", 0), letter("me@x", 7), letter("me@x", 8), letter("shared@x", 0), letter("op@x", 0), letter("any@x", 7)} {
				_ = i
				err = errors.Join(err, s.DB.Mail().Add(ctx, tx, m))
			}
			for i, email := range []string{"me@x", "shared@x", "another@x"} {
				_, put := s.DB.Newsletter().Put(ctx, tx, newsletter.Subscription{Email: email, State: newsletter.Asked, Token: []byte{byte(i)}})
				err = errors.Join(err, put)
			}
			return errors.Join(err, operator)
		})
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return store.EraseTexts(ctx, tx, 7, []string{"me@x", "shared@x", "op@x", ""})
		})
		const erased = "[erased]"
		mine.Query, mine.Reply, bare.Query = erased, erased, erased
		for i, want := range []support.Ticket{mine, bare, other} {
			got, acts, found, err := s.DB.Support().Thread(ctx, want.ID)
			s.Same("a ticket", s.Found(got, found, err), want)
			if len(acts) != 1 || acts[0].Text != []string{erased, "", "text"}[i] {
				s.T.Errorf("its acts: %+v", acts)
			}
		}
		for uid, text := range map[int64]string{7: erased, 8: "note"} {
			notes := s.Read(store.Notes(ctx, uid, 0, 9)).([]staff.Note)
			if len(notes) != 1 || notes[0].Text != text {
				s.T.Errorf("notes about %d: %+v", uid, notes)
			}
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("former addresses", s.Read(store.Emails(ctx, tx, 7)), []string{})
			s.Same("of another member", s.Read(store.Emails(ctx, tx, 8)), []string{"old@x"})
			s.Missing(s.DB.Newsletter().ByEmail(ctx, tx, "me@x"))
			s.Found(s.DB.Newsletter().ByEmail(ctx, tx, "shared@x"))
			s.Found(s.DB.Newsletter().ByEmail(ctx, tx, "another@x"))
			return nil
		})
		var to []string
		for _, m := range s.Read(s.DB.Mail().Recent(ctx, 9)).([]mail.Message) {
			to = append(to, m.To+" "+string(m.State)+" "+m.Text)
		}
		s.Same("letters", to, []string{erased + " failed ", "op@x waiting t", "shared@x waiting t", "me@x waiting t", erased + " failed ", erased + " failed "})
		s.Read(nil, errors.Join(s.DB.CheckWords(ctx), s.DB.CheckLists(ctx)))
	})
}
