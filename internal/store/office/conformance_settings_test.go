package office_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// aProposal waits to be decided.
func aProposal(id int64, section settings.Section) settings.Proposal {
	p := testkit.Full[settings.Proposal](id)
	return settings.Proposal{ID: id, Section: section, Was: p.Was, Body: p.Body, Reason: p.Reason, By: p.By, ByName: p.ByName, At: p.At, State: approval.Waiting}
}

func TestAProposedSettingIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Settings(), s.T.Context()
		p, other := aProposal(1, "content"), aProposal(2, "banks")
		add := func(p settings.Proposal) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				put := testkit.Full[settings.Proposal](9) // all but the proposal is left out
				put.Section, put.Was, put.Body, put.Reason, put.By, put.ByName, put.At, put.State = p.Section, p.Was, p.Body, p.Reason, p.By, p.ByName, p.At, p.State
				id, err := store.Add(ctx, tx, put)
				if err == nil {
					s.Same("the id", id, p.ID)
					s.Same("within the command", s.Found(store.Get(ctx, tx, p.ID)), p)
					s.Missing(store.Get(ctx, nil, p.ID))
				}
				return err
			})
		}
		set := func(p settings.Proposal) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				put := p
				put.Was, put.Body, put.Reason, put.By, put.ByName, put.At, put.Section = []byte("ignored"), []byte("ignored"), "ignored", 99, "ignored", when(99), "usdt"
				return store.Set(ctx, tx, put)
			})
		}
		s.Same("nothing yet", s.Read(store.Stamp(ctx)), int64(0))
		s.Read(nil, errors.Join(add(p), add(other)))
		s.Same("two writes", s.Read(store.Stamp(ctx)), int64(2))
		s.Same("after it", s.Found(store.Get(ctx, nil, 1)), p)
		s.Duplicate("a second one waits", add(aProposal(3, "content")))
		full := testkit.Full[settings.Proposal](7)
		p.State, p.Decided, p.DecidedName, p.DecidedAt, p.Holds, p.Ended, p.EndedName, p.EndedAt, p.Alone = approval.Approved, full.Decided, full.DecidedName, full.DecidedAt, full.Holds, full.Ended, full.EndedName, full.EndedAt, approval.AloneDemo
		s.Read(nil, set(p))
		s.Same("approved", s.Found(store.Get(ctx, nil, 1)), p)
		s.Same("three writes", s.Read(store.Stamp(ctx)), int64(3))
		p.State, p.Ended = settings.CalledOff, 5
		s.Read(nil, set(p))
		s.Same("called off", s.Found(store.Get(ctx, nil, 1)), p)
		s.Same("the other", s.Found(store.Get(ctx, nil, 2)), other)
		s.Missing(store.Get(ctx, nil, 3))
		if unknown := aProposal(3, "limits"); set(unknown) == nil {
			s.T.Error("an unknown proposal is written")
		}
		s.Exec("UPDATE setting_proposal SET state = 'withdrawn', decided_at = 1 WHERE id = 2")
		s.Tampered("a changed proposal is written", set(other))
	})
}

func TestSettingsAreListedByStateAndSection(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Settings(), s.T.Context()
		var all []settings.Proposal
		for i, c := range []struct {
			section settings.Section
			state   approval.State
		}{
			{"content", approval.Approved},
			{"content", approval.Approved},
			{"content", approval.Refused},
			{"content", approval.Approved},
			{"content", approval.Waiting},
			{"banks", approval.Approved},
			{"banks", settings.CalledOff},
			{"limits", approval.Waiting},
			{"usdt", approval.Withdrawn},
		} {
			p := aProposal(int64(i+1), c.section)
			all = append(all, p)
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				_, err := store.Add(ctx, tx, p)
				return err
			})
			if p.State = c.state; c.state == approval.Waiting {
				continue
			}
			p.Decided, p.DecidedName, p.DecidedAt, p.Holds = 77, "Bea", when(i), when(i+50)
			s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.Set(ctx, tx, p) })
			all[i] = p
		}
		pick := func(ids ...int64) (out []settings.Proposal) {
			for _, id := range ids {
				out = append(out, all[id-1])
			}
			return out
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			for _, in := range []*ledger.Tx{tx, nil} {
				s.Same("in force", s.Read(store.Standing(ctx, in)), pick(2, 4, 6))
				s.Same("waiting", s.Read(store.Waiting(ctx, in)), pick(5, 8))
			}
			return nil
		})
		listed := func(ids ...int64) []settings.Proposal {
			out := pick(ids...)
			for i := range out {
				out[i].Was, out[i].Body = nil, nil
			}
			return out
		}
		for _, c := range []struct {
			section settings.Section
			before  int64
			limit   int
			want    []int64
		}{{"content", 0, 10, []int64{5, 4, 3, 2, 1}}, {"content", 0, 2, []int64{5, 4}}, {"content", 4, 10, []int64{3, 2, 1}}, {"content", 1, 10, nil}, {"banks", 0, 10, []int64{7, 6}}, {"other", 0, 10, nil}} {
			s.Same("a page", s.Read(store.List(ctx, c.section, c.before, c.limit)), listed(c.want...))
		}
		bodies := func(section settings.Section) any {
			got, err := store.Ever(ctx, section)
			slices.Sort(got)
			return s.Read(got, err)
		}
		var want []string
		for _, p := range pick(1, 2, 4) {
			want = append(want, string(p.Was), string(p.Body))
		}
		slices.Sort(want)
		s.Same("ever in force", bodies("content"), want)
		s.Same("never in force", bodies("usdt"), want[:0])
	})
}

// when is a time n microseconds after the clocks of tests start.
func when(n int) time.Time { return testkit.Epoch.Add(time.Duration(n) * time.Microsecond) }
