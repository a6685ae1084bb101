package office

import (
	"context"
	"database/sql"
	"math"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// settingStore keeps proposed settings.
type settingStore struct{ db *engine.DB }

var settingSigned = evidence.NewSignedTable("setting_proposal", settingFacts+", was, body, revision", evidence.SignedOptions{Checked: true, Remembered: true})

func Settings(db *engine.DB) settings.Store { return settingStore{db} }

func (s settingStore) Stamp(ctx context.Context) (int64, error) {
	return engine.Value(ctx, s.db.Committed(), engine.ScanID, "SELECT CAST(COALESCE(SUM(revision), 0) AS BIGINT) FROM setting_proposal")
}

const (
	settingFacts = `id, section, reason, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at,
	holds_from, ended_by, ended_name, ended_at, alone`
	settingProposal = "SELECT " + settingFacts + ", was, body FROM setting_proposal "
)

func scanSettingProposal(r *sql.Rows) (p settings.Proposal, err error) {
	var at, decided, holds, ended int64
	var was, body string
	err = r.Scan(&p.ID, &p.Section, &p.Reason, &p.By, &p.ByName, &at, &p.State, &p.Decided, &p.DecidedName, &decided,
		&holds, &p.Ended, &p.EndedName, &ended, &p.Alone, &was, &body)
	p.At, p.DecidedAt, p.Holds, p.EndedAt = engine.Instant(at), engine.Instant(decided), engine.Instant(holds), engine.Instant(ended)
	p.Was, p.Body = []byte(was), []byte(body)
	return p, err
}

// Standing verifies each: the server acts on them, and proposals start from them.
func (s settingStore) Standing(ctx context.Context, tx *ledger.Tx) (all []settings.Proposal, err error) {
	err = evidence.Verified(ctx, s.db, tx, func(q engine.Querier, v evidence.RowVerifier) error {
		all, err = engine.List(ctx, q, scanSettingProposal, settingProposal+`WHERE state = 'approved' AND (SELECT COUNT(*) FROM setting_proposal n
			WHERE n.section = setting_proposal.section AND n.state = 'approved' AND n.id > setting_proposal.id) < 2 ORDER BY id`)
		if err != nil {
			return err
		}
		return v.Rows(ctx, settingSigned, evidence.KeysOf(all, func(p settings.Proposal) any { return p.ID }))
	})
	return all, err
}

func (s settingStore) Ever(ctx context.Context, section settings.Section) ([]string, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanText, `SELECT body FROM setting_proposal WHERE section = $1 AND state = 'approved'
		UNION SELECT was FROM setting_proposal WHERE section = $1 AND state = 'approved'`, string(section))
}

func (s settingStore) Waiting(ctx context.Context, tx *ledger.Tx) ([]settings.Proposal, error) {
	return engine.List(ctx, s.db.From(tx), scanSettingProposal, settingProposal+"WHERE state = 'waiting' ORDER BY id")
}

func (s settingStore) List(ctx context.Context, section settings.Section, before int64, limit int) ([]settings.Proposal, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return engine.List(ctx, s.db.Committed(), scanSettingProposal, "SELECT "+settingFacts+", '', '' FROM setting_proposal WHERE section = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
		string(section), before, int64(limit))
}

func (s settingStore) Get(ctx context.Context, tx *ledger.Tx, id int64) (settings.Proposal, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanSettingProposal, settingProposal+"WHERE id = $1", id)
}

func (settingStore) Add(ctx context.Context, tx *ledger.Tx, p settings.Proposal) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM setting_proposal")
	if err != nil {
		return 0, err
	}
	return id, evidence.ChangeRow(ctx, engine.GroupOf(tx), settingSigned, []any{id}, "INSERT INTO setting_proposal ("+settingFacts+", was, body, revision) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, '', 0, 0, 0, '', 0, '', $8, $9, 1)",
		id, string(p.Section), p.Reason, p.By, p.ByName, engine.Micros(p.At), string(p.State), string(p.Was), string(p.Body))
}

func (settingStore) Set(ctx context.Context, tx *ledger.Tx, p settings.Proposal) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), settingSigned, []any{p.ID}, `UPDATE setting_proposal SET revision = revision + 1, state = $2, decided_by = $3, decided_name = $4, decided_at = $5,
		holds_from = $6, ended_by = $7, ended_name = $8, ended_at = $9, alone = $10 WHERE id = $1`,
		p.ID, string(p.State), p.Decided, p.DecidedName, engine.Micros(p.DecidedAt), engine.Micros(p.Holds), p.Ended, p.EndedName, engine.Micros(p.EndedAt), p.Alone)
}
