package trade

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

type saleStore struct{}

var saleSigned = evidence.NewSignedTable("sale", "id, no, payer, package, topup, amount, volume, day, at", evidence.SignedOptions{Checked: true})

func Sale(db *engine.DB) sale.Store { return saleStore{} }

const saleColumns = "id, no, payer, package, topup, amount, volume, day, at, state, final_day"

func scanSale(r *sql.Rows) (s sale.Sale, err error) { return scanSaleAnd(r) }

// scanSaleAnd reads a sale and what the query has behind it.
func scanSaleAnd(r *sql.Rows, more ...any) (s sale.Sale, err error) {
	var amount, volume, at int64
	err = r.Scan(append([]any{&s.ID, &s.No, &s.Payer, &s.Package, &s.Topup, &amount, &volume, &s.Day, &at, &s.State, &s.FinalDay}, more...)...)
	s.Amount, s.Volume, s.At = money.Micro(amount), money.Micro(volume), engine.Instant(at)
	return s, err
}

// saleFacts are what is signed of a sale.
func saleFacts(s *sale.Sale) []any {
	return []any{s.ID, s.No, s.Payer, s.Package, string(s.Topup), s.Amount.Micros(), s.Volume.Micros(), int64(s.Day), engine.Micros(s.At)}
}

func (saleStore) Add(ctx context.Context, tx *ledger.Tx, s sale.Sale) error {
	facts := saleFacts(&s)
	evidence.SignRow(engine.GroupOf(tx), saleSigned, facts...)
	_, err := engine.GroupOf(tx).Exec(ctx, "INSERT INTO sale ("+saleColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", append(facts, string(s.State), int64(s.FinalDay))...)
	return err
}

func (saleStore) Get(ctx context.Context, tx *ledger.Tx, id string) (sale.Sale, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanSale, "SELECT "+saleColumns+" FROM sale WHERE id = $1", id)
}

func (s saleStore) Verified(ctx context.Context, tx *ledger.Tx, id string) (sale.Sale, bool, error) {
	if err := evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, saleSigned, id); err != nil {
		return sale.Sale{}, false, err
	}
	return s.Get(ctx, tx, id)
}

func (saleStore) Owned(ctx context.Context, tx *ledger.Tx, no int64) (money.Amount, int64, error) {
	type owned struct{ sum, count int64 }
	scan := func(r *sql.Rows) (o owned, err error) {
		err = r.Scan(&o.sum, &o.count)
		return o, err
	}
	o, _, err := engine.First(ctx, engine.GroupOf(tx), scan, "SELECT COALESCE(CAST(SUM(amount) AS BIGINT), 0), COUNT(*) FROM sale WHERE no = $1 AND state IN ('cooling', 'final')", no)
	return money.Micro(o.sum), o.count, err
}

func (saleStore) Newer(ctx context.Context, tx *ledger.Tx, s sale.Sale) (sale.Sale, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanSale, "SELECT "+saleColumns+" FROM sale WHERE no = $1 AND payer = $2 AND state IN ('cooling', 'final') AND (day, at, id) > ($3, $4, $5) ORDER BY day DESC, at DESC, id DESC LIMIT 1",
		s.No, s.Payer, int64(s.Day), engine.Micros(s.At), s.ID)
}

func (saleStore) SetState(ctx context.Context, tx *ledger.Tx, id string, from, to sale.State, finalDay plan.Day) error {
	return engine.ExecOne(ctx, engine.GroupOf(tx), "sale "+id, "UPDATE sale SET state = $1, final_day = $2 WHERE id = $3 AND state = $4", string(to), int64(finalDay), id, string(from))
}

func (saleStore) Finalise(ctx context.Context, tx *ledger.Tx, ids []string, day plan.Day) error {
	g := engine.GroupOf(tx)
	if err := g.GrowCache(ctx, len(ids)); err != nil {
		return err
	}
	return engine.InChunks(ids, func(part []string) error {
		args := []any{int64(day)}
		for _, id := range part {
			args = append(args, id)
		}
		n, err := g.Exec(ctx, "UPDATE sale SET state = 'final', final_day = $1 WHERE state = 'cooling' AND id IN "+engine.Placeholders(2, len(part)), args...)
		if err == nil && n != int64(len(part)) {
			err = &engine.MissedError{What: "sales", Hit: n, Want: len(part)}
		}
		return err
	})
}

func (saleStore) Due(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]sale.Sale, error) {
	all, err := engine.List(ctx, engine.GroupOf(tx), scanSale, "SELECT "+saleColumns+" FROM sale WHERE state = 'cooling' AND day <= $1", int64(day))
	if err == nil {
		err = evidence.VerifierIn(engine.GroupOf(tx)).VerifyPart(ctx, saleSigned, "cooling sales", len(all), func(i int) []any { return saleFacts(&all[i]) })
	}
	slices.SortFunc(all, func(a, b sale.Sale) int { // databases sort text by rules of their own
		return cmp.Or(cmp.Compare(a.Day, b.Day), strings.Compare(a.ID, b.ID))
	})
	return all, err
}
