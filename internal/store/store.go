// Package store stores all data in SQL, on SQLite or PostgreSQL. It implements the Store
// interfaces of the packages below it, in one package for each of their groups. These use
// two more: engine, which runs SQL, and evidence, which signs and verifies rows.
// DB is all of them together; only app, the tools and tests import it.
package store

import (
	"context"
	"crypto/ed25519"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/people/team"
	storecash "github.com/bifolia/bifolia/internal/store/cash"
	storecore "github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	storeinsight "github.com/bifolia/bifolia/internal/store/insight"
	storeoffice "github.com/bifolia/bifolia/internal/store/office"
	storepeople "github.com/bifolia/bifolia/internal/store/people"
	storetrade "github.com/bifolia/bifolia/internal/store/trade"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// DB is an open database with the stores of every group.
type DB struct{ *engine.DB }

// Types that the packages below return.
type (
	Identity    = engine.Identity
	Standing    = engine.Standing
	Joining     = storepeople.Joining
	ListFinding = storeinsight.ListFinding
	Reactivated = storepeople.Reactivated
	TreeLoad    = storepeople.TreeLoad
	WordFinding = storepeople.WordFinding
)

// Open connects to dsn (sqlite:PATH or postgres://…) and checks that it answers. It
// changes nothing; Migrate does. The error is one sentence that never shows a password.
func Open(ctx context.Context, dsn string) (*DB, error) { return open(ctx, dsn, engine.Open) }

// OpenToRead is Open on connections that cannot write, beside a server that may run.
func OpenToRead(ctx context.Context, dsn string) (*DB, error) {
	return open(ctx, dsn, engine.OpenToRead)
}

func open(ctx context.Context, dsn string, by func(context.Context, string) (*engine.DB, error)) (*DB, error) {
	db, err := by(ctx, dsn)
	if err != nil {
		return nil, err
	}
	evidence.Attach(db)
	return &DB{db}, nil
}

// Files of SQLite databases and what this program knows of schemas.
var (
	InspectSQLite = engine.InspectSQLite
	ReplaceSQLite = engine.ReplaceSQLite
	KnownSchema   = engine.KnownSchema
)

// Stores of core.

func (db *DB) AuditLog() auditlog.Store { return storecore.AuditLog(db.DB) }
func (db *DB) Tree() tree.Store         { return storecore.Tree(db.DB) }
func (db *DB) Audit(ctx context.Context, fn func(audit.Reader) error) error {
	return storecore.Audit(ctx, db.DB, fn)
}

// Stores of people.

func (db *DB) Auth() auth.Store             { return storepeople.Auth(db.DB) }
func (db *DB) Enrol() enrol.Store           { return storepeople.Enrol(db.DB) }
func (db *DB) Mail() mail.Store             { return storepeople.Mail(db.DB) }
func (db *DB) Member() member.Store         { return storepeople.Member(db.DB) }
func (db *DB) Newsletter() newsletter.Store { return storepeople.Newsletter(db.DB) }
func (db *DB) Notice() notice.Store         { return storepeople.Notice(db.DB) }
func (db *DB) Support() support.Store       { return storepeople.Support(db.DB) }
func (db *DB) Team() team.Store             { return storepeople.Team(db.DB) }
func (db *DB) Setting(ctx context.Context, name string) ([]byte, bool, error) {
	return storepeople.Setting(ctx, db.DB, name)
}

// Stores of office.

func (db *DB) Office() staff.Store      { return storeoffice.Staff(db.DB) }
func (db *DB) Settings() settings.Store { return storeoffice.Settings(db.DB) }

// Stores of cash.

func (db *DB) Deposit() deposit.Store       { return storecash.Deposit(db.DB) }
func (db *DB) Fund() fund.Store             { return storecash.Fund(db.DB) }
func (db *DB) Payout() payout.Store         { return storecash.Payout(db.DB) }
func (db *DB) Withdrawal() withdrawal.Store { return storecash.Withdrawal(db.DB) }

// Stores of trade.

func (db *DB) Books() closing.BookStore                 { return storetrade.Books(db.DB) }
func (db *DB) Closing() closing.Store                   { return storetrade.Closing(db.DB) }
func (db *DB) Corrections() booking.CorrectionStore     { return storetrade.Corrections(db.DB) }
func (db *DB) CorrectionBooks() booking.CorrectionBooks { return storetrade.CorrectionBooks(db.DB) }
func (db *DB) Days() closing.DayStore                   { return storetrade.Days(db.DB) }
func (db *DB) Operate() booking.Store                   { return storetrade.Booking(db.DB) }
func (db *DB) Invest() invest.Store                     { return storetrade.Invest(db.DB) }
func (db *DB) Past() closing.Past                       { return storetrade.Past(db.DB) }
func (db *DB) Sale() sale.Store                         { return storetrade.Sale(db.DB) }
func (db *DB) Sums() closing.SumStore                   { return storetrade.Sums(db.DB) }
func (db *DB) History(ctx context.Context) (closing.History, error) {
	return storetrade.History(ctx, db.DB)
}

func (db *DB) Totals(ctx context.Context) (closing.Totals, error) {
	return storetrade.Totals(ctx, db.DB)
}

// Stores of insight.

func (db *DB) Figures() figures.Store           { return storeinsight.Figures(db.DB) }
func (db *DB) Report() report.Store             { return storeinsight.Report(db.DB) }
func (db *DB) Transparency() transparency.Store { return storeinsight.Transparency(db.DB) }

// Keys.

// Trust gives the keys by which batches are signed. Without them lines are believed
// unchecked.
func (db *DB) Trust(keys map[string]ed25519.PublicKey) { evidence.Trust(db.DB, keys) }

// SealWith gives the keys that values are sealed with, the current one first. Without one
// nothing sealed can be written or read.
func (db *DB) SealWith(keys ...[]byte) error { return evidence.SealWith(db.DB, keys...) }

// CanUnseal reports whether there is a key to check sealed rows with.
func (db *DB) CanUnseal() bool { return evidence.CanUnseal(db.DB) }

// Checks of verify. Each error names the first wrong row.

func (db *DB) KindSigned(ctx context.Context) error    { return evidence.KindSigned(ctx, db.DB) }
func (db *DB) CheckObjects(ctx context.Context) error  { return evidence.CheckObjects(ctx, db.DB) }
func (db *DB) CheckSealed(ctx context.Context) error   { return storepeople.CheckSealed(ctx, db.DB) }
func (db *DB) CheckWords(ctx context.Context) error    { return storepeople.CheckWords(ctx, db.DB) }
func (db *DB) CheckEvidence(ctx context.Context) error { return storetrade.CheckEvidence(ctx, db.DB) }

func (db *DB) CheckLists(ctx context.Context) error { return storeinsight.CheckLists(ctx, db.DB) }

// Restores.

// NoteRestore stores that the database was restored from a backup.
func (db *DB) NoteRestore(ctx context.Context, n payout.Note) error {
	return storecash.NoteRestore(ctx, db.DB, n)
}

// RevokeSignIns ends every session and every code that signs somebody in.
func (db *DB) RevokeSignIns(ctx context.Context, tx *ledger.Tx) error {
	return storepeople.RevokeSignIns(ctx, db.DB, tx)
}

// CountReactivated counts the sessions, codes and requests that an older copy brought back.
func (db *DB) CountReactivated(ctx context.Context) (Reactivated, error) {
	return storepeople.CountReactivated(ctx, db.DB)
}

// For benchmarks and tests.

// LoadTree loads a tree of members.
func (db *DB) LoadTree(ctx context.Context, l TreeLoad) error {
	return storepeople.LoadTree(ctx, db.DB, l)
}

// SignTree signs the members of a loaded tree.
func (db *DB) SignTree(ctx context.Context, write func(run func(*ledger.Tx)) error) error {
	return storepeople.SignTree(ctx, db.DB, write)
}

// LoadPurchases adds sales and positions within a command.
func (db *DB) LoadPurchases(ctx context.Context, tx *ledger.Tx, sales []sale.Sale, positions []invest.Position) error {
	return storetrade.LoadPurchases(ctx, db.DB, tx, sales, positions)
}
