package people_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func aCredential(uid int64) auth.CredentialRow {
	c := testkit.Full[auth.CredentialRow](uid)
	c.UID = uid
	return c
}

func TestACredentialIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		c, other := aCredential(7), aCredential(8)
		put := func(c auth.CredentialRow) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.PutCredential(ctx, tx, c) })
		}
		is := func(what string, want auth.CredentialRow) {
			s.Same(what, s.Found(store.Credential(ctx, want.UID)), want)
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				s.Same(what+", within a command", s.Found(store.CredentialIn(ctx, tx, want.UID)), want)
				return nil
			})
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(store.AddCredential(ctx, tx, c), store.AddCredential(ctx, tx, other))
			s.Same("within the command", s.Found(store.CredentialIn(ctx, tx, 7)), c)
			s.Missing(store.Credential(ctx, 7))
			s.Missing(store.CredentialIn(ctx, tx, 9))
			return err
		})
		is("added", c)
		s.Missing(store.Credential(ctx, 9))
		s.Duplicate("again", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.AddCredential(ctx, tx, c) }))

		changed := testkit.Full[auth.CredentialRow](99)
		changed.UID, changed.MustChange = 7, false
		s.Read(nil, put(changed))
		is("changed", changed)
		is("the other", other)
		empty := auth.CredentialRow{UID: 7, Reset: []byte{}}
		s.Read(nil, put(auth.CredentialRow{UID: 7}))
		is("emptied", empty)
		if put(aCredential(9)) == nil {
			s.T.Error("an unknown credential is written")
		}

		s.Exec("UPDATE credential SET password = 'another' WHERE uid = 7")
		s.Tampered("a changed row is read", s.Try(func(ctx context.Context, tx *ledger.Tx) error {
			_, _, err := store.CredentialIn(ctx, tx, 7)
			return err
		}))
		s.Tampered("a changed row is written", put(changed))
		tried := other
		tried.PinTries, tried.PinLocked = 3, when(3)
		s.Exec("UPDATE credential SET pin_tries = 0 WHERE uid = 8")
		s.Read(nil, put(tried))
		is("after wrong tries", tried)
	})
}

func TestMailedCodesAndTicketsAreReadBack(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.Auth()
		code, again, other := testkit.Full[auth.MailedCodeRow](1), testkit.Full[auth.MailedCodeRow](2), testkit.Full[auth.MailedCodeRow](3)
		again.UID = code.UID
		used := auth.MailedCodeRow{UID: code.UID, Hash: []byte{}}
		ticket, second := testkit.Full[auth.TicketRow](1), testkit.Full[auth.TicketRow](2)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Missing(store.MailedCode(ctx, tx, code.UID))
			s.Missing(store.TicketIn(ctx, tx, ticket.ID))
			return errors.Join(store.PutMailedCode(ctx, tx, code), store.PutMailedCode(ctx, tx, other), store.AddTicket(ctx, tx, ticket), store.AddTicket(ctx, tx, second))
		})
		ticket.Used, second.Used = time.Time{}, time.Time{} // a new ticket is not used
		for _, want := range []auth.MailedCodeRow{code, again, used} {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				err := store.PutMailedCode(ctx, tx, auth.MailedCodeRow{UID: want.UID, Hash: want.Hash, Purpose: want.Purpose, Mailed: want.Mailed, Expires: want.Expires, Tries: want.Tries})
				s.Same("a code", s.Found(store.MailedCode(ctx, tx, want.UID)), want)
				s.Same("the other", s.Found(store.MailedCode(ctx, tx, other.UID)), other)
				return err
			})
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("a ticket", s.Found(store.TicketIn(ctx, tx, ticket.ID)), ticket)
			err := store.UseTicket(ctx, tx, ticket.ID, when(5))
			ticket.Used = when(5)
			s.Same("used", s.Found(store.TicketIn(ctx, tx, ticket.ID)), ticket)
			s.Same("the other", s.Found(store.TicketIn(ctx, tx, second.ID)), second)
			return err
		})
		for _, id := range []string{ticket.ID, "unknown"} {
			if s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.UseTicket(ctx, tx, id, when(6)) }) == nil {
				s.T.Errorf("the ticket %q is used", id)
			}
		}
		s.Duplicate("the same ticket", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.AddTicket(ctx, tx, ticket) }))
	})
}

func TestFailedSignInsAreKeptBySlot(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		at := func(slot int64, full int) auth.TryRow {
			return auth.TryRow{Slot: slot, Who: fmt.Append(nil, "account ", slot, full), Full: when(full)}
		}
		tries := func(tx *ledger.Tx, begin, end int64) any {
			all, err := store.Tries(ctx, tx, begin, end)
			slices.SortFunc(all, func(a, b auth.TryRow) int { return cmp.Compare(a.Slot, b.Slot) })
			return s.Read(all, err)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for slot := int64(10); slot <= 14; slot++ {
				err = errors.Join(err, store.PutTry(ctx, tx, at(slot, int(slot))))
			}
			s.Same("within the command", s.Found(store.Try(ctx, tx, 11)), at(11, 11))
			s.Missing(store.Try(ctx, nil, 11))
			s.Same("a range", tries(tx, 11, 13), []auth.TryRow{at(11, 11), at(12, 12)})
			return errors.Join(err, store.PutTry(ctx, tx, at(11, 50)))
		})
		s.Same("overwritten", s.Found(store.Try(ctx, nil, 11)), at(11, 50))
		s.Missing(store.Try(ctx, nil, 9))
		for _, c := range []struct {
			what string
			drop func(ctx context.Context, tx *ledger.Tx) error
			left []auth.TryRow
		}{
			{"a slot that another account has taken", func(ctx context.Context, tx *ledger.Tx) error { return store.DropTry(ctx, tx, at(11, 11)) }, []auth.TryRow{at(10, 10), at(11, 50), at(12, 12), at(13, 13), at(14, 14)}},
			{"a slot", func(ctx context.Context, tx *ledger.Tx) error { return store.DropTry(ctx, tx, at(12, 12)) }, []auth.TryRow{at(10, 10), at(11, 50), at(13, 13), at(14, 14)}},
			{"those that are over", func(ctx context.Context, tx *ledger.Tx) error { return store.DropTries(ctx, tx, when(13)) }, []auth.TryRow{at(11, 50), at(14, 14)}},
		} {
			s.Write(c.drop)
			s.Same(c.what, tries(nil, 0, 100), c.left)
		}
		if s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.PutTry(ctx, tx, at(65536, 1)) }) == nil {
			s.T.Error("there are more slots than 65536")
		}
	})
}

func TestAnAccountKeepsItsLatestSignInPlaces(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		keep := func(kind auth.Kind, owner int64, place string, at int, want int64) {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				before, err := store.KeepPlace(ctx, tx, kind, owner, []byte(place), when(at), 3)
				if before != want {
					s.T.Errorf("%s: %d places before, not %d", place, before, want)
				}
				s.Same("within the command", s.Found(store.Place(ctx, tx, kind, owner, []byte(place))), when(at))
				return err
			})
		}
		places := func(want map[string]int) {
			s.T.Helper()
			for _, place := range []string{"a", "b", "c", "d"} {
				at, kept := want[place]
				got, found, err := store.Place(ctx, nil, auth.KindMember, 7, []byte(place))
				if found != kept || err != nil || kept && !got.Equal(when(at)) {
					s.T.Errorf("%s: %v, %v, %v", place, got, found, err)
				}
			}
		}
		keep(auth.KindMember, 7, "a", 1, 0)
		keep(auth.KindOperator, 7, "a", 1, 0)
		keep(auth.KindMember, 8, "a", 1, 0)
		keep(auth.KindMember, 7, "b", 2, 1)
		keep(auth.KindMember, 7, "c", 3, 2)
		keep(auth.KindMember, 7, "a", 4, 3)
		places(map[string]int{"a": 4, "b": 2, "c": 3})
		keep(auth.KindMember, 7, "d", 5, 3)
		places(map[string]int{"a": 4, "c": 3, "d": 5})
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.DropPlaces(ctx, tx, auth.KindMember, 7) })
		places(nil)
		s.Found(store.Place(ctx, nil, auth.KindOperator, 7, []byte("a")))
		s.Found(store.Place(ctx, nil, auth.KindMember, 8, []byte("a")))
	})
}

func TestProofsAndChallengesLastAsLongAsTheySay(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		proof := func(session string, at int) auth.ProofRow {
			return auth.ProofRow{Session: session, At: when(at), MAC: fmt.Append(nil, session, at)}
		}
		put := func(p auth.ProofRow, over int) {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutProof(ctx, tx, p, when(over)) })
		}
		put(proof("a", 10), 0)
		put(proof("b", 11), 0)
		put(proof("b", 12), 0)
		s.Same("a proof", s.Found(store.Proof(ctx, "a")), proof("a", 10))
		s.Same("renewed", s.Found(store.Proof(ctx, "b")), proof("b", 12))
		put(proof("c", 13), 10)
		s.Found(store.Proof(ctx, "a"))
		put(proof("c", 14), 11)
		s.Missing(store.Proof(ctx, "a"))
		s.Found(store.Proof(ctx, "b"))

		challenge := func(id string, expires int) auth.ChallengeRow {
			c := testkit.Full[auth.ChallengeRow](int64(expires))
			c.ID, c.Expires, c.Kind = id, when(expires), auth.KindMember
			return c
		}
		add := func(c auth.ChallengeRow, now int) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.AddChallenge(ctx, tx, c, when(now)) })
		}
		first, second := challenge("a", 20), challenge("b", 21)
		s.Read(nil, errors.Join(add(first, 0), add(second, 19)))
		s.Same("a challenge", s.Found(store.Challenge(ctx, "a")), first)
		s.Duplicate("the same challenge", add(second, 0))
		bare := challenge("c", 30)
		bare.Handle = nil
		s.Read(nil, add(bare, 20))
		bare.Handle = []byte{}
		s.Same("without a handle", s.Found(store.Challenge(ctx, "c")), bare)
		s.Missing(store.Challenge(ctx, "a"))
		for _, fresh := range []bool{true, false} {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				if used, err := store.UseChallenge(ctx, tx, "b"); used != fresh || err != nil {
					s.T.Errorf("used: %v, not %v; %v", used, fresh, err)
				}
				return nil
			})
		}
		s.Missing(store.Challenge(ctx, "b"))
		s.Found(store.Challenge(ctx, "c"))
	})
}
