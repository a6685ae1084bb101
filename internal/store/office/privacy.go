package office

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
)

// Flags, members that may be one person, and the erasure of personal data.

const flagColumns = "id, uid, flag, raised, operator, name, reason, at"

var flagSigned = evidence.NewSignedTable("member_flag", flagColumns, evidence.SignedOptions{Checked: true})

func scanFlag(r *sql.Rows) (f staff.FlagRow, err error) {
	var raised, at int64
	err = r.Scan(&f.ID, &f.UID, &f.Flag, &raised, &f.Operator, &f.Name, &f.Reason, &at)
	f.Raised, f.At = raised != 0, engine.Instant(at)
	return f, err
}

func (officeStore) AddFlag(ctx context.Context, tx *ledger.Tx, f staff.FlagRow) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM member_flag")
	if err != nil {
		return 0, err
	}
	return id, evidence.ChangeRow(ctx, engine.GroupOf(tx), flagSigned, []any{id}, "INSERT INTO member_flag ("+flagColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		id, f.UID, string(f.Flag), engine.BoolInt(f.Raised), f.Operator, f.Name, f.Reason, engine.Micros(f.At))
}

func (s officeStore) Flags(ctx context.Context, tx *ledger.Tx, uid int64) ([]staff.FlagRow, error) {
	return engine.List(ctx, s.db.From(tx), scanFlag, "SELECT "+flagColumns+` FROM member_flag WHERE uid = $1 AND raised = 1
		AND id IN (SELECT MAX(id) FROM member_flag WHERE uid = $1 GROUP BY flag) ORDER BY id`, uid)
}

func (s officeStore) LastHold(ctx context.Context, tx *ledger.Tx, uid int64) (staff.FlagRow, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanFlag, "SELECT "+flagColumns+" FROM member_flag WHERE uid = $1 AND flag = $2 ORDER BY id DESC LIMIT 1", uid, string(staff.FlagHold))
}

func (s officeStore) FlagHistory(ctx context.Context, uid, before int64, limit int) ([]staff.FlagRow, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return engine.List(ctx, s.db.Committed(), scanFlag, "SELECT "+flagColumns+" FROM member_flag WHERE uid = $1 AND id < $2 ORDER BY id DESC LIMIT $3", uid, before, int64(limit))
}

// maxPeerSessions bounds how many sessions of one address are read.
const maxPeerSessions = 200

// alike finds other members than $1 by the value $2, at most $3. Each way uses an index.
func alike(db *engine.DB, way staff.Way) (query string, err error) {
	where := map[staff.Way]string{
		staff.SameMobile: bytewise(db, "mobile") + " = $2",
		staff.SameWallet: "wallet = $2 AND wallet <> ''",
		staff.SameEmail:  "email_key = $2 AND email_key <> ''",
		staff.SameBank:   "bank_key = $2 AND bank_key <> ''",
	}[way]
	switch {
	case way == staff.SameAddress:
		return fmt.Sprintf(`SELECT DISTINCT owner FROM (SELECT owner FROM session WHERE peer = $2 AND kind = 'member' AND peer <> ''
			ORDER BY created_at DESC LIMIT %d) latest WHERE owner <> $1 ORDER BY owner LIMIT $3`, maxPeerSessions), nil
	case where == "":
		return "", fmt.Errorf("nobody is alike by %q", way)
	}
	return "SELECT uid FROM member WHERE " + where + " AND uid <> $1 ORDER BY uid LIMIT $3", nil
}

func (s officeStore) Alike(ctx context.Context, uid int64, way staff.Way, value, more string, limit int) ([]int64, error) {
	query, err := alike(s.db, way)
	if err != nil {
		return nil, err
	}
	if way == staff.SameBank {
		if value, err = people.BankKey(s.db, value, more); err != nil {
			return nil, err
		}
	}
	return engine.List(ctx, s.db.Committed(), engine.ScanID, query, uid, value, int64(limit))
}

func (s officeStore) Peers(ctx context.Context, uid int64, limit int) ([]string, error) {
	scan := func(r *sql.Rows) (peer string, err error) {
		err = r.Scan(&peer)
		return peer, err
	}
	found, err := engine.List(ctx, s.db.Committed(), scan, "SELECT peer FROM session WHERE owner = $1 AND kind = 'member' AND peer <> '' ORDER BY created_at DESC LIMIT $2", uid, int64(maxPeerSessions))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range found {
		if len(out) < limit && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

func (s officeStore) Obstacles(ctx context.Context, tx *ledger.Tx, uid int64) (staff.Obstacles, error) {
	scan := func(r *sql.Rows) (o staff.Obstacles, err error) {
		err = r.Scan(&o.Withdrawals, &o.Positions, &o.Claims, &o.Requests, &o.Cooling, &o.Debt, &o.Tickets, &o.Corrections)
		return o, err
	}
	o, _, err := engine.First(ctx, s.db.From(tx), scan, `SELECT
		(SELECT COUNT(*) FROM withdrawal WHERE uid = $1 AND state IN ('Pending', 'Approved', 'Sent')),
		(SELECT COUNT(*) FROM invest_position x JOIN place p ON p.no = x.no WHERE p.uid = $1 AND x.state <> 'claimed'),
		(SELECT COUNT(*) FROM claim x JOIN place p ON p.no = x.no WHERE p.uid = $1 AND x.state = 'Pending'),
		(SELECT COUNT(*) FROM fund_request WHERE uid = $1 AND state = 'Pending'),
		(SELECT COUNT(*) FROM sale x JOIN place p ON p.no = x.no WHERE p.uid = $1 AND x.state = 'cooling'),
		(SELECT COUNT(*) FROM carry x JOIN place p ON p.no = x.no WHERE p.uid = $1 AND x.debt > 0),
		(SELECT COUNT(*) FROM support_ticket WHERE uid = $1 AND status = 'open'),
		(SELECT COUNT(*) FROM correction WHERE uid = $1 AND state = 'waiting')`, uid)
	if err != nil {
		return o, err
	}
	balance := func(r *sql.Rows) (a staff.AccountLine, err error) {
		var posted, held int64
		err = r.Scan(&a.Code, &posted, &held)
		a.Posted, a.Held = money.Micro(posted), money.Micro(held)
		return a, err
	}
	o.Balances, err = engine.List(ctx, s.db.From(tx), balance, "SELECT code, posted, held FROM account WHERE owner = $1 AND (posted <> 0 OR held <> 0) ORDER BY code", uid)
	return o, err
}

func (officeStore) Emails(ctx context.Context, tx *ledger.Tx, uid int64) ([]string, error) {
	scan := func(r *sql.Rows) (email string, err error) {
		err = r.Scan(&email)
		return email, err
	}
	return engine.List(ctx, engine.GroupOf(tx), scan, "SELECT email FROM member_email WHERE uid = $1 AND confirmed = 1", uid)
}

// erasedText replaces erased text.
const erasedText = "[erased]"

// erasedLetter sets the columns of an erased letter.
const erasedLetter = `recipient = '` + erasedText + `', subject = '` + erasedText + `', letter = '', error = '',
	state = CASE WHEN state = 'waiting' THEN 'failed' ELSE state END`

func (s officeStore) EraseTexts(ctx context.Context, tx *ledger.Tx, uid int64, emails []string) error {
	do := func(query string, args ...any) error {
		_, err := engine.GroupOf(tx).Exec(ctx, query, args...)
		return err
	}
	for _, query := range []string{
		"UPDATE support_ticket SET query = '" + erasedText + "', reply = CASE WHEN reply = '' THEN '' ELSE '" + erasedText + "' END WHERE uid = $1",
		"DELETE FROM support_word WHERE ticket IN (SELECT id FROM support_ticket WHERE uid = $1)",
		"INSERT INTO support_word (ticket, word) SELECT id, 'erased' FROM support_ticket WHERE uid = $1",
		"UPDATE support_act SET text = '" + erasedText + "' WHERE text <> '' AND ticket IN (SELECT id FROM support_ticket WHERE uid = $1)",
		"UPDATE member_note SET text = '" + erasedText + "' WHERE uid = $1",
		"DELETE FROM member_email WHERE uid = $1",
		"UPDATE outbox SET " + erasedLetter + " WHERE uid = $1",
	} {
		if err := do(query, uid); err != nil {
			return err
		}
	}
	if err := errors.Join(s.signErased(ctx, engine.GroupOf(tx), uid), evidence.DeleteOne(ctx, engine.GroupOf(tx), people.WithdrawalCodeSigned, uid)); err != nil {
		return err
	}
	for _, email := range emails {
		// Mail to an address that others use as well stays.
		others, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT (SELECT COUNT(*) FROM member WHERE "+bytewise(s.db, "lower(email)")+
			" = lower($1) AND uid <> $2) + (SELECT COUNT(*) FROM operator WHERE lower(email) = lower($1))", email, uid)
		if err != nil {
			return err
		}
		if email == "" || others > 0 {
			continue
		}
		if err := do("UPDATE outbox SET "+erasedLetter+" WHERE recipient = $1 AND uid = 0", email); err != nil {
			return err
		}
		if err := do("DELETE FROM newsletter WHERE email = $1 OR email = lower($1)", email); err != nil {
			return err
		}
	}
	return nil
}

// signErased signs the rows that an erasure changed. The member's salt is deleted, so that
// nothing can be guessed from earlier lines.
func (officeStore) signErased(ctx context.Context, g *engine.Group, uid int64) error {
	return errors.Join(
		evidence.SignAll(ctx, g, people.TicketSigned, "SELECT id FROM support_ticket WHERE uid = $1 ORDER BY id", uid),
		evidence.SignAll(ctx, g, people.TicketActSigned, "SELECT a.ticket, a.no FROM support_act a JOIN support_ticket t ON t.id = a.ticket WHERE t.uid = $1 ORDER BY a.ticket, a.no", uid),
		evidence.SignAll(ctx, g, noteSigned, "SELECT id FROM member_note WHERE uid = $1 ORDER BY id", uid),
	)
}
