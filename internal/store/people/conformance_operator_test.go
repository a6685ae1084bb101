package people_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// anOperator has not ended.
func anOperator(id int64, role auth.Role) auth.OperatorRow {
	o := testkit.Full[auth.OperatorRow](id)
	o.ID, o.Role, o.Ended = id, role, time.Time{}
	return o
}

func addOperators(s *testkit.Stores, all ...auth.OperatorRow) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) error {
		for _, o := range all {
			if id, err := s.DB.Auth().AddOperator(ctx, tx, o); id != o.ID || err != nil {
				return errors.Join(err, errors.New("an operator gets another id"))
			}
		}
		return nil
	})
}

func TestAnOperatorIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		ann, bea := anOperator(1, auth.RoleOwner), anOperator(2, auth.RoleFinance)
		addOperators(s, ann, bea)
		is := func(all ...auth.OperatorRow) {
			s.T.Helper()
			var list []auth.Operator
			for _, o := range all {
				s.Same("by e-mail", s.Found(store.OperatorByEmail(ctx, o.Email)), o)
				s.Same("by id", s.Found(store.OperatorIn(ctx, nil, o.ID)), o)
				list = append(list, o.Operator)
			}
			s.Same("all", s.Read(store.Operators(ctx)), list)
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				s.Same("all, within a command", s.Read(store.OperatorsIn(ctx, tx)), list)
				return nil
			})
		}
		is(ann, bea)
		s.Missing(store.OperatorByEmail(ctx, "nobody@x"))
		s.Missing(store.OperatorIn(ctx, nil, 3))
		same := anOperator(3, auth.RoleOwner)
		same.Email = ann.Email
		s.Duplicate("the same e-mail", s.Try(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := store.AddOperator(ctx, tx, same)
			return err
		}))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			bea.Role, bea.Password, bea.PasswordAt = auth.RoleSupport, "new", when(7)
			put := bea
			put.Email, put.Name, put.Created, put.Ended = "ignored", "ignored", when(8), when(8)
			err := store.PutOperator(ctx, tx, put)
			s.Same("within the command", s.Found(store.OperatorIn(ctx, tx, 2)), bea)
			return err
		})
		is(ann, bea)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.EndOperator(ctx, tx, 2, when(9)) })
		bea.Ended = when(9)
		is(ann, bea)
		for what, change := range map[string]func(ctx context.Context, tx *ledger.Tx) error{
			"an ended operator changes": func(ctx context.Context, tx *ledger.Tx) error { return store.PutOperator(ctx, tx, bea) },
			"an operator ends twice":    func(ctx context.Context, tx *ledger.Tx) error { return store.EndOperator(ctx, tx, 2, when(10)) },
			"an unknown operator changes": func(ctx context.Context, tx *ledger.Tx) error {
				return store.PutOperator(ctx, tx, anOperator(3, "owner"))
			},
			"an unknown operator is ended": func(ctx context.Context, tx *ledger.Tx) error { return store.EndOperator(ctx, tx, 3, when(10)) },
		} {
			if s.Try(change) == nil {
				s.T.Error(what)
			}
		}
		is(ann, bea)
	})
}

func TestAnOperatorIsVerifiedWithTheSecondFactor(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.Auth()
		verify := func() error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.VerifyOperator(ctx, tx, 1) })
		}
		addOperators(s, anOperator(1, auth.RoleOwner))
		s.Read(nil, verify())
		factor := aFactor(auth.Owner{Kind: auth.KindOperator, ID: 1}, 1)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutFactor(ctx, tx, factor) })
		s.Read(nil, verify())
		s.Exec("DELETE FROM factor")
		s.Tampered("without the factor", verify())
		s.Tampered("a factor in its place", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.PutFactor(ctx, tx, factor) }))
		addOperators(s, anOperator(2, auth.RoleOwner))
		s.Exec("UPDATE operator SET role = 'support' WHERE id = 2")
		s.Tampered("with another role", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.VerifyOperator(ctx, tx, 2) }))
		s.Tampered("the role is written", s.Try(func(ctx context.Context, tx *ledger.Tx) error {
			return store.PutOperator(ctx, tx, anOperator(2, "owner"))
		}))
	})
}

func TestStandingsShowTheStateOfEachOperator(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		ann, bea := anOperator(1, auth.RoleOwner), anOperator(2, auth.RoleFinance)
		bea.Password = ""
		addOperators(s, ann, bea)
		first, second := aSession("1", auth.KindOperator, 1, 10), aSession("2", auth.KindOperator, 1, 20)
		first.Seen = when(99)
		addSessions(s, first, second, aSession("3", auth.KindMember, 2, 30))
		factor := aFactor(auth.Owner{Kind: auth.KindOperator, ID: 1}, 1)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.PutFactor(ctx, tx, factor), store.PutFactor(ctx, tx, aFactor(auth.Owner{Kind: auth.KindMember, ID: 2}, 2)),
				store.PutInvitation(ctx, tx, auth.InvitationRow{Operator: 2, Token: []byte("t"), Until: when(50)}))
		})
		want := []auth.Standing{{Operator: ann.Operator, Password: true, Factor: factor.Set, Seen: when(99)}, {Operator: bea.Operator, Invited: when(50)}}
		s.Same("standings", s.Read(store.Standings(ctx, when(49))), want)
		want[1].Invited = time.Time{}
		s.Same("the invitation is over", s.Read(store.Standings(ctx, when(50))), want)
	})
}

func TestAnInvitationIsReplaced(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		first, again, other := testkit.Full[auth.InvitationRow](1), testkit.Full[auth.InvitationRow](2), testkit.Full[auth.InvitationRow](3)
		again.Operator = first.Operator
		used := auth.InvitationRow{Operator: first.Operator, Until: when(3)}
		s.Missing(store.Invitation(ctx, nil, first.Operator))
		for _, i := range []auth.InvitationRow{other, first, again, used} {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				err := store.PutInvitation(ctx, tx, i)
				if i.Token == nil {
					i.Token = []byte{}
				}
				s.Same("within the command", s.Found(store.Invitation(ctx, tx, i.Operator)), i)
				return err
			})
			s.Same("after it", s.Found(store.Invitation(ctx, nil, i.Operator)), i)
		}
		s.Same("the other", s.Found(store.Invitation(ctx, nil, other.Operator)), other)
	})
}

func TestProposalsAreListedByStateAndMember(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		// proposal is a new one; an erasure is about a member, not an operator.
		proposal := func(id, operator, member int64, kind auth.ProposalKind) auth.Proposal {
			p := testkit.Full[auth.Proposal](id)
			p.ID, p.Kind, p.Operator, p.Member, p.State, p.Alone = id, kind, operator, member, approval.Waiting, ""
			p.Decided, p.DecidedAt = 0, time.Time{}
			return p
		}
		all := []auth.Proposal{proposal(1, 1, 0, auth.ProposeRole), proposal(2, 2, 0, auth.ProposeEnd), proposal(3, 0, 7, auth.ProposeErase), proposal(4, 0, 8, auth.ProposeErase)}
		add := func(ctx context.Context, tx *ledger.Tx, p auth.Proposal) error {
			id, err := store.AddProposal(ctx, tx, p)
			if err == nil && id != p.ID {
				s.T.Errorf("the proposal gets the id %d, not %d", id, p.ID)
			}
			return err
		}
		lists := func(tx *ledger.Tx, waiting, recent, erasures, of7 []auth.Proposal) {
			s.T.Helper()
			s.Same("waiting", s.Read(store.ProposalsIn(ctx, tx, true)), waiting)
			s.Same("recent", s.Read(store.ProposalsIn(ctx, tx, false)), recent)
			s.Same("erasures", s.Read(store.Erasures(ctx, tx, 0)), erasures)
			s.Same("erasures of a member", s.Read(store.Erasures(ctx, tx, 7)), of7)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, p := range all {
				err = errors.Join(err, add(ctx, tx, p))
			}
			lists(tx, []auth.Proposal{all[1], all[0]}, []auth.Proposal{all[1], all[0]}, []auth.Proposal{all[3], all[2]}, all[2:3])
			lists(nil, nil, nil, nil, nil)
			return err
		})
		for i, p := range []auth.Proposal{proposal(5, 1, 0, auth.ProposeEnd), proposal(5, 0, 7, auth.ProposeErase)} {
			if i == 0 {
				p.Operator = 1
			}
			s.Duplicate("a second one waits", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return add(ctx, tx, p) }))
		}
		decide := func(p *auth.Proposal, state approval.State, alone approval.Alone) error {
			p.State, p.Alone, p.Decided, p.DecidedAt = state, alone, 99, when(int(p.ID))
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				err := store.DecideProposal(ctx, tx, *p)
				if err == nil {
					s.Same("decided", s.Found(store.ProposalIn(ctx, tx, p.ID)), *p)
				}
				return err
			})
		}
		s.Read(nil, errors.Join(decide(&all[0], approval.Approved, approval.AloneOnlyOwner), decide(&all[2], approval.Refused, "")))
		if again := all[0]; decide(&again, approval.Refused, "") == nil {
			s.T.Error("a proposal is decided twice")
		}
		lists(nil, all[1:2], []auth.Proposal{all[1], all[0]}, all[3:4], all[2:3])
		fifth := proposal(5, 0, 7, auth.ProposeErase)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Missing(store.ProposalIn(ctx, tx, 5))
			return add(ctx, tx, fifth)
		})
		lists(nil, all[1:2], []auth.Proposal{all[1], all[0]}, []auth.Proposal{fifth, all[3]}, []auth.Proposal{fifth, all[2]})
	})
}

func TestForgettingAMemberEmptiesSessionsPlacesAndCode(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		mine, visit, other := aSession("mine", auth.KindMember, 7, 1), aSession("visit", auth.KindVisit, 7, 2), aSession("other", auth.KindMember, 8, 3)
		addSessions(s, mine, visit, other)
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for uid := int64(7); uid <= 8; uid++ {
				_, kept := store.KeepPlace(ctx, tx, auth.KindMember, uid, []byte("p"), when(1), 3)
				err = errors.Join(err, kept, store.PutMailedCode(ctx, tx, auth.MailedCodeRow{UID: uid, Hash: []byte("h")}))
			}
			return err
		})
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(store.Forget(ctx, tx, 7), store.Decoy(ctx, tx))
			s.Missing(store.MailedCode(ctx, tx, 7))
			s.Found(store.MailedCode(ctx, tx, 8))
			return err
		})
		mine.Peer, mine.ClaimedIP, mine.Agent = "", "", ""
		for _, want := range []auth.Session{mine, visit, other} {
			s.Same(want.ID, s.Found(store.Session(ctx, want.ID)), want)
		}
		s.Missing(store.Place(ctx, nil, auth.KindMember, 7, []byte("p")))
		s.Found(store.Place(ctx, nil, auth.KindMember, 8, []byte("p")))
		if decoy := s.Found(s.DB.Setting(ctx, "decoy")).([]byte); len(decoy) != 32 {
			s.T.Errorf("the decoy is %x", decoy)
		}
	})
}
