package people_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// aMessage is a new one as it is read back.
func aMessage(id int64, due int) mail.Message {
	m := testkit.Full[mail.Message](id)
	m.ID, m.About, m.HTML, m.State, m.DueAt = id, 0, "", mail.Waiting, when(due)
	m.Tries, m.Error, m.SentAt, m.Forged = 0, "", time.Time{}, false
	return m
}

func TestAMessageIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Mail(), s.T.Context()
		none, oldest, err := store.Waiting(ctx)
		if none != 0 || !oldest.IsZero() || err != nil {
			s.T.Errorf("%d wait since %v, %v", none, oldest, err)
		}
		all := []mail.Message{aMessage(1, 30), aMessage(2, 10), aMessage(3, 10), aMessage(4, 20), aMessage(5, 40)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, m := range all {
				m.ID, m.About = 0, m.ID+6
				err = errors.Join(err, store.Add(ctx, tx, m))
			}
			s.Same("before the commit", s.Read(store.Recent(ctx, 10)), all[:0])
			return err
		})
		for _, c := range []struct {
			at, limit int
			want      []mail.Message
		}{{9, 9, nil}, {10, 9, all[1:3]}, {30, 9, []mail.Message{all[1], all[2], all[3], all[0]}}, {99, 3, all[1:4]}} {
			s.Same("due", s.Read(store.Due(ctx, when(c.at), c.limit)), c.want)
		}
		s.Same("recent", s.Read(store.Recent(ctx, 3)), []mail.Message{all[4], all[3], all[2]})
		for i := range all { // each is found under its member
			var uid int64
			s.Read(nil, testkit.Raw(s.T, s.DSN).QueryRow("SELECT uid FROM outbox WHERE id = $1", i+1).Scan(&uid))
			s.Same("whom it is about", uid, int64(i+7))
		}
		outcome := func(id int64, state mail.State, empty bool) mail.Outcome {
			o := testkit.Full[mail.Outcome](id)
			o.ID, o.State, o.Empty = id, state, empty
			return o
		}
		after := func(m *mail.Message, o mail.Outcome) mail.Outcome {
			m.State, m.Tries, m.DueAt, m.Error, m.SentAt = o.State, o.Tries, o.DueAt, o.Error, o.SentAt
			if o.Empty {
				m.Text, m.Letter = "", ""
			}
			return o
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(store.Mark(ctx, tx, after(&all[0], outcome(1, mail.Sent, true))), store.Mark(ctx, tx, after(&all[1], outcome(2, mail.Waiting, false))),
				store.Mark(ctx, tx, after(&all[2], outcome(3, mail.Failed, false))), store.Mark(ctx, tx, outcome(99, mail.Sent, true)))
			return errors.Join(err, store.Mark(ctx, tx, outcome(1, mail.Failed, false))) // it was sent before
		})
		s.Same("marked", s.Read(store.Recent(ctx, 9)), []mail.Message{all[4], all[3], all[2], all[1], all[0]})
		s.Same("the others are due", s.Read(store.Due(ctx, when(99), 9)), []mail.Message{all[3], all[4]})
		count, oldest, err := store.Waiting(ctx)
		if count != 3 || !oldest.Equal(all[1].CreatedAt) || err != nil {
			s.T.Errorf("%d wait since %v, not %v; %v", count, oldest, all[1].CreatedAt, err)
		}
		s.Same("failed", s.Read(store.Failed(ctx)), 1)
		s.Same("forged", s.Read(store.Forged(ctx)), 0)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return store.Mark(ctx, tx, mail.Outcome{ID: 5, State: mail.Failed, Error: mail.TextForged})
		})
		s.Same("forged", s.Read(store.Forged(ctx)), 1)
		s.Same("failed", s.Read(store.Failed(ctx)), 2)
		s.Read(nil, s.DB.CheckLists(ctx))
	})
}

func TestALetterIsForgedThatWasNotQueuedSo(t *testing.T) {
	for column, change := range map[string]string{"recipient": "recipient || 'x'", "subject": "subject || 'x'", "created_at": "created_at + 1", "letter": "''"} {
		t.Run(column, func(t *testing.T) {
			testkit.Conformance(t, func(s *testkit.Stores) {
				store, ctx := s.DB.Mail(), s.T.Context()
				s.Write(func(ctx context.Context, tx *ledger.Tx) error {
					return errors.Join(store.Add(ctx, tx, aMessage(1, 1)), store.Add(ctx, tx, aMessage(2, 1)))
				})
				s.Read(nil, s.DB.CheckSealed(ctx))
				s.Exec("UPDATE outbox SET " + column + " = " + change + " WHERE id = 1")
				got := s.Read(store.Due(ctx, when(1), 9)).([]mail.Message)
				if len(got) != 2 || !got[0].Forged || got[0].Text != "" || got[1].Forged {
					s.T.Errorf("%+v", got)
				}
				if s.DB.CheckSealed(ctx) == nil {
					s.T.Error("it is not found")
				}
			})
		})
	}
}

func TestASubscriptionIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.Newsletter()
		sub := func(id int64, state newsletter.State) newsletter.Subscription {
			x := testkit.Full[newsletter.Subscription](id)
			x.ID, x.State = id, state
			return x
		}
		put := func(x newsletter.Subscription, id int64) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				got, err := store.Put(ctx, tx, x)
				if err == nil && got != id {
					s.T.Errorf("it gets the id %d, not %d", got, id)
				}
				return err
			})
		}
		is := func(all ...newsletter.Subscription) {
			s.T.Helper()
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				for _, x := range all {
					s.Same("by id", s.Found(store.ByID(ctx, tx, x.ID)), x)
					s.Same("by e-mail", s.Found(store.ByEmail(ctx, tx, x.Email)), x)
					s.Same("by token", s.Found(store.ByToken(ctx, tx, x.Token)), x)
				}
				s.Missing(store.ByID(ctx, tx, 99))
				s.Missing(store.ByEmail(ctx, tx, "nobody@x"))
				s.Missing(store.ByToken(ctx, tx, []byte("unknown")))
				return nil
			})
		}
		first, second := sub(1, newsletter.Asked), sub(2, newsletter.Confirmed)
		unnumbered := first
		unnumbered.ID = 0
		s.Read(nil, put(unnumbered, 1))
		unnumbered = second
		unnumbered.ID = 0
		s.Read(nil, put(unnumbered, 2))
		is(first, second)
		changed := sub(9, newsletter.Ended)
		changed.ID = 1
		s.Read(nil, put(changed, 1))
		changed.Email = first.Email // an address never changes
		is(changed, second)
		sameEmail, sameToken := sub(0, newsletter.Asked), sub(0, newsletter.Asked)
		sameEmail.Email, sameToken.Token = second.Email, second.Token
		s.Duplicate("the same e-mail", put(sameEmail, 0))
		s.Duplicate("the same token", put(sameToken, 0))
		is(changed, second)
	})
}

func TestSubscriptionsAreListedInOrderAndForgotten(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Newsletter(), s.T.Context()
		states := []newsletter.State{newsletter.Asked, newsletter.Confirmed, newsletter.Ended}
		of := map[newsletter.State][]newsletter.Subscription{}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			clear(of)
			for i := range 12 {
				x := testkit.Full[newsletter.Subscription](int64(i + 1))
				x.State, x.TokenUntil = states[i%3], when(i)
				x.ID = 0
				id, err := store.Put(ctx, tx, x)
				if err != nil {
					return err
				}
				x.ID = id
				of[x.State] = append(of[x.State], x)
			}
			return nil
		})
		lists := func() {
			s.T.Helper()
			for _, state := range states {
				want := of[state]
				for _, c := range []struct{ offset, limit int }{{0, 9}, {0, 2}, {1, 2}, {2, 9}, {3, 2}, {len(want), 2}, {99, 2}} {
					got, total, err := store.List(ctx, state, int64(c.offset), int64(c.limit))
					from := min(c.offset, len(want))
					s.Same(string(state), s.Read(got, err), want[from:min(from+c.limit, len(want))])
					if total != int64(len(want)) {
						s.T.Errorf("%d are %s, not %d", total, state, len(want))
					}
				}
			}
		}
		lists()
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.Forget(ctx, tx, when(6)) })
		of[newsletter.Asked] = of[newsletter.Asked][2:] // those until 0 and 3; one until 6 stays
		lists()
		s.Read(nil, s.DB.CheckLists(ctx))
	})
}

func TestNoticesAreSeenUpToTheLatestTime(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Notice(), s.T.Context()
		see := func(uid int64, at int) {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.SetSeen(ctx, tx, uid, when(at)) })
		}
		s.Same("never", s.Read(store.Seen(ctx, 7)), time.Time{})
		see(7, 5)
		see(8, 1)
		see(7, 4)
		s.Same("not earlier", s.Read(store.Seen(ctx, 7)), when(5))
		see(7, 6)
		s.Same("later", s.Read(store.Seen(ctx, 7)), when(6))
		s.Same("another member", s.Read(store.Seen(ctx, 8)), when(1))
		s.Same("no notices", s.Read(store.Lately(ctx, 7, 10)), []notice.Notice{})
	})
}
