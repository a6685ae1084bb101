package bench

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// consoleData is an installation that operators look at: a year of deposits,
// packages, fund requests, withdrawals, closes and what operators did.
type consoleData struct {
	w           *world
	members     int
	ids         *member.IDs
	first, last plan.Day
	now         time.Time
}

const (
	consoleOperator = "bench@example.org"
	consoleSecret   = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" // of the operator's second factor
)

// uid is anybody.
func (g *consoleData) uid(r *rand.Rand) int64 { return g.ids.At(int64(1 + r.IntN(g.members))) }

// day is the day of the i-th of n things that happened one after the other.
func (g *consoleData) day(i, n int) plan.Day {
	return g.first + plan.Day(int64(i)*int64(g.last-g.first)/int64(n))
}

func (g *consoleData) at(d plan.Day) time.Time { return g.now.AddDate(0, 0, int(d-g.last)) }

// furnish fills an installation with a year's data: money through the ledger, the rest
// through the server's stores.
func (g *installation) furnish(ctx context.Context, o ConsoleOptions) (all *consoleData, err error) {
	w, err := g.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer w.leave()
	all = &consoleData{w: w, members: o.Members}
	if all.ids, err = member.NewIDs([]byte(idKey)); err != nil {
		return nil, err
	}
	if err := all.begin(ctx); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		name    string
		n, each int // in all, and in one command
		touches func(from, to, n int) []ledger.Account
		add     func(ctx context.Context, tx *ledger.Tx, i, n int) error
	}{
		{"sales", o.Members / 3, 5000, nil, all.sell},
		{"positions", o.Members / 5, 500, nil, all.invest},
		{"requests", o.Members / 10, 5000, nil, all.request},
		{"withdrawals", o.Members / 10, 500, nil, all.withdraw},
		{"acts", o.Members / 10, 5000, nil, all.act},
		{"tickets", o.Members / 10, 500, nil, all.ask},
		{"mails", o.Members / 10, 500, nil, all.mail},
		{"readers", o.Members / 10, 500, nil, all.subscribe},
		{"days", int(all.last-all.first) + 1, 500, nil, all.close},
		{"deposits", o.Entries / 2, 5000, all.payers, all.deposit},
	} {
		if err := w.inCommands(ctx, step.name, step.n, step.each, step.touches, step.add); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// begin appoints the operator who looks. In a database that was kept this is
// done: the year is then the one that it was filled with.
func (g *consoleData) begin(ctx context.Context) error {
	done, err := g.w.seq.Do(ctx, ledger.Command{Actor: "bench", Key: "begin", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		err := g.appoint(ctx, tx)
		return strconv.AppendInt(nil, tx.Now().Add(-24*time.Hour).Unix(), 10), err
	}})
	if err != nil {
		return err
	}
	now, err := strconv.ParseInt(string(done.Response), 10, 64)
	g.now = time.Unix(now, 0)
	g.last = plan.Day(now / (24 * 60 * 60))
	g.first = g.last - 364
	return err
}

// inCommands does n things, many in one command: fewer where triggers add lists up,
// because for each such statement SQLite walks what the command could undo. Each
// command has a key, so that in a database that was kept only what is missing is
// done.
func (w *world) inCommands(ctx context.Context, name string, n, each int, touches func(from, to, n int) []ledger.Account,
	add func(ctx context.Context, tx *ledger.Tx, i, n int) error,
) error {
	key := func(from int) string { return fmt.Sprintf("%s %d of %d", name, from, n) }
	// They were done in order: where they ended is found without looking at all.
	done := sort.Search((n+each-1)/each, func(i int) bool { return !w.wasDone(ctx, key(i*each)) })
	for from := done * each; from < n; from += each {
		c := ledger.Command{Actor: "bench", Key: key(from)}
		if touches != nil {
			c.Touches = touches(from, min(n, from+each), n)
		}
		c.Run = func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
			for i := from; i < min(n, from+each); i++ {
				if err := add(ctx, tx, i, n); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}
		if _, err := w.seq.Do(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// wasDone asks for a command's answer; one that was not done leaves nothing.
func (w *world) wasDone(ctx context.Context, key string) bool {
	_, err := w.seq.Do(ctx, ledger.Command{Actor: "bench", Key: key, Run: func(context.Context, *ledger.Tx) ([]byte, error) {
		return nil, errs.New(errs.Refused, "bench.not_done", "bench: not done")
	}})
	return err == nil
}

// appoint makes the operator who looks, and the plan that the days were closed
// by.
func (g *consoleData) appoint(ctx context.Context, tx *ledger.Tx) error {
	if err := g.w.db.Closing().AddPlan(ctx, tx, plan.Default().Version, 0, plan.DefaultBody(), tx.Now()); err != nil {
		return err
	}
	o, err := auth.ParseOperator(consoleOperator, "Bench", string(auth.RoleOwner))
	if err != nil {
		return err
	}
	hash, err := g.w.auth.PrepareOperator(ctx, o, password)
	if err != nil {
		return err
	}
	id, err := g.w.auth.AddOperator(ctx, tx, o, hash)
	if err != nil {
		return err
	}
	f, err := auth.PrepareFactor(consoleSecret)
	if err != nil {
		return err
	}
	return g.w.auth.SetFactor(ctx, tx, id, f)
}

// deposit is two entries: the company's cash and a member's fund.
func (g *consoleData) deposit(_ context.Context, tx *ledger.Tx, i, n int) error {
	return fund.Deposit(tx, g.payer(i, n), fund.Robot, money.Micro(int64(1+i%1000)*dollar), "TRX"+strconv.Itoa(i))
}

// payer is whose the i-th of n deposits is. Some ten thousand members take turns
// until each has its share, then the next: what the ledger keeps in memory is
// then enough, and a member's entries still lie far from each other.
func (g *consoleData) payer(i, n int) int64 {
	const turn = 50_000
	share := max(n/g.members, 1)
	block := i / (turn * share)
	width := min(turn, max(g.members-block*turn, 1))
	return g.ids.At(int64(1 + (block*turn+i%(turn*share)%width)%g.members))
}

// payers are the accounts of some deposits, to be read at once.
func (g *consoleData) payers(from, to, n int) []ledger.Account {
	all := []ledger.Account{ledger.MustAccount("A:CLIENT")}
	for i := from; i < to; i++ {
		if a, err := fund.Robot.Account(g.payer(i, n)); err == nil {
			all = append(all, a)
		}
	}
	return all
}

// sell makes a third of the members own a package.
func (g *consoleData) sell(ctx context.Context, tx *ledger.Tx, i, n int) error {
	no, day := int64(1+3*i), g.day(i, n)
	if err := g.w.db.Sale().Add(ctx, tx, sale.Sale{
		ID: "s" + strconv.Itoa(i), No: no, Payer: g.ids.At(no), Package: 2, Topup: sale.Activation, Amount: money.Micro(100 * dollar), Volume: money.Micro(100 * dollar),
		Day: day, At: g.at(day), State: sale.Final, FinalDay: day,
	}); err != nil {
		return err
	}
	return g.w.db.Closing().AddFlips(ctx, tx, []closing.Flip{{No: no, Day: day, Active: true}})
}

// invest is a position; every other one has matured, and of the claims one in a
// hundred waits for its cash.
func (g *consoleData) invest(ctx context.Context, tx *ledger.Tx, i, n int) error {
	store := g.w.db.Invest()
	no, day := int64(1+i*3%g.members), g.day(i, n)
	p := invest.Position{
		ID: "p" + strconv.Itoa(i), Line: plan.LineNames[i%2], No: no, Payer: g.ids.At(no), Package: 1, Topup: "Activation", Principal: money.Micro(200 * dollar),
		Day: day, Term: 30, At: g.at(day), State: invest.Open,
	}
	if i%4 < 2 {
		p.State = invest.Matured
	}
	if err := store.Add(ctx, tx, p); err != nil || p.State == invest.Open {
		return err
	}
	c := invest.Claim{ID: invest.ClaimID(p.ID), Position: p.ID, Line: p.Line, No: no, Day: day, Amount: p.Principal, Net: p.Principal}
	if err := store.AddClaims(ctx, tx, []invest.Claim{c}); err != nil || i/2%100 == 0 {
		return err
	}
	if err := store.Recall(ctx, tx, c.ID, c.Net); err != nil {
		return err
	}
	return store.Done(ctx, tx, c.ID, day)
}

// request is a fund request; one in a hundred waits.
func (g *consoleData) request(ctx context.Context, tx *ledger.Tx, i, n int) error {
	r := fund.Request{
		ID: int64(100_001 + i), UID: g.ids.At(int64(1 + i*7%g.members)), Fund: fund.Robot, Amount: money.Micro(250 * dollar), Number: "BENCH" + strconv.Itoa(1_000_000+i),
		Way: fund.ByBank, State: fund.Pending, RequestedAt: g.at(g.day(i, n)),
	}
	if i%100 != 0 {
		r.State, r.DecidedBy, r.DecidedName, r.DecidedAt = fund.Approved, 1, consoleOperator, r.RequestedAt.Add(time.Hour)
	}
	return g.w.db.Fund().Add(ctx, tx, r)
}

// withdraw is a withdrawal; one in a hundred waits. Nothing is held for it: what
// is measured reads the list.
func (g *consoleData) withdraw(ctx context.Context, tx *ledger.Tx, i, n int) error {
	at := g.at(g.day(i, n))
	w := withdrawal.Withdrawal{
		ID: int64(100_001 + i), UID: g.ids.At(int64(1 + i*7%g.members)), Wallet: "LevelIncome", Type: "USDT", Amount: money.Micro(50 * dollar), Charge: money.Micro(5 * dollar), Net: money.Micro(45 * dollar),
		Address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", State: withdrawal.Pending, RequestedAt: at, ReadyAt: at,
	}
	if i%100 != 0 {
		w.State, w.First, w.Hash = withdrawal.Confirmed, withdrawal.Approval{Operator: 1, Name: consoleOperator, At: at}, fmt.Sprintf("0x%064d", i)
		w.SentAt, w.ConfirmedAt = at.Add(time.Hour), at.Add(2*time.Hour)
	}
	return g.w.db.Withdrawal().Add(ctx, tx, w)
}

// act is something that an operator did about a member.
func (g *consoleData) act(ctx context.Context, tx *ledger.Tx, i, _ int) error {
	acts := []string{"note", "note", "note", "fund request approved", "withdrawal approved", "block"}
	return auditlog.New(auditlog.Options{Store: g.w.db.AuditLog(), Clock: clock.System(), Do: g.w.seq}).Write(ctx, tx, auditlog.Entry{
		Operator: 1, Name: consoleOperator, Act: acts[i%len(acts)], Member: g.ids.At(int64(1 + i*7%g.members)), Subject: strconv.Itoa(i), Reason: "because it is measured",
	})
}

// close is a day with what its close adds up, and what the public was shown.
func (g *consoleData) close(ctx context.Context, tx *ledger.Tx, i, _ int) error {
	day := g.first + plan.Day(i)
	store := g.w.db.Closing()
	if err := store.AddDay(ctx, tx, closing.Closed{Day: day, Plan: "default-1", Digest: fmt.Sprintf("%064d", i), FirstRow: 1, At: tx.Now()}); err != nil {
		return err
	}
	sums := []closing.DaySum{
		{Day: day, Name: closing.SumFinal, Part: closing.PartMember, N: 900, Amount: 90_000 * dollar},
		{Day: day, Name: closing.SumFinal, Part: closing.PartCustomer, N: 100, Amount: 10_000 * dollar},
		{Day: day, Name: closing.SumReversed, Part: closing.PartMember, N: 1, Amount: 100 * dollar},
	}
	for _, line := range plan.LineNames {
		sums = append(sums, closing.DaySum{Day: day, Name: closing.SumFee, Part: line, N: 1, Amount: 500 * dollar})
		for _, kind := range []plan.Kind{plan.KindROI, plan.KindROILevel} {
			sums = append(sums, closing.DaySum{Day: day, Name: closing.SumPaid, Part: closing.PartOf(kind, line), N: 1000, Amount: 2000 * dollar})
		}
	}
	for kind := plan.KindLevel; kind < plan.KindROI; kind++ {
		sums = append(sums, closing.DaySum{Day: day, Name: closing.SumPaid, Part: closing.PartOf(kind, ""), N: 1000, Amount: 3000 * dollar})
	}
	if err := store.AddDaySums(ctx, tx, sums); err != nil {
		return err
	}
	body, err := json.Marshal(transparency.Make(transparency.Facts{Closed: transparency.Closed{Day: day, Plan: "default-1", At: tx.Now()}}))
	if err != nil {
		return err
	}
	return g.w.db.Transparency().Keep(ctx, tx, day, body, tx.Now())
}

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
