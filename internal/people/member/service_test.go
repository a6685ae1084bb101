package member_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// house is a service on a running ledger.
type house struct {
	*member.Service
	l *testkit.Ledger
}

func newHouse(t *testing.T, dsn string) house {
	t.Helper()
	l := testkit.StartLedger(t, dsn)
	return house{member.New(member.Options{Store: l.DB.Member(), Secret: []byte("a secret of the tests")}), l}
}

// do runs fn as one command.
func (h house) do(fn func(ctx context.Context, tx *ledger.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := h.l.Do(ctx, ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, fn(ctx, tx)
	}})
	return err
}

func (h house) add(t *testing.T, members ...member.Member) {
	t.Helper()
	err := h.do(func(ctx context.Context, tx *ledger.Tx) error {
		for _, m := range members {
			if err := h.Add(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (h house) get(t *testing.T, uid int64) member.Member {
	t.Helper()
	m, ok, err := h.Get(context.Background(), uid)
	if err != nil || !ok {
		t.Fatalf("member %d: %v, %v", uid, ok, err)
	}
	return m
}

func wantCode(t *testing.T, err error, code errs.Kind) {
	t.Helper()
	if !errs.Is(err, code) {
		t.Errorf("error %v, want one of code %s", err, code)
	}
}

var (
	joined = time.Date(2026, 11, 1, 9, 0, 0, 123_000, time.UTC)
	later  = joined.Add(24 * time.Hour)
	latest = joined.Add(48 * time.Hour)
)

func newcomer(uid int64) member.Member {
	return member.Member{UID: uid, Name: "Asha Rao", Email: "asha@example.com", Mobile: "9876543210", Country: 99, JoinedAt: joined}
}

// whole is a member with something in every column.
func whole(uid int64) member.Member {
	return member.Member{
		UID: uid, Name: "Asha", LastName: "Kulkarni", Father: "Ravi", Email: "asha@example.com", Mobile: "9876543210", Country: 99,
		Birthday: "1990-02-28", Gender: "Female", Address: "12 Lake Road\nPune", About: "नमस्ते", Nominee: "Ravi", NomineeRelation: "Father",
		Wallet:   member.Wallet(eip55[4]),
		Bank:     member.Bank{Holder: "Asha K", Account: "001", IFSC: "HDFC0000001", Name: "HDFC", Branch: "Pune", PAN: "ABCDE1234F", Aadhar: goodAadhar},
		JoinedAt: joined, ActivatedAt: joined.Add(1 * time.Microsecond), EmailAt: joined.Add(2 * time.Microsecond),
		WalletAt: joined.Add(3 * time.Microsecond), BlockedAt: joined.Add(4 * time.Microsecond), BlockedWhy: "fraud",
	}
}

func TestAMemberIsReadAsWritten(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		for _, want := range []member.Member{whole(123456), newcomer(9_999_999_999)} {
			h.add(t, want)
			if got := h.get(t, want.UID); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			err := h.do(func(ctx context.Context, tx *ledger.Tx) error {
				got, ok, err := h.GetIn(ctx, tx, want.UID)
				if err == nil && (!ok || got != want) {
					t.Errorf("within a command: %+v, want %+v", got, want)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
		if m, ok, err := h.Get(context.Background(), 654321); ok || err != nil {
			t.Errorf("a stranger is %+v, %v", m, err)
		}
	})
}

func TestAnIDIsGivenToOneMemberOnly(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		h.add(t, newcomer(123456))
		err := h.do(func(ctx context.Context, tx *ledger.Tx) error {
			other := newcomer(123456)
			other.Name = "Somebody Else"
			return h.Add(ctx, tx, other)
		})
		wantCode(t, err, errs.Conflict)
		if got := h.get(t, 123456); got != newcomer(123456) {
			t.Errorf("%+v, want the first member unchanged", got)
		}
		h.add(t, newcomer(123457)) // the ledger goes on
	})
}

func TestCardsComeForAnyNumberOfIDs(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		var members []member.Member
		for i := range int64(1100) {
			m := newcomer(200_000 + i)
			m.Name = fmt.Sprintf("Member %d", i)
			if i%2 == 0 {
				m.ActivatedAt = later
			}
			if i%3 == 0 {
				m.BlockedAt = latest
			}
			members = append(members, m)
		}
		h.add(t, members...)
		for _, n := range []int{0, 1, 2, 3, 5, 511, 512, 513, 1024, 1100} {
			var uids []int64
			for _, m := range members[:n] {
				uids = append(uids, m.UID)
			}
			uids = append(uids, 999_999) // a stranger
			cards, err := h.Cards(context.Background(), append(uids, uids...))
			if err != nil || len(cards) != n {
				t.Fatalf("%d cards, %v, want %d", len(cards), err, n)
			}
			for _, m := range members[:n] {
				want := member.Card{UID: m.UID, Name: m.Name, Mobile: m.Mobile, Email: m.Email, JoinedAt: m.JoinedAt, ActivatedAt: m.ActivatedAt, BlockedAt: m.BlockedAt}
				if cards[m.UID] != want {
					t.Fatalf("%+v, want %+v", cards[m.UID], want)
				}
			}
		}
		if cards, err := h.Cards(context.Background(), nil); err != nil || len(cards) != 0 {
			t.Errorf("of nobody: %v, %v", cards, err)
		}
	})
}

var newProfile = member.Profile{
	Name: "Asha", LastName: "Kulkarni", Father: "Ravi", Country: 1, Email: "new@example.com", Mobile: "123456789", Birthday: "1990-02-28",
	Gender: "Female", Address: "Pune", About: "Hello", Nominee: "Ravi", NomineeRelation: "Father",
}

func (h house) updateProfile(uid int64, p member.Profile) (c member.Changed, err error) {
	err = h.do(func(ctx context.Context, tx *ledger.Tx) (err error) {
		c, err = h.UpdateProfile(ctx, tx, uid, p)
		return err
	})
	return c, err
}

// confirm confirms an address of a member by its link.
func (h house) confirm(uid int64, email string, at time.Time) (c member.Changed, err error) {
	err = h.do(func(ctx context.Context, tx *ledger.Tx) error {
		secret, err := h.AskEmail(ctx, tx, uid, email, at)
		if err == nil {
			c, _, err = h.ConfirmEmail(ctx, tx, uid, secret, true, at)
		}
		return err
	})
	return c, err
}

func (h house) updateWallet(uid int64, w member.Wallet, at time.Time) (c member.Changed, err error) {
	err = h.do(func(ctx context.Context, tx *ledger.Tx) (err error) {
		c, err = h.UpdateWallet(ctx, tx, uid, w, at)
		return err
	})
	return c, err
}

func TestANewEmailIsStampedAndBothAddressesAreNotified(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		h.add(t, newcomer(123456))
		c, err := h.updateProfile(123456, newProfile)
		if err != nil || !c.Any() || c.Email() {
			t.Fatalf("before the new address is confirmed: %+v, %v", c, err)
		}
		c, err = h.confirm(123456, newProfile.Email, later)
		if err != nil || !c.Any() || !c.Email() || c.Wallet() || c.Before.Email != "asha@example.com" || c.After.Email != "new@example.com" {
			t.Fatalf("%+v, %v", c, err)
		}
		want := newcomer(123456)
		p := newProfile
		want.Name, want.LastName, want.Father, want.Country, want.Email, want.Mobile = p.Name, p.LastName, p.Father, p.Country, p.Email, p.Mobile
		want.Birthday, want.Gender, want.Address, want.About, want.Nominee, want.NomineeRelation = p.Birthday, p.Gender, p.Address, p.About, p.Nominee, p.NomineeRelation
		want.EmailAt, want.EmailOK = later, later
		if got := h.get(t, 123456); got != want || c.After != want {
			t.Errorf("%+v, want %+v", got, want)
		}

		p.Address = "Mumbai" // the e-mail stays, and so does its time
		c, err = h.updateProfile(123456, p)
		want.Address = "Mumbai"
		if got := h.get(t, 123456); err != nil || !c.Any() || c.Email() || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		if c, err = h.updateProfile(123456, p); err != nil || c.Any() {
			t.Errorf("the same again: %+v, %v", c, err)
		}
	})
}

func TestANewWalletIsStampedAndTheRestStays(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		before := whole(123456)
		before.BlockedAt, before.BlockedWhy = time.Time{}, ""
		h.add(t, before, newcomer(123457))
		c, err := h.updateWallet(123456, member.Wallet(eip55[5]), later)
		want := before
		want.Wallet, want.WalletAt = member.Wallet(eip55[5]), later
		if got := h.get(t, 123456); err != nil || !c.Wallet() || c.Email() || c.Before != before || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		if _, err = h.updateWallet(123456, want.Wallet, latest); err != nil || h.get(t, 123456) != want {
			t.Errorf("the same again: %+v, %v", h.get(t, 123456), err)
		}
		if got := h.get(t, 123457); got != newcomer(123457) {
			t.Errorf("the neighbour became %+v", got)
		}
	})
}

func TestBankDetailsAreReplacedWhole(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		h.add(t, newcomer(123456))
		want := newcomer(123456)
		want.Bank = whole(1).Bank
		err := h.do(func(ctx context.Context, tx *ledger.Tx) error {
			c, err := h.UpdateBank(ctx, tx, 123456, want.Bank)
			if err == nil && (!c.Any() || c.Email() || c.Wallet()) {
				t.Errorf("%+v", c)
			}
			return err
		})
		if got := h.get(t, 123456); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	})
}

func TestABlockedMemberChangesNothing(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		h.add(t, newcomer(123456))
		block := func(uid int64, why string, at time.Time) error {
			return h.do(func(ctx context.Context, tx *ledger.Tx) error { return h.Block(ctx, tx, uid, why, at) })
		}
		unblock := func(uid int64) error {
			return h.do(func(ctx context.Context, tx *ledger.Tx) error { return h.Unblock(ctx, tx, uid) })
		}
		for _, why := range []string{"", "  ", strings.Repeat("a", 501), "a\x00b", "a\xff"} {
			wantCode(t, block(123456, why, later), errs.Invalid)
		}
		wantCode(t, unblock(123456), errs.Conflict)
		if err := block(123456, " fraud ", later); err != nil {
			t.Fatal(err)
		}
		wantCode(t, block(123456, "again", latest), errs.Conflict)
		want := newcomer(123456)
		want.BlockedAt, want.BlockedWhy = later, "fraud"
		_, err := h.updateProfile(123456, newProfile)
		wantCode(t, err, errs.Refused)
		_, err = h.updateWallet(123456, member.Wallet(eip55[0]), latest)
		wantCode(t, err, errs.Refused)
		if got := h.get(t, 123456); got != want || !got.Blocked() {
			t.Errorf("%+v, want %+v", got, want)
		}
		if err := unblock(123456); err != nil {
			t.Fatal(err)
		}
		if got := h.get(t, 123456); got != newcomer(123456) || got.Blocked() {
			t.Errorf("%+v, want it as before the block", got)
		}
	})
}

func TestAStrangerIsNotFound(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		_, err := h.updateProfile(123456, newProfile)
		wantCode(t, err, errs.NotFound)
		_, err = h.updateWallet(123456, member.Wallet(eip55[0]), later)
		wantCode(t, err, errs.NotFound)
		err = h.do(func(ctx context.Context, tx *ledger.Tx) error { return h.Block(ctx, tx, 123456, "why", later) })
		wantCode(t, err, errs.NotFound)
		err = h.do(func(ctx context.Context, tx *ledger.Tx) error { return h.Unblock(ctx, tx, 123456) })
		wantCode(t, err, errs.NotFound)
	})
}

func TestRowsOfAFailedCommandAreUndone(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		failed := errors.New("no")
		err := h.do(func(ctx context.Context, tx *ledger.Tx) error {
			if err := h.Add(ctx, tx, newcomer(123456)); err != nil {
				return err
			}
			if _, err := h.UpdateProfile(ctx, tx, 123456, newProfile); err != nil { // it sees its own rows
				return err
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("error %v", err)
		}
		if m, ok, err := h.Get(context.Background(), 123456); ok || err != nil {
			t.Errorf("%+v, %v, want nobody", m, err)
		}
	})
}

func TestTheKeyOfIDsIsMadeOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		var keys [][]byte
		ask := func(then error) error {
			return h.do(func(ctx context.Context, tx *ledger.Tx) error {
				key, err := h.IDKey(ctx, tx)
				keys = append(keys, key)
				if err == nil {
					err = then
				}
				return err
			})
		}
		failed := errors.New("no")
		if err := ask(failed); !errors.Is(err, failed) {
			t.Fatal(err)
		}
		for range 3 {
			if err := ask(nil); err != nil {
				t.Fatal(err)
			}
		}
		if len(keys) != 4 || len(keys[1]) != member.IDKeySize || !bytes.Equal(keys[1], keys[2]) || !bytes.Equal(keys[1], keys[3]) {
			t.Errorf("keys %x", keys)
		}
		if bytes.Equal(keys[0], keys[1]) {
			t.Error("a key that was never durable came back")
		}
	})
}

func TestADamagedKeyOfIDsIsNotUsed(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newHouse(t, dsn)
		err := h.do(func(ctx context.Context, tx *ledger.Tx) error {
			return h.l.DB.Member().AddSetting(ctx, tx, "id_key", []byte("short"))
		})
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, h.do(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := h.IDKey(ctx, tx)
			return err
		}), errs.Internal)
	})
}
