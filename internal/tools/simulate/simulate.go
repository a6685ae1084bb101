package simulate

import (
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
)

// Outcome is the result of a scenario. Submitted lists the ids that were submitted more than
// once: the first is accepted, the same event again is a duplicate, another one under the
// same id is refused.
type Outcome struct {
	Submitted map[string][]string `json:"submit_status,omitempty"`
	Days      []*closing.Report   `json:"days"`
	Final     map[string]any      `json:"final"`
	Notes     []string            `json:"-"` // ignored parts of the scenario
}

// World is an installation on a new database.
type World struct {
	db        *store.DB
	ledger    *ledger.Sequencer
	signer    *ledger.Signer
	clock     *clock.Fake
	plan      *plan.Plan
	withdrawn []withdrawn
	EventRunner
}

// withdrawn is a withdrawal that was paid.
type withdrawn struct {
	id, uid, wallet string
	day             plan.Day
	at              time.Time
	amount, charge  money.Amount
}

// Run runs a scenario on the database at dsn, which must be empty.
func Run(ctx context.Context, dsn string, s *Scenario) (Outcome, error) {
	return run(ctx, dsn, s, func(int64, int64) {})
}

func run(ctx context.Context, dsn string, s *Scenario, progress func(done, total int64)) (out Outcome, err error) {
	p, err := plan.Parse(s.Plan)
	if err != nil {
		return out, err
	}
	events, submitted := s.order(p)
	out.Submitted = submitted
	first, last, err := s.days(events)
	if err != nil {
		return out, err
	}
	late(events, first, p)
	out.Notes = notes(events, last)
	w, done, err := open(ctx, dsn, p)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := w.begin(ctx, s.Plan, first); err != nil {
		return out, err
	}
	next := 0
	for day := first; day <= last; day++ {
		for ; next < len(events) && events[next].day <= day; next++ {
			if err := w.feed(ctx, events[next]); err != nil {
				return out, err
			}
		}
		w.until(day)
		report, err := w.Closing.Commit(ctx, day, "")
		if err != nil {
			return out, err
		}
		out.Days = append(out.Days, report)
		progress(int64(day-first)+1, int64(last-first)+1)
	}
	if out.Final, err = w.final(ctx); err != nil {
		return out, err
	}
	return out, w.verify(ctx)
}

// verify checks the resulting ledger, tree and books.
func (w *World) verify(ctx context.Context) error {
	if err := w.db.Audit(ctx, func(r audit.Reader) error {
		_, err := audit.Verify(ctx, r, audit.Options{PublicKeys: map[string]ed25519.PublicKey{w.signer.KeyID(): w.signer.Public()}})
		return err
	}); err != nil {
		return err
	}
	if _, err := tree.Check(ctx, w.db.Tree()); err != nil {
		return err
	}
	if err := closing.CheckDays(ctx, w.db.Days()); err != nil {
		return err
	}
	return closing.CheckBooks(ctx, w.db.Books())
}

// open starts the services that a scenario needs.
func open(ctx context.Context, dsn string, p *plan.Plan) (*World, func() error, error) {
	db, err := store.Open(ctx, dsn)
	if err != nil {
		return nil, nil, err
	}
	// This check comes before any write: a scenario in a real ledger would be signed by
	// a temporary key. A database without a schema has no batches.
	if _, begun, err := db.Ledger().BatchHash(ctx, 1); err == nil && begun {
		return nil, nil, errors.Join(errs.New(errs.Refused, "simulate.ledger_exists", "This database already contains a ledger. simulate needs an empty database."), db.Close())
	}
	if _, err := db.Migrate(ctx); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	keys, err := os.MkdirTemp("", "bifolia-simulate-")
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	signer, err := ledger.CreateSigner(filepath.Join(keys, "ledger.key"))
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	log := slog.New(slog.DiscardHandler)
	w := &World{db: db, signer: signer, clock: clock.NewFake(time.Unix(0, 0)), plan: p}
	w.ledger = ledger.Start(ledger.Options{Store: db.Ledger(), Signer: signer, Clock: w.clock, Log: log, Holder: "simulate"})
	w.Tree = tree.NewService(db.Tree(), log)
	w.Members = member.New(member.Options{Store: db.Member()})
	w.Closing = closing.New(closing.Options{
		Do: w.ledger, Store: db.Closing(), Sales: db.Sale(), Positions: db.Invest(), Tree: w.Tree, Members: w.Members, Clock: w.clock, Log: log,
	})
	w.Market = market.New(market.Options{Closing: w.Closing, Sales: db.Sale(), Positions: db.Invest(), Tree: w.Tree, Members: w.Members})
	w.Withdrawn = func(e Event, day plan.Day, amount, charge money.Amount) {
		w.withdrawn = append(w.withdrawn, withdrawn{e.ID, e.UID, e.Type, day, e.At.UTC(), amount, charge})
	}
	done := func() error {
		w.ledger.Close()
		return errors.Join(db.Close(), os.RemoveAll(keys))
	}
	if err := w.ledger.WaitReady(ctx); err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return w, done, nil
}

// do runs one command.
func (w *World) do(ctx context.Context, key string, body []byte, run func(context.Context, *ledger.Tx) error) error {
	_, err := w.ledger.Do(ctx, ledger.Command{Actor: "simulate", Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}

// begin makes the plan effective from the first day.
func (w *World) begin(ctx context.Context, body []byte, first plan.Day) error {
	return w.do(ctx, "", nil, func(ctx context.Context, tx *ledger.Tx) error {
		return w.Closing.SetPlan(ctx, tx, body, min(first, 0), tx.Now())
	})
}

// until sets the clock to the end of a local day.
func (w *World) until(day plan.Day) {
	end, err := time.ParseInLocation(time.DateOnly, (day + 1).String(), w.plan.Zone())
	if err == nil {
		w.clock.SetWall(end.UTC())
	}
}
