package engine

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// On PostgreSQL the server works as a role that can read and add to the
// append-only tables but not change or delete there. It is assumed on every
// connection; migrations run as the connecting user, who owns the tables.
//
// Where the connecting user may not create roles, an administrator creates it
// once: CREATE ROLE bifolia_app NOLOGIN; GRANT bifolia_app TO <user>. Without
// it the server works, and says at start that the guard is missing.
const appRole = "bifolia_app"

// appendOnly tables may be read and added to.
var appendOnly = map[string]bool{"transfer": true, "entry": true, "batch": true, "command": true, "place_change": true, "deposit_address": true, "unmatched_payment": true, "withdrawal_part": true, "trail": true, "member_note": true, "member_flag": true, "evidence": true, "payout_tx": true, "support_act": true, "booking_fact": true, "restore_note": true}

// erasable are the columns of append-only tables that may lose what they say
// when a person is erased; triggers let nothing else be written there.
var erasable = map[string]string{"member_note": "text", "support_act": "text"}

// keepRows tables may also be updated; nothing is ever deleted there.
var keepRows = map[string]bool{"account": true, "hold": true, "head": true, "place": true, "member": true, "visit_ticket": true, "fund_request": true, "deposit_intent": true, "deposit_cursor": true, "withdrawal": true, "payout_batch": true, "payout": true, "payout_wallet": true, "setting_proposal": true, "booking_proposal": true, "correction": true, "payout_hold": true, "payout_found": true}

const roleUsable = "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '" + appRole + "' AND pg_has_role(session_user, oid, 'MEMBER'))"

// roleGranted: the role is ours to assume and the tables have been granted to it.
const roleGranted = `SELECT COALESCE(bool_or(pg_has_role(session_user, r.oid, 'MEMBER')
	AND has_table_privilege(r.oid, to_regclass('head')::oid, 'UPDATE')), false) FROM pg_roles r WHERE r.rolname = '` + appRole + `'`

// assumeRole makes a connection the server's, which cannot rewrite what is append-only.
func assumeRole(ctx context.Context, conn *pgx.Conn) error {
	var granted bool
	if err := conn.QueryRow(ctx, roleGranted).Scan(&granted); err != nil || !granted {
		return err
	}
	_, err := conn.Exec(ctx, "SET ROLE "+appRole)
	return err
}

// Guarded tells whether the database itself keeps the server from changing or
// deleting what is append-only.
func (db *DB) Guarded(ctx context.Context) (bool, error) {
	if db.engine == SQLite {
		return true, nil // by triggers
	}
	var can bool
	err := db.Write.QueryRowContext(ctx, "SELECT has_table_privilege(current_user, 'transfer', 'UPDATE') OR has_table_privilege(current_user, 'entry', 'DELETE')").Scan(&can)
	return !can, err
}

// roleLock keeps two processes from granting at once, which PostgreSQL refuses.
const roleLock = leaseLock + 1

// prepareRole creates the role and gives it what it needs, one process after
// the other.
func prepareRole(ctx context.Context, owner *sql.DB) (err error) {
	conn, err := owner.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(roleLock)); err != nil {
		return err
	}
	err = errors.Join(ensureRole(ctx, conn), grantRole(ctx, conn))
	_, uerr := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(roleLock))
	return errors.Join(err, uerr)
}

// ensureRole creates the role where that is allowed.
func ensureRole(ctx context.Context, owner *sql.Conn) error {
	_, err := owner.ExecContext(ctx, `DO $$ BEGIN
		IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '`+appRole+`')
			AND (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = session_user) THEN
			BEGIN
				CREATE ROLE `+appRole+` NOLOGIN;
			EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another process was faster
			END;
			EXECUTE format('GRANT `+appRole+` TO %I', session_user);
		END IF;
	END $$`)
	return err
}

// grantRole gives the role what it needs on every table, and no more.
func grantRole(ctx context.Context, owner *sql.Conn) error {
	var usable bool
	if err := owner.QueryRowContext(ctx, roleUsable).Scan(&usable); err != nil || !usable {
		return err
	}
	tables, err := publicTables(ctx, owner)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("GRANT USAGE ON SCHEMA public TO " + appRole + ";\n")
	for _, t := range tables {
		rights := "SELECT, INSERT, UPDATE, DELETE"
		switch {
		case appendOnly[t]:
			rights = "SELECT, INSERT"
			if column := erasable[t]; column != "" {
				rights += ", UPDATE (" + column + ")"
			}
		case keepRows[t]:
			rights = "SELECT, INSERT, UPDATE"
		case strings.HasPrefix(t, "goose_"):
			rights = "SELECT"
		}
		name := pgx.Identifier{t}.Sanitize()
		b.WriteString("REVOKE ALL ON " + name + " FROM " + appRole + "; GRANT " + rights + " ON " + name + " TO " + appRole + ";\n")
	}
	_, err = owner.ExecContext(ctx, b.String())
	return err
}

func publicTables(ctx context.Context, owner *sql.Conn) (names []string, err error) {
	found, err := owner.QueryContext(ctx, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")
	if err != nil {
		return nil, err
	}
	defer func(r *sql.Rows) { _ = r.Close() }(found)
	for found.Next() {
		var n string
		if err := found.Scan(&n); err != nil {
			return nil, err
		}
		names = append(names, n)
	}
	return names, found.Err()
}
