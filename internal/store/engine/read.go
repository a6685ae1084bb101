package engine

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// maxIn bounds how many values one IN list carries.
const MaxIn = 500

func (g *Group) Accounts(ctx context.Context, accounts []ledger.Account) ([]ledger.AccountRow, error) {
	var out []ledger.AccountRow
	for len(accounts) > 0 {
		n := min(len(accounts), MaxIn)
		args := make([]any, n)
		for i, a := range accounts[:n] {
			args[i] = a.String()
		}
		accounts = accounts[n:]
		found, err := List(ctx, g, scanAccount, readAccounts+g.among(n), args...)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// among is the n values of an IN list that has all arguments of its statement.
// SQLite looks numbered ones up by name, each along all others.
func (g *Group) among(n int) string {
	if g.DB.engine == SQLite {
		return "(" + strings.Repeat("?, ", n-1) + "?)"
	}
	return Placeholders(1, n)
}

// readAccounts reads accounts beside their latest entries, which prove them.
const readAccounts = `SELECT a.id, a.code, a.kind, a.owner, a.posted, a.held, a.floor, a.version,
	COALESCE(e.balance_after = a.posted AND e.held_after = a.held AND e.kind = a.kind AND e.owner = a.owner, FALSE)
	FROM account a LEFT JOIN entry e ON e.account = a.id AND e.version = a.version WHERE a.code IN `

func scanAccount(r *sql.Rows) (a ledger.AccountRow, err error) {
	err = r.Scan(&a.ID, &a.Code, &a.Kind, &a.Owner, &a.Posted, &a.Held, &a.Floor, &a.Version, &a.Proved)
	return a, err
}

func (g *Group) Commands(ctx context.Context, ids []ledger.CommandID) ([]ledger.CommandRow, error) {
	var out []ledger.CommandRow
	for _, id := range ids {
		found, err := List(ctx, g, ScanCommand,
			"SELECT actor, command_key, batch, n, request, response, first_seq, last_seq, recorded_at, leaf FROM command WHERE actor = $1 AND command_key = $2",
			id.Actor, id.Key)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func ScanCommand(r *sql.Rows) (c ledger.CommandRow, err error) {
	var request, leaf []byte
	err = r.Scan(&c.Actor, &c.Key, &c.Batch, &c.N, &request, &c.Response, &c.First, &c.Last, &c.Recorded, &leaf)
	if err != nil {
		return c, err
	}
	return c, errors.Join(Fill(&c.Request, request, "command.request"), Fill(&c.Leaf, leaf, "command.leaf"))
}

func (g *Group) Holds(ctx context.Context, ids []int64) ([]ledger.HoldRow, error) {
	var out []ledger.HoldRow
	for _, id := range ids {
		found, err := List(ctx, g, scanHold,
			`SELECT h.id, h.account, a.code, h.amount, h.state, h.expires_at, h.placed, h.resolved,
				COALESCE(e.held_delta = h.amount AND e.account = h.account AND e.hold = h.id, FALSE)
				FROM hold h JOIN account a ON a.id = h.account LEFT JOIN entry e ON e.seq = h.placed AND e.leg = 1 WHERE h.id = $1`, id)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func scanHold(r *sql.Rows) (h ledger.HoldRow, err error) {
	var state string
	err = r.Scan(&h.ID, &h.Account, &h.Code, &h.Amount, &state, &h.Expires, &h.Placed, &h.Resolved, &h.Proved)
	h.State = ledger.HoldState(state)
	return h, err
}

func ScanID(r *sql.Rows) (id int64, err error) {
	err = r.Scan(&id)
	return id, err
}

func (g *Group) ReversedBy(ctx context.Context, seq int64) (int64, error) {
	found, err := List(ctx, g, ScanID, "SELECT seq FROM transfer WHERE reverses = $1 AND reverses > 0", seq)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

func (g *Group) DueHolds(ctx context.Context, t int64, limit int) ([]int64, error) {
	return List(ctx, g, ScanID, "SELECT id FROM hold WHERE state = 'open' AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2", t, limit)
}

func (g *Group) Transfer(ctx context.Context, seq int64) (t ledger.TransferRow, entries []ledger.EntryRow, found bool, err error) {
	cols := strings.Join(transferTable.names(), ", ")
	transfers, err := List(ctx, g, scanTransfer, "SELECT "+cols+" FROM transfer WHERE seq = $1", seq)
	if err != nil || len(transfers) == 0 {
		return t, nil, false, err
	}
	entries, err = List(ctx, g, scanEntry,
		"SELECT e.account, e.version, e.seq, e.leg, e.kind, e.owner, e.beneficiary, e.delta, e.held_delta, e.balance_after, e.held_after, e.hold, a.code FROM entry e JOIN account a ON a.id = e.account WHERE e.seq = $1 ORDER BY e.leg", seq)
	return transfers[0], entries, err == nil, err
}

func scanTransfer(r *sql.Rows) (t ledger.TransferRow, err error) {
	var leaf []byte
	err = r.Scan(&t.Seq, &t.ID, &t.Batch, &t.Actor, &t.Key, &t.Kind, &t.Reason, &t.Reference, &t.Effective, &t.Recorded, &t.Reverses, &t.Legs, &leaf)
	if err != nil {
		return t, err
	}
	return t, Fill(&t.Leaf, leaf, "transfer.leaf")
}

func scanEntry(r *sql.Rows) (e ledger.EntryRow, err error) {
	err = r.Scan(&e.Account, &e.Version, &e.Seq, &e.Leg, &e.Kind, &e.Owner, &e.Beneficiary, &e.Delta, &e.HeldDelta, &e.BalanceAfter, &e.HeldAfter, &e.Hold, &e.Code)
	return e, err
}

const CommandsWhere = "SELECT actor, command_key, batch, n, request, response, first_seq, last_seq, recorded_at, leaf FROM command WHERE "
