package bench

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/support"
)

// Tickets, mails and subscribers of the newsletter.

// ask is a ticket; one in a hundred waits, and of those every other one is a
// complaint.
func (g *consoleData) ask(ctx context.Context, tx *ledger.Tx, i, n int) error {
	t := support.Ticket{
		ID: int64(100_001 + i), UID: g.ids.At(int64(1 + i*7%g.members)), Kind: support.KindQuery, Status: support.Open, CreatedAt: g.at(g.day(i, n)),
		Query: fmt.Sprintf("Ticket %d: my fund request was approved and I do not see the money in my wallet; what do I have to do that it is credited there?", i),
	}
	if i%200 == 0 {
		t.Kind = support.KindComplaint
	}
	if i%100 != 0 {
		t.Status, t.Reply, t.Operator, t.RepliedAt = support.Closed, "It is there.", 1, t.CreatedAt.Add(time.Hour)
		t.AnsweredAt, t.ClosedAt = t.RepliedAt, t.RepliedAt
	}
	return g.w.db.Support().Add(ctx, tx, t)
}

// mail is a message; one in a hundred was given up, the others were sent.
func (g *consoleData) mail(ctx context.Context, tx *ledger.Tx, i, n int) error {
	at := g.at(g.day(i, n))
	if err := g.w.db.Mail().Add(ctx, tx, mail.Message{To: fmt.Sprintf("member%d@example.org", i), Subject: "Bench", Text: "Bench", CreatedAt: at, DueAt: at}); err != nil {
		return err
	}
	o := mail.Outcome{ID: int64(i + 1), State: mail.Sent, Tries: 1, DueAt: at, SentAt: at, Empty: true}
	if i%100 == 0 {
		o.State, o.Error, o.SentAt = mail.Failed, "nobody there", time.Time{}
	}
	return g.w.db.Mail().Mark(ctx, tx, o)
}

// subscribe is a reader of the newsletter.
func (g *consoleData) subscribe(ctx context.Context, tx *ledger.Tx, i, n int) error {
	at, token := g.at(g.day(i, n)), sha256.Sum256([]byte(strconv.Itoa(i)))
	_, err := g.w.db.Newsletter().Put(ctx, tx, newsletter.Subscription{
		ID: int64(i + 1), Email: fmt.Sprintf("reader%d@example.org", i), State: newsletter.Confirmed, Token: token[:], TokenUntil: at, Asked: at, Mailed: at, Confirmed: at,
	})
	return err
}
