package office_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func TestAPersonalExportHasEveryKindOfData(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Office(), s.T.Context()
		m, other := testkit.Full[member.Member](1), testkit.Full[member.Member](2)
		m.UID, other.UID = 100001, 100002
		addMembers(s, m, other)
		const notes = 2001 // three pages
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i := range notes {
				_, noted := store.AddNote(ctx, tx, staff.Note{UID: m.UID, Name: "Ann", Text: fmt.Sprint("note ", i), At: when(i)})
				err = errors.Join(err, noted)
			}
			_, noted := store.AddNote(ctx, tx, staff.Note{UID: other.UID, Text: "of another"})
			a := money.Micro(7)
			_, posted := tx.Post(ledger.Transfer{ID: "t", Kind: "deposit", Legs: []ledger.Leg{{Account: ledger.MustAccount("A:CLIENT"), Delta: a}, {Account: ledger.MustAccount("L:FUND:FUNDS:100001"), Delta: a}}})
			return errors.Join(err, noted, posted, s.DB.Tree().Add(ctx, tx, tree.Place{No: 1, UID: m.UID, Joined: when(1)}, tree.Seat{}),
				s.DB.Tree().Add(ctx, tx, tree.Place{No: 2, UID: other.UID, Sponsor: 1, Parent: 1, Side: tree.Left, Joined: when(2)}, tree.Seat{Parent: 1, LeftTop: 1, RightTop: 1}),
				s.DB.Sale().Add(ctx, tx, sale.Sale{ID: "s", No: 1, Package: 3, Topup: sale.Activation, Amount: money.Micro(5), Day: 20000, At: when(3), State: sale.Final}))
		})
		type row = map[string]string
		export := func(uid int64, full bool) (kinds []string, rows map[string][]row) {
			rows = map[string][]row{}
			s.Read(nil, store.Personal(ctx, uid, full, func(kind string) error {
				kinds = append(kinds, kind)
				return nil
			}, func(fields []staff.PersonalField) error {
				r := row{}
				for _, f := range fields {
					r[f.Name] = f.Value
				}
				kind := kinds[len(kinds)-1]
				rows[kind] = append(rows[kind], r)
				return nil
			}))
			return kinds, rows
		}
		kinds, rows := export(m.UID, true)
		s.Same("kinds", kinds, []string{
			"profile", "former-emails", "place", "sessions", "second-factor", "passkeys", "tickets", "mails", "newsletter", "purchases", "positions", "claims",
			"fund-requests", "withdrawals", "corrections", "flags", "notes", "record", "incomes", "statements",
		})
		at := func(n int) string { return when(n).Format("2006-01-02T15:04:05.999999Z") }
		const stamp = "2006-01-02T15:04:05.999999Z"
		profile := func(m member.Member, b member.Bank) row {
			return row{
				"userId": fmt.Sprint(m.UID), "name": m.Name, "lastName": m.LastName, "father": m.Father, "email": m.Email, "mobile": m.Mobile, "country": fmt.Sprint(m.Country), "birthday": m.Birthday,
				"gender": m.Gender, "address": m.Address, "about": m.About, "nominee": m.Nominee, "nomineeRelation": m.NomineeRelation, "wallet": string(m.Wallet),
				"bankHolder": b.Holder, "bankAccount": b.Account, "bankIFSC": b.IFSC, "bankName": b.Name, "bankBranch": b.Branch, "pan": b.PAN, "aadhar": b.Aadhar,
				"joined": m.JoinedAt.Format(stamp), "activated": m.ActivatedAt.Format(stamp), "emailChanged": m.EmailAt.Format(stamp), "walletChanged": m.WalletAt.Format(stamp),
				"blocked": m.BlockedAt.Format(stamp), "blockedWhy": m.BlockedWhy, "erased": m.ErasedAt.Format(stamp),
			}
		}
		s.Same("the profile", rows["profile"], []row{profile(m, m.Bank)})
		s.Same("the place", rows["place"], []row{{"number": "1", "sponsor": "0", "parent": "0", "side": "0", "joined": at(1), "active": "0", "robot": money.Micro(0).String(), "forex": money.Micro(0).String(), "crypto": money.Micro(0).String()}})
		s.Same("purchases", rows["purchases"], []row{{"id": "s", "package": "3", "topup": "Activation", "amount": money.Micro(5).String(), "state": "final", "day": "2024-10-04", "at": at(3)}})
		if all := rows["notes"]; len(all) != notes || all[0]["text"] != "note 0" || all[notes-1]["text"] != fmt.Sprint("note ", notes-1) || all[1000]["text"] != "note 1000" {
			s.T.Errorf("%d notes", len(all))
		}
		if all := rows["statements"]; len(all) != 1 || all[0]["account"] != "L:FUND:FUNDS:100001" || all[0]["amount"] != money.Micro(7).String() || all[0]["transfer"] != "t" {
			s.T.Errorf("statements: %v", all)
		}
		_, masked := export(m.UID, false)
		s.Same("masked", masked["profile"], []row{profile(m, m.Bank.Masked())})
		_, theirs := export(other.UID, true)
		s.Same("the place below", theirs["place"][0]["parent"], "100001")
		s.Same("the sponsor", theirs["place"][0]["sponsor"], "100001")
		if len(theirs["notes"]) != 1 || len(theirs["purchases"]) != 0 || len(theirs["statements"]) != 0 {
			s.T.Errorf("of another member: %v", theirs)
		}
		nobody, none := export(999_999, true)
		if !slices.Equal(nobody, kinds) || len(none) != 0 {
			s.T.Errorf("of nobody: %v", none)
		}
		stop := errors.New("stop")
		if err := store.Personal(ctx, m.UID, true, func(string) error { return stop }, nil); !errors.Is(err, stop) {
			s.T.Errorf("an error of the caller: %v", err)
		}
	})
}
