package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// heldTables are the tables whose rows verify holds, and the columns that name their
// rows. The ledger's own are tried by the tests of package audit, column by column.
var heldTables = map[string][]string{
	"sale": {"id"}, "invest_position": {"id"}, "claim": {"id"}, "income": {"row_no"}, "roi_batch": {"id"}, "booking": {"id"}, "booking_proposal": {"id"}, "booking_fact": {"proposal"},
	"day_event": {"id"}, "refusal": {"id"}, "close_day": {"day"}, "close_proposal": {"day"}, "plan_version": {"no"}, "plan_proposal": {"version"},
	"fund_request": {"id"}, "deposit_address": {"root", "branch", "idx"}, "deposit_intent": {"id"}, "deposit_cursor": {"token"}, "unmatched_payment": {"id"}, "fund_held": {"uid", "fund", "giver"}, "withdrawal": {"id"}, "withdrawal_part": {"withdrawal", "n"},
	"payout_batch": {"id"}, "payout": {"batch", "withdrawal"}, "payout_tx": {"hash"}, "payout_wallet": {"sender"}, "payout_hold": {"id"}, "payout_found": {"hold", "n"}, "setting_proposal": {"id"},
	"operator_act": {"id"}, "operator": {"id"}, "operator_proposal": {"id"}, "carry": {"no"}, "tally": {"name"}, "activity": {"n"}, "member": {"uid"},
	"credential": {"uid"}, "factor": {"owner", "kind"}, "transparency": {"day"}, "member_flag": {"id"}, "correction": {"id"},
	"support_ticket": {"id"}, "support_act": {"ticket", "no"}, "member_note": {"id"}, "evidence": {"hash"}, "setting": {"name"},
	"operator_invitation": {"operator"}, "visit_ticket": {"id"}, "password_code": {"uid"}, "withdrawal_code": {"uid"},
	"passkey": {"id"}, "factor_recovery": {"kind", "owner"}, "witness_at": {"what"},
	"place": {"no"}, "place_change": {"seq"}, "trail": {"no"}, "day_sum": {"day", "name", "part"}, "income_sum": {"earner", "kind", "line", "row_first"},
	"list_sum": {"n", "list", "state", "kind", "waits"}, "support_word": {"ticket", "word"}, "outbox": {"id"}, "session": {"id"},
}

// unique are columns of which no two rows have the same.
var unique = map[string][]string{"operator": {"email"}, "operator_proposal": {"operator"}, "plan_version": {"version"}, "withdrawal_part": {"hold"}, "payout_tx": {"n"}, "setting_proposal": {"section"}, "deposit_address": {"uid", "address"}, "fund_request": {"number"}, "unmatched_payment": {"hash"}, "member": {"wallet"}, "place": {"uid", "parent"}, "passkey": {"credential"}}

// uncovered are columns that somebody with the database can change unseen, and
// why that is so.
var uncovered = map[string]string{
	"activity.n":           "it only orders the rows; their order is sealed",
	"credential.pin_tries": counted, "credential.pin_locked": counted,
	"place.sponsor":            "enrol.Check holds it against the signed answer of the registration, which this world does not have",
	"place_change.recorded_at": shown,
	"witness_at.what":          noted, "witness_at deleted": noted, "witness_at added": noted,
	"session.peer": shown, "session.claimed_ip": shown, "session.agent": shown, "session.ended_at": ends, "session deleted": ends,
	"session.seen_at":    "a session may last without use for as long as its token, 30 minutes",
	"outbox.due_at":      again,
	"outbox.tries":       again,
	"outbox.state":       again,
	"outbox.error":       again,
	"outbox.sent_at":     again,
	"outbox.uid":         "it says in whose export a letter is listed and with whom it is erased; it goes to its sealed recipient",
	"income_sum deleted": "reports count the rows themselves instead",
	"outbox deleted":     "the last letter is not sent; of any other, the gap is found",
	"outbox.text":        "it is not read: what a letter says is sealed in its column letter", "outbox.html": "it is not read",
	"operator.name": shown, "operator.password_at": shown, "operator.created_at": shown,
}

const counted = "it counts tries, with every wrong one: who lowers it can still only guess"

const noted = "it says where a line of the chain is; where it is missing the chain is searched"

const ends = "a session ends; one that has ended stays so, as the chain says"

const again = "a letter is not sent, or sent once more to its recipient"

const shown = "it is shown, and nothing goes by it"

// witnessWorld is a world in which every one of those tables has a row.
func witnessWorld(t *testing.T, dsn string) *store.DB {
	t.Helper()
	raw, err := os.ReadFile("../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulate.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := simulate.Run(t.Context(), dsn, s); err != nil {
		t.Fatal(err)
	}
	signer, err := ledger.CreateSigner(filepath.Join(t.TempDir(), "ledger.key"))
	if err != nil {
		t.Fatal(err)
	}
	db := testkit.Open(t, dsn)
	l := testkit.StartLedgerWith(t, db, signer, clock.NewFake(testkit.Epoch))
	var rich int64
	if err := testkit.Raw(t, dsn).QueryRowContext(t.Context(), "SELECT MIN(owner) FROM account WHERE code LIKE 'L:INCOME:LevelIncome:%' AND posted >= 3000000").Scan(&rich); err != nil {
		t.Fatal(err)
	}
	for _, steps := range [][]func(context.Context, *ledger.Tx) error{
		{addFunds(db, rich), addPayouts(db, rich), addProposals(db), addPeople(db, rich), addWords(db, rich), addAccess(db, rich), addSum(db, testkit.Raw(t, dsn))},
		{changeThem(db, rich)},
	} {
		for _, step := range steps {
			if _, err := l.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				return nil, step(ctx, tx)
			}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := auditlog.New(auditlog.Options{Store: db.AuditLog(), Clock: clock.NewFake(testkit.Epoch), Do: l}).Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

type step = func(context.Context, *ledger.Tx) error

func addFunds(db *store.DB, uid int64) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		for id := int64(1); id <= 2; id++ {
			r := fund.Request{ID: id, UID: uid, Fund: fund.Robot, Amount: money.Micro(5_000_000), Number: fmt.Sprint("UTR", id), Way: fund.ByBank, State: fund.Pending, RequestedAt: tx.Now()}
			if err := db.Fund().Add(ctx, tx, r); err != nil {
				return err
			}
		}
		deposits := db.Deposit()
		if err := errors.Join(
			deposits.AddAddress(ctx, tx, deposit.Address{Root: "key", UID: uid, Address: "0x1", At: tx.Now()}),
			deposits.AddIntent(ctx, tx, deposit.Intent{ID: 1, UID: uid, Fund: "FUNDS", Amount: money.Micro(5_370_000), Address: "0x2", OpenedAt: tx.Now(), Expires: tx.Now().Add(time.Hour)}),
			deposits.SetCursor(ctx, tx, "56/0x3", 7, tx.Now()),
			deposits.AddUnmatched(ctx, tx, deposit.Unmatched{Hash: "0xabc", To: "0x1", From: "0x2", Amount: money.Micro(1), Block: 7, Mined: tx.Now(), Reason: deposit.Small, At: tx.Now()}),
			deposits.AddUnmatched(ctx, tx, deposit.Unmatched{Hash: "0xdef", N: 1, To: "0x1", From: "0x2", Amount: money.Micro(1), Block: 7, Mined: tx.Now(), Reason: deposit.Small, At: tx.Now()}),
		); err != nil {
			return err
		}
		w := withdrawal.New(withdrawal.Options{Store: db.Withdrawal()})
		_, err := w.Ask(ctx, tx, withdrawal.Withdrawal{
			UID: uid, Wallet: "LevelIncome", Type: withdrawal.USDT, Amount: money.Micro(2_000_000), Charge: money.Micro(100_000), Net: money.Micro(1_900_000),
			Address: "0x52908400098527886E0F7030069857D2E4169EE7",
		}, nil)
		return errors.Join(err, db.Fund().PutHeld(ctx, tx, uid+1, []fund.Held{{UID: uid, Fund: fund.Robot, Giver: uid + 1, Amount: money.Micro(1), Until: tx.Now()}}))
	}
}

func addPayouts(db *store.DB, uid int64) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		last, err := db.Withdrawal().Last(ctx, tx)
		if err != nil {
			return err
		}
		b := payout.Batch{ID: 1, Way: payout.Manual, State: payout.Proposed, Payouts: 1, Total: money.Micro(1_900_000), Proposed: payout.Mark{By: actor.By{Operator: 1, Name: "Ann"}, At: tx.Now()}}
		p := payout.Payout{Batch: 1, Withdrawal: last, UID: uid, Way: payout.Manual, Address: "0x52908400098527886E0F7030069857D2E4169EE7", Amount: b.Total, State: payout.Waiting, Nonce: -1}
		return errors.Join(
			db.Payout().AddBatch(ctx, tx, b, []payout.Payout{p}),
			db.Payout().AddTransaction(ctx, tx, payout.Transaction{Hash: "0xabc", Batch: 1, Withdrawal: last, N: 1, Raw: []byte{1}, By: "Ann", At: tx.Now()}),
			db.Payout().PutWallet(ctx, tx, payout.Wallet{Sender: "0xdef", Chain: 97, Next: 1, By: "Ann", At: tx.Now()}),
			db.Payout().AddHold(ctx, tx, payout.Hold{Cause: payout.CauseChain, Detail: errs.Text{Message: "a nonce"}, Since: tx.Now(), At: tx.Now(), State: payout.Held}),
			db.Payout().AddFound(ctx, tx, []payout.Found{{Hold: 1, N: 1, Hash: "0xabc", From: "0xdef", To: "0x123", Amount: money.Micro(1), Block: 7}}),
		)
	}
}

func addProposals(db *store.DB) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		act := booking.Act{Kind: booking.PnL, Line: "FOREX", Amount: money.Micro(1), Reference: "statement", At: tx.Now()}
		id, err := db.Operate().AddProposal(ctx, tx, booking.Proposal{Act: act, Day: 20000, By: actor.By{Operator: 1, Name: "Ann"}, At: tx.Now(), State: "waiting"})
		ferr := db.Operate().AddFacts(ctx, tx, id, "{}")
		_, serr := db.Settings().Add(ctx, tx, settings.Proposal{Section: "limits", Reason: "why", By: 1, ByName: "Ann", At: tx.Now(), State: "waiting", Was: []byte("{}"), Body: []byte("{}")})
		id, oerr := db.Auth().AddOperator(ctx, tx, auth.OperatorRow{Operator: auth.Operator{Email: "ann@example.org", Name: "Ann", Role: auth.RoleReadOnly, Created: tx.Now()}, Password: "hash"})
		_, perr := db.Auth().AddProposal(ctx, tx, auth.Proposal{Kind: "role", Operator: id, Was: "readonly", Wanted: "owner", Reason: "why", By: id + 1, At: tx.Now(), State: "waiting"})
		return errors.Join(err, ferr, serr, oerr, perr,
			db.Closing().SetProposal(ctx, tx, closing.Proposal{Day: 30000, Digest: "d", By: 1, Name: "Ann", At: tx.Now()}),
			db.AuditLog().AddAct(ctx, tx, auditlog.Act{ID: "a1", Kind: "block", Subject: "1", Operator: 1, Name: "Ann", At: tx.Now()}),
			db.Closing().SetPlanProposal(ctx, tx, closing.PlanProposal{Version: closing.Version{Name: "next", First: 30000, Body: []byte("{}")}, By: 1, ByName: "Ann", At: tx.Now()}),
		)
	}
}

// addPeople adds rows of identities, and operators' notes about them.
func addPeople(db *store.DB, uid int64) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		_, ferr := db.Office().AddFlag(ctx, tx, staff.FlagRow{UID: uid, Flag: staff.FlagHold, Raised: true, Operator: 1, Name: "Ann", Reason: "a court asked", At: tx.Now()})
		_, cerr := db.Corrections().AddCorrection(ctx, tx, booking.Correction{
			UID: uid, Wallet: "FUNDS", Direction: booking.Credit, Amount: money.Micro(1), Against: booking.AgainstCompany, Reason: "what we owe", By: actor.By{Operator: 1, Name: "Ann"}, At: tx.Now(), State: approval.Waiting,
		})
		return errors.Join(ferr, cerr,
			db.Auth().AddCredential(ctx, tx, auth.CredentialRow{UID: uid, Password: "hash", PasswordAt: tx.Now()}),
			db.Auth().PutFactor(ctx, tx, auth.FactorRow{Owner: auth.Owner{Kind: auth.KindOperator, ID: 1}, Secret: []byte{1}, Set: tx.Now()}),
			db.Transparency().Keep(ctx, tx, 20000, []byte("{}"), tx.Now()),
			db.Support().Add(ctx, tx, support.Ticket{ID: 1, UID: uid, Kind: support.KindComplaint, Query: "Where is it?", Status: support.Open, CreatedAt: tx.Now()}),
			db.Support().Save(ctx, tx, support.Ticket{ID: 1, UID: uid, Kind: support.KindComplaint, Query: "Where is it?", Status: support.Open, CreatedAt: tx.Now(), Acts: 1},
				support.Act{Ticket: 1, No: 1, Kind: "assign", By: actor.By{Operator: 1, Name: "Ann"}, At: tx.Now()}),
		)
	}
}

// changeThem changes what can change, so that the last word counts.
func changeThem(db *store.DB, uid int64) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		last, err := db.Withdrawal().Last(ctx, tx)
		if err != nil {
			return err
		}
		w, _, err := db.Withdrawal().Get(ctx, tx, last)
		if err != nil {
			return err
		}
		w.State, w.First = withdrawal.Approved, withdrawal.Approval{Operator: 1, Name: "Ann", At: tx.Now()}
		m, _, err := db.Member().GetIn(ctx, tx, uid)
		if err != nil {
			return err
		}
		m.Wallet, m.WalletAt = "0x52908400098527886E0F7030069857D2E4169EE7", tx.Now()
		r := fund.Request{ID: 1, Number: "UTR1", State: fund.Rejected, Remark: "no", DecidedBy: 1, DecidedName: "Ann", DecidedAt: tx.Now()}
		released := func() error {
			_, err := db.Fund().Release(ctx, tx, r.ID, tx.Now())
			return err
		}
		return errors.Join(
			db.Auth().PutCredential(ctx, tx, auth.CredentialRow{UID: uid, Password: "another", PasswordAt: tx.Now(), Pin: "pin", PinTries: 1}),
			db.Auth().PutFactor(ctx, tx, auth.FactorRow{Owner: auth.Owner{Kind: auth.KindOperator, ID: 1}, Secret: []byte{1}, Set: tx.Now(), Step: 7}),
			db.Corrections().DecideCorrection(ctx, tx, booking.Correction{ID: 1, State: approval.Approved, Decided: actor.By{Operator: 2, Name: "Bea"}, DecidedAt: tx.Now(), Answer: "right"}),
			db.Withdrawal().Save(ctx, tx, w, withdrawal.Pending), db.Member().Save(ctx, tx, m), db.Fund().Decide(ctx, tx, r), released(),
			db.Fund().Add(ctx, tx, fund.Request{ID: 3, UID: uid, Fund: fund.Robot, Amount: money.Micro(5_000_000), Number: "UTR1", Way: fund.ByBank, State: fund.Pending, RequestedAt: tx.Now()}),
		)
	}
}

// hand is somebody who may do anything with the database.
type hand struct {
	t      *testing.T
	raw    *sql.DB
	sqlite bool
}

func (h *hand) do(query string, args ...any) int64 {
	h.t.Helper()
	r, err := h.raw.ExecContext(h.t.Context(), query, args...)
	if err != nil {
		h.t.Fatalf("%s: %v", query, err)
	}
	n, err := r.RowsAffected()
	if err != nil {
		h.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// unguard takes a table's guards and checks away, and keeps a copy of its rows.
func (h *hand) unguard(table string) {
	h.t.Helper()
	var all []string
	if h.sqlite {
		all = texts(h.t, h.raw, "SELECT 'DROP TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '"+table+"'")
		all = append(all, "PRAGMA ignore_check_constraints = ON")
	} else {
		all = texts(h.t, h.raw, "SELECT 'ALTER TABLE "+table+" DROP CONSTRAINT ' || conname FROM pg_constraint WHERE contype = 'c' AND conrelid = '"+table+"'::regclass")
		all = append(all, "ALTER TABLE "+table+" DISABLE TRIGGER USER")
	}
	for _, query := range append(all, "CREATE TABLE kept_"+table+" AS SELECT * FROM "+table) {
		h.do(query)
	}
}

func (h *hand) restore(table string) {
	h.t.Helper()
	h.do("DELETE FROM " + table)
	h.do("INSERT INTO " + table + " SELECT * FROM kept_" + table)
}

// last is the condition of a table's last row.
func last(table string) string {
	keys := strings.Join(heldTables[table], ", ")
	return "(" + keys + ") = (SELECT " + keys + " FROM kept_" + table + " ORDER BY " + strings.ReplaceAll(keys, ",", " DESC,") + " DESC LIMIT 1)"
}

// other is another value of a column than it has.
func (h *hand) other(table, column string) string {
	var v any
	if err := h.raw.QueryRowContext(h.t.Context(), "SELECT "+column+" FROM kept_"+table+" LIMIT 1").Scan(&v); err != nil {
		h.t.Fatalf("%s has no row: %v", table, err)
	}
	switch v.(type) {
	case int64:
		return column + " + 1"
	case string:
		return column + " || 'x'"
	}
	if h.sqlite {
		return "x'00'"
	}
	return `'\x00'::bytea`
}
