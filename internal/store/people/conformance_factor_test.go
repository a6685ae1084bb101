package people_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func aFactor(o auth.Owner, seed int64) auth.FactorRow {
	f := testkit.Full[auth.FactorRow](seed)
	f.Owner = o
	return f
}

var (
	member7   = auth.Owner{Kind: auth.KindMember, ID: 7}
	member8   = auth.Owner{Kind: auth.KindMember, ID: 8}
	operator7 = auth.Owner{Kind: auth.KindOperator, ID: 7}
)

func putFactors(s *testkit.Stores, all ...auth.FactorRow) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, f := range all {
			err = errors.Join(err, s.DB.Auth().PutFactor(ctx, tx, f))
		}
		return err
	})
}

func TestASecondFactorIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		s.Missing(store.Factor(ctx, nil, member7))
		others := []auth.FactorRow{aFactor(member8, 1), aFactor(operator7, 2)}
		putFactors(s, others...)
		for _, f := range []auth.FactorRow{aFactor(member7, 3), aFactor(member7, 4), {Owner: member7}} {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				err := store.PutFactor(ctx, tx, f)
				if f.Secret == nil {
					f.Secret, f.Pending = []byte{}, []byte{}
				}
				s.Same("within the command", s.Found(store.Factor(ctx, tx, member7)), f)
				return err
			})
			s.Same("after it", s.Found(store.Factor(ctx, nil, member7)), f)
		}
		for _, f := range others {
			s.Same("another", s.Found(store.Factor(ctx, nil, f.Owner)), f)
		}
		s.Exec("UPDATE factor SET secret = $1 WHERE kind = 'member' AND owner = 7", []byte("planted"))
		s.Tampered("a changed row is verified", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.VerifyFactor(ctx, tx, member7) }))
		s.Tampered("a changed row is written", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.PutFactor(ctx, tx, aFactor(member7, 5)) }))
	})
}

func TestARecoveryCodeIsUsedOnce(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		putFactors(s, aFactor(member7, 1), aFactor(member8, 2), aFactor(operator7, 3))
		set := func(o auth.Owner, codes ...string) {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				var hashes [][]byte
				for _, c := range codes {
					hashes = append(hashes, []byte(c))
				}
				return store.SetRecovery(ctx, tx, o, hashes)
			})
		}
		left := func(o auth.Owner, want int) {
			s.T.Helper()
			s.Same(o.String()+" has codes", s.Read(store.RecoveryLeft(ctx, o)), want)
		}
		use := func(o auth.Owner, code string, may, want bool) {
			s.T.Helper()
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				used, err := store.UseRecovery(ctx, tx, o, []byte(code), when(5), may)
				if used != want {
					s.T.Errorf("%s, %v: used %v", code, may, used)
				}
				return errors.Join(err, store.VerifyFactor(ctx, tx, o))
			})
		}
		left(member7, 0)
		set(member7, "a", "b", "c")
		set(member8, "a")
		set(operator7, "d", "e")
		left(member7, 3)
		use(member7, "a", false, false)
		use(member7, "d", true, false)
		use(member7, "a", true, true)
		use(member7, "a", true, false)
		left(member7, 2)
		left(member8, 1)
		left(operator7, 2)
		set(member7, "f")
		use(member7, "b", true, false)
		left(member7, 1)
		s.Exec("INSERT INTO factor_recovery (kind, owner, hash, used_at) VALUES ('member', 7, $1, 0)", []byte("planted"))
		s.Tampered("a planted code", s.Try(func(ctx context.Context, tx *ledger.Tx) error {
			used, err := store.UseRecovery(ctx, tx, member7, []byte("planted"), when(5), true)
			if used {
				s.T.Error("it is used")
			}
			return err
		}))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			if used, err := store.UseRecovery(ctx, tx, member7, []byte("planted"), when(5), false); used || err != nil {
				s.T.Errorf("without the password: %v, %v", used, err)
			}
			return nil
		})
		s.Tampered("the factor is verified", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.VerifyFactor(ctx, tx, member7) }))
	})
}

func TestPasskeysAreReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		passkey := func(id int64, o auth.Owner) auth.PasskeyRow {
			p := testkit.Full[auth.PasskeyRow](id)
			p.ID, p.Owner, p.Used = id, o, time.Time{}
			return p
		}
		add := func(p auth.PasskeyRow) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				id, err := store.AddPasskey(ctx, tx, p)
				if err == nil && id != p.ID {
					s.T.Errorf("the passkey gets the id %d, not %d", id, p.ID)
				}
				return err
			})
		}
		first, second, other, operators := passkey(1, member7), passkey(2, member7), passkey(3, member8), passkey(4, operator7)
		if add(first) == nil {
			s.T.Error("a passkey is added for an owner without a factor")
		}
		putFactors(s, aFactor(member7, 1), aFactor(member8, 2), aFactor(operator7, 3))
		second.Transports = nil
		s.Read(nil, errors.Join(add(first), add(second), add(other), add(operators)))
		is := func(all ...auth.PasskeyRow) {
			s.T.Helper()
			s.Same("all of the owner", s.Read(store.Passkeys(ctx, nil, member7)), all)
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				s.Same("within a command", s.Read(store.Passkeys(ctx, tx, member7)), all)
				for _, p := range all {
					s.Same("by credential", s.Found(store.Passkey(ctx, tx, p.Credential)), p)
				}
				return store.VerifyFactor(ctx, tx, member7)
			})
		}
		is(first, second)
		s.Missing(store.Passkey(ctx, nil, nil))
		same := passkey(5, member8)
		same.Credential = first.Credential
		s.Duplicate("the credential of another owner", add(same))
		second.Name, second.Uses, second.Used = "renamed", 77, when(7)
		put := second
		put.Key, put.Flags, put.Handle = []byte("ignored"), 9, []byte("ignored")
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutPasskey(ctx, tx, put) })
		is(first, second)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.DropPasskey(ctx, tx, first) })
		is(second)
		if s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.DropPasskey(ctx, tx, first) }) == nil {
			s.T.Error("a passkey is dropped twice")
		}
		s.Exec("UPDATE passkey SET key = $1 WHERE id = 2", []byte("planted"))
		s.Tampered("a changed passkey", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.PutPasskey(ctx, tx, second) }))
		challenge := testkit.Full[auth.ChallengeRow](1)
		challenge.Owner, challenge.Expires = member7, when(99)
		others := testkit.Full[auth.ChallengeRow](2)
		others.Owner = member8
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(store.AddChallenge(ctx, tx, challenge, when(1)), store.AddChallenge(ctx, tx, others, when(1)))
			n, derr := store.DropPasskeys(ctx, tx, member7)
			if n != 1 {
				s.T.Errorf("%d passkeys are dropped", n)
			}
			return errors.Join(err, derr)
		})
		is()
		s.Missing(store.Challenge(ctx, challenge.ID))
		s.Found(store.Challenge(ctx, others.ID))
		s.Same("of another owner", s.Read(store.Passkeys(ctx, nil, member8)), []auth.PasskeyRow{other})
		s.Same("of an operator", s.Read(store.Passkeys(ctx, nil, operator7)), []auth.PasskeyRow{operators})
	})
}
