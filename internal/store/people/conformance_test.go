package people_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// when is a time n microseconds after the clocks of tests start.
func when(n int) time.Time { return testkit.Epoch.Add(time.Duration(n) * time.Microsecond) }

func aMember(uid int64) member.Member {
	m := testkit.Full[member.Member](uid)
	m.UID = uid
	return m
}

func TestAMemberIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, unknown := s.DB.Member(), int64(999_999)
		m, other := aMember(100001), aMember(100002)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Missing(members.Verified(ctx, tx, unknown))
			if err := errors.Join(members.Add(ctx, tx, m), members.Add(ctx, tx, other)); err != nil {
				return err
			}
			s.Same("within the command", s.Found(members.GetIn(ctx, tx, m.UID)), m)
			s.Missing(members.Get(ctx, m.UID))
			return nil
		})
		ctx := s.T.Context()
		s.Same("after it", s.Found(members.Get(ctx, m.UID)), m)

		changed := testkit.Full[member.Member](7)
		changed.UID, changed.JoinedAt, changed.ErasedAt = m.UID, m.JoinedAt, time.Time{}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return members.Save(ctx, tx, changed) })
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("verified", s.Found(members.Verified(ctx, tx, m.UID)), changed)
			s.Same("the other member", s.Found(members.GetIn(ctx, tx, other.UID)), other)
			s.Missing(members.Verified(ctx, tx, unknown))
			s.Missing(members.GetIn(ctx, tx, unknown))
			return nil
		})
		s.Missing(members.Get(ctx, unknown))

		salt := func(uid int64) string {
			var salt []byte
			s.Read(nil, testkit.Raw(s.T, s.DSN).QueryRow("SELECT salt FROM member WHERE uid = $1", uid).Scan(&salt))
			return string(salt)
		}
		before := salt(m.UID)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return members.Save(ctx, tx, changed) })
		if after := salt(m.UID); len(before) != 16 || before != after {
			s.T.Errorf("the salt changes from %x to %x", before, after)
		}
		erased := member.Member{UID: m.UID, Name: member.ErasedName, JoinedAt: m.JoinedAt, ErasedAt: when(9)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return members.Save(ctx, tx, erased) })
		s.Same("erased", s.Found(members.Get(ctx, m.UID)), erased)
		if salt(m.UID) != "" || salt(other.UID) != "" {
			s.T.Error("an erased member keeps the salt")
		}
	})
}

func TestAMemberIsSavedOnceAndOnlyAsTheChainRecordsIt(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, m, other := s.DB.Member(), aMember(100001), aMember(100002)
		add := func(m member.Member) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return members.Add(ctx, tx, m) })
		}
		save := func(m member.Member) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return members.Save(ctx, tx, m) })
		}
		s.Read(nil, errors.Join(add(m), add(other)))
		s.Duplicate("the same id again", add(m))
		same := aMember(100003)
		same.Wallet = m.Wallet
		s.Duplicate("the wallet of another member", add(same))
		s.Missing(members.Get(s.T.Context(), same.UID))
		stolen := other
		stolen.Wallet = m.Wallet
		s.Duplicate("the wallet of another member, later", save(stolen))
		s.Same("after the errors", s.Found(members.Get(s.T.Context(), other.UID)), other)
		none, alsoNone := aMember(100004), aMember(100005)
		none.Wallet, alsoNone.Wallet = "", ""
		s.Read(nil, errors.Join(add(none), add(alsoNone)))
		later := m
		later.JoinedAt = when(1)
		if save(later) == nil {
			s.T.Error("the time of joining changes")
		}
		if save(aMember(999_999)) == nil {
			s.T.Error("an unknown member is saved")
		}
		s.Exec("UPDATE member SET name = 'somebody else' WHERE uid = $1", m.UID)
		s.Tampered("a changed row is saved", save(m))
		s.Tampered("a changed row is verified", s.Try(func(ctx context.Context, tx *ledger.Tx) error {
			_, _, err := members.Verified(ctx, tx, m.UID)
			return err
		}))
	})
}

func TestBankDetailsAreSealedInTheirRow(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, m, other := s.DB.Member(), aMember(100001), aMember(100002)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(members.Add(ctx, tx, m), members.Add(ctx, tx, other))
		})
		s.Read(nil, s.DB.CheckSealed(s.T.Context()))
		s.Exec("UPDATE member SET bank_account = (SELECT o.bank_account FROM member o WHERE o.uid = 100001) WHERE uid = 100002")
		read := s.Found(members.Get(s.T.Context(), other.UID)).(member.Member)
		if read.Bank.Account != "" || read.Bank.IFSC != other.Bank.IFSC {
			s.T.Errorf("bank details of another row are read as %+v", read.Bank)
		}
		if err := s.DB.CheckSealed(s.T.Context()); err == nil {
			s.T.Error("moved bank details are not found")
		}
	})
}

func TestCardsAndWalletsAreThoseOfTheMembersAskedFor(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, ctx := s.DB.Member(), s.T.Context()
		var uids []int64
		var want []member.Card
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			uids, want = nil, nil
			for uid := int64(100001); uid <= 100600; uid++ {
				m := aMember(uid)
				uids, err = append(uids, uid), errors.Join(err, members.Add(ctx, tx, m))
				want = append(want, member.Card{UID: uid, Name: m.Name + " " + m.LastName, Mobile: m.Mobile, Email: m.Email, JoinedAt: m.JoinedAt, ActivatedAt: m.ActivatedAt, BlockedAt: m.BlockedAt})
			}
			s.Same("cards before the commit", s.Read(members.Cards(ctx, uids[:3])), []member.Card{})
			return err
		})
		sorted := func(all []member.Card, err error) any {
			slices.SortFunc(all, func(a, b member.Card) int { return cmp.Compare(a.UID, b.UID) })
			return s.Read(all, err)
		}
		for _, n := range []int{0, 1, 2, 3, 512, 513, 600} {
			s.Same("cards", sorted(members.Cards(ctx, uids[:n])), want[:n])
		}
		s.Same("cards of unknown members", sorted(members.Cards(ctx, []int64{1, 100002})), want[1:2])

		wallet := aMember(100001).Wallet
		paying := withdrawal.Withdrawal{ID: 1, UID: 100600, Wallet: "LevelIncome", Type: "USDT", Address: "paid here", Amount: money.Micro(1), Net: money.Micro(1), RequestedAt: testkit.Epoch, First: withdrawal.Approval{Operator: 1, Name: "Ann", At: testkit.Epoch}}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("cards within a command", sorted(members.CardsIn(ctx, tx, uids[:2])), want[:2])
			if _, err := tx.Rows().(testkit.Rows).Exec(ctx, "UPDATE member SET wallet = '' WHERE uid IN (100003, 100004)"); err != nil {
				return err
			}
			for _, state := range []withdrawal.State{withdrawal.Pending, withdrawal.Approved, withdrawal.Sent, withdrawal.Confirmed, withdrawal.Rejected} {
				paying.State, paying.Hash = state, fmt.Sprint("hash ", paying.ID)
				if err := s.DB.Withdrawal().Add(ctx, tx, paying); err != nil {
					return err
				}
				taken, err := members.WalletTaken(ctx, tx, 100001, "paid here")
				if open := state == withdrawal.Pending || state == withdrawal.Approved || state == withdrawal.Sent; taken != open || err != nil {
					s.T.Errorf("a %s withdrawal: the wallet is taken: %v, %v", state, taken, err)
				}
				if taken, err = members.WalletTaken(ctx, tx, 100600, "paid here"); taken || err != nil {
					s.T.Errorf("a withdrawal of the same member: %v, %v", taken, err)
				}
				paying.ID++
				if _, err := tx.Rows().(testkit.Rows).Exec(ctx, "UPDATE withdrawal SET address = 'elsewhere'"); err != nil {
					return err
				}
			}
			for _, c := range []struct {
				uid    int64
				wallet member.Wallet
				taken  bool
			}{{100001, wallet, false}, {100002, wallet, true}, {100002, "unknown", false}, {100003, "", false}} {
				if taken, err := members.WalletTaken(ctx, tx, c.uid, c.wallet); taken != c.taken || err != nil {
					s.T.Errorf("%+v: %v, %v", c, taken, err)
				}
			}
			return nil
		})
		s.Same("with the wallet", s.Read(members.WithWallet(ctx, wallet)), []int64{100001})
		s.Same("with no wallet", s.Read(members.WithWallet(ctx, "")), []int64{})
	})
}

func TestFormerAddressesStayConfirmed(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, staff := s.DB.Member(), s.DB.Office()
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(
				members.AddFormerEmail(ctx, tx, 1, "confirmed@x", true, when(1)), members.AddFormerEmail(ctx, tx, 1, "confirmed@x", false, when(2)),
				members.AddFormerEmail(ctx, tx, 1, "later@x", false, when(1)), members.AddFormerEmail(ctx, tx, 1, "later@x", true, when(3)),
				members.AddFormerEmail(ctx, tx, 1, "never@x", false, when(1)), members.AddFormerEmail(ctx, tx, 2, "another@x", true, when(1)))
		})
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			got := s.Read(staff.Emails(ctx, tx, 1)).([]string)
			slices.Sort(got)
			s.Same("confirmed addresses", got, []string{"confirmed@x", "later@x"})
			return nil
		})
		for email, until := range map[string]time.Time{"confirmed@x": when(1), "later@x": when(3)} {
			var at int64
			if err := testkit.Raw(s.T, s.DSN).QueryRow("SELECT until FROM member_email WHERE uid = 1 AND email = $1", email).Scan(&at); err != nil || at != until.UnixMicro() {
				s.T.Errorf("%s until %d, %v", email, at, err)
			}
		}
	})
}

func TestEmailLinksAreListedNewestFirst(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, ctx := s.DB.Member(), s.T.Context()
		link := func(seed int64, uid int64, made int) member.EmailLink {
			l := testkit.Full[member.EmailLink](seed)
			l.UID, l.Made, l.Purpose = uid, when(made), member.LinkPurpose([]string{"confirm", "undo"}[seed%2])
			return l
		}
		old, tie, tieToo, newest, other := link(1, 1, 1), link(2, 1, 2), link(3, 1, 2), link(4, 1, 3), link(5, 2, 9)
		want := []member.EmailLink{newest, tie, tieToo, old}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, l := range []member.EmailLink{tieToo, old, newest, other, tie} {
				err = errors.Join(err, members.AddEmailLink(ctx, tx, l))
			}
			s.Same("within the command", s.Read(members.EmailLinks(ctx, tx, 1)), want)
			s.Same("before the commit", s.Read(members.EmailLinks(ctx, nil, 1)), want[:0])
			return err
		})
		s.Same("after it", s.Read(members.EmailLinks(ctx, nil, 1)), want)
		s.Duplicate("the same link", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return members.AddEmailLink(ctx, tx, old) }))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return members.DropEmailLink(ctx, tx, tie) })
		s.Same("one is dropped", s.Read(members.EmailLinks(ctx, nil, 1)), []member.EmailLink{newest, tieToo, old})
		s.Same("of another member", s.Read(members.EmailLinks(ctx, nil, 2)), []member.EmailLink{other})
		s.Same("of nobody", s.Read(members.EmailLinks(ctx, nil, 3)), want[:0])
	})
}

func TestASettingIsAddedOnce(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		members, ctx := s.DB.Member(), s.T.Context()
		add := func(ctx context.Context, tx *ledger.Tx) error {
			return members.AddSetting(ctx, tx, "name", []byte{0, 1})
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Missing(members.Setting(ctx, tx, "name"))
			if err := add(ctx, tx); err != nil {
				return err
			}
			s.Same("within the command", s.Found(members.Setting(ctx, tx, "name")), []byte{0, 1})
			s.Missing(s.DB.Setting(ctx, "name"))
			return nil
		})
		s.Same("after it", s.Found(s.DB.Setting(ctx, "name")), []byte{0, 1})
		s.Missing(s.DB.Setting(ctx, "other"))
		s.Duplicate("again", s.Try(add))
	})
}

func TestARegistrationIsFoundByItsRequest(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, none := s.DB.Enrol(), time.UnixMicro(0).UTC()
		is := func(tx *ledger.Tx, request string, uid int64, at time.Time) {
			got, when, err := store.Enrolled(s.T.Context(), tx, []byte(request))
			if got != uid || !when.Equal(at) || err != nil {
				s.T.Errorf("%s: %d at %v, %v", request, got, when, err)
			}
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			is(tx, "a", 0, none)
			err := errors.Join(store.Enrol(ctx, tx, []byte("a"), 7, when(1)), store.Enrol(ctx, tx, []byte("b"), 8, when(2)), store.Enrol(ctx, tx, []byte("a"), 9, when(3)))
			is(tx, "a", 9, when(3))
			return errors.Join(err, store.Decoy(ctx, tx, []byte("one")), store.Decoy(ctx, tx, []byte("two")))
		})
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			is(tx, "a", 9, when(3))
			is(tx, "b", 8, when(2))
			return nil
		})
		s.Same("the decoy", s.Found(s.DB.Setting(s.T.Context(), "decoy")), []byte("two"))
	})
}

func TestEveryPlaceIsGivenWithItsRegistration(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Enrol(), s.T.Context()
		answer := func(actor, text string) {
			if _, err := s.Do(ctx, ledger.Command{Actor: actor, Key: text, Run: func(context.Context, *ledger.Tx) ([]byte, error) { return []byte(text), nil }}); err != nil {
				s.T.Fatal(err)
			}
		}
		first, customer := `{"uid":11,"no":1}`, `{"uid":12,"no":2,"sponsor":11}`
		answer(enrol.Actor, first)
		answer("operator:1", customer)
		answer("operator:1", `{"uid":12,"no":2}`) // a later answer that names the same member
		answer("somebody", `{"uid":13,"no":3}`)
		answer(enrol.Actor, `{"other":1}`)
		joined := func(no tree.No, uid int64) tree.Place {
			return tree.Place{No: no, UID: uid, Sponsor: no - 1, Joined: when(int(no))}
		}
		person := aMember(11)
		credential := aCredential(12)
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			left := joined(3, 13)
			left.Sponsor, left.Parent, left.Side = 1, 1, tree.Left
			for _, p := range []tree.Place{joined(1, 11), joined(2, 12)} {
				err = errors.Join(err, s.DB.Tree().Add(ctx, tx, p, tree.Seat{}))
			}
			return errors.Join(err, s.DB.Tree().Add(ctx, tx, left, tree.Seat{Sponsor: 1, Parent: 1, LeftTop: 1, RightTop: 1}),
				s.DB.Member().Add(ctx, tx, person), s.DB.Member().Add(ctx, tx, aMember(21)), s.DB.Member().Add(ctx, tx, aMember(22)),
				s.DB.Auth().AddCredential(ctx, tx, credential), s.DB.Auth().AddCredential(ctx, tx, aCredential(23)))
		})
		at := func(no int) int64 { return when(no).UnixMicro() }
		want := []enrol.Registered{
			{Joined: enrol.Joined{UID: 11, No: 1}, Answer: []byte(first), JoinedAt: at(1), PersonAt: person.JoinedAt.UnixMicro(), Person: true},
			{Joined: enrol.Joined{UID: 12, No: 2, Sponsor: 1}, Answer: []byte(customer), JoinedAt: at(2), Credential: true},
			{Joined: enrol.Joined{UID: 13, No: 3, Sponsor: 1, Parent: 1, Side: 1}, JoinedAt: at(3)},
		}
		var got []enrol.Registered
		s.Read(nil, store.Registered(ctx, func(r enrol.Registered) error {
			got = append(got, r)
			return nil
		}))
		s.Same("registrations", got, want)
		stop := errors.New("stop")
		if err := store.Registered(ctx, func(enrol.Registered) error { return stop }); !errors.Is(err, stop) {
			s.T.Errorf("an error of the caller: %v", err)
		}
		if n, err := store.Strays(ctx); n != 3 || err != nil {
			s.T.Errorf("%d rows have no place, %v", n, err)
		}
	})
}
