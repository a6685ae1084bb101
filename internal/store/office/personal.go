package office

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
)

// personal reads all data about one member, for a file. Each query reads a page: $1 is the
// member, $2 the key of the row before, which is the first column. A column's name has its
// format, as in amount:usd, at:time and day:day; that of a sealed column has its own name.
// Rows are found by confirmed e-mail addresses only: an unconfirmed one may belong to
// another person.
// A new table about people gets a line here, and one in EraseTexts.
var personal = []struct {
	kind  string
	query string
	word  bool // the key is a text
}{
	{"profile", `SELECT uid AS "key", uid AS "userId", name, last_name AS "lastName", father, email, mobile, country, birthday, gender, address, about, nominee,
		nominee_relation AS "nomineeRelation", wallet, bank_holder AS "bankHolder:bank_holder", bank_account AS "bankAccount:bank_account", bank_ifsc AS "bankIFSC:bank_ifsc", bank_name AS "bankName:bank_name",
		bank_branch AS "bankBranch:bank_branch", pan AS "pan:pan", aadhar AS "aadhar:aadhar", joined_at AS "joined:time", activated_at AS "activated:time", email_at AS "emailChanged:time",
		wallet_at AS "walletChanged:time", blocked_at AS "blocked:time", blocked_why AS "blockedWhy", erased_at AS "erased:time"
		FROM member WHERE uid = $1 AND uid > $2`, false},
	{"former-emails", `SELECT email AS "key", email, until AS "until:time", confirmed AS "confirmed" FROM member_email WHERE uid = $1 AND email > $2 ORDER BY email`, true},
	{"place", `SELECT p.no AS "key", p.no AS "number", COALESCE(s.uid, 0) AS "sponsor", COALESCE(o.uid, 0) AS "parent", p.side, p.joined_at AS "joined:time", p.active,
		p.robot AS "robot:usd", p.forex AS "forex:usd", p.crypto AS "crypto:usd"
		FROM place p LEFT JOIN place s ON s.no = p.sponsor LEFT JOIN place o ON o.no = p.parent WHERE p.uid = $1 AND p.no > $2`, false},
	{"sessions", `SELECT id AS "key", kind, reason, CASE WHEN kind = 'member' THEN peer ELSE '' END AS "address", claimed_ip AS "claimedAddress",
		CASE WHEN kind = 'member' THEN agent ELSE '' END AS "agent", created_at AS "created:time", seen_at AS "seen:time",
		ended_at AS "ended:time" FROM session WHERE owner = $1 AND kind IN ('member', 'visit') AND id > $2 ORDER BY id`, true},
	{"second-factor", `SELECT owner AS "key", set_at AS "set:time", CASE WHEN LENGTH(secret) > 0 THEN 1 ELSE 0 END AS "app",
		(SELECT COUNT(*) FROM factor_recovery r WHERE r.kind = 'member' AND r.owner = $1 AND r.used_at = 0) AS "recoveryCodesLeft"
		FROM factor WHERE kind = 'member' AND owner = $1 AND owner > $2`, false},
	{"passkeys", `SELECT id AS "key", name, created_at AS "created:time", used_at AS "used:time" FROM passkey
		WHERE kind = 'member' AND owner = $1 AND id > $2 ORDER BY id`, false},
	{"tickets", `SELECT id AS "key", id, query, reply, status, created_at AS "created:time", replied_at AS "replied:time"
		FROM support_ticket WHERE uid = $1 AND id > $2 ORDER BY id`, false},
	{"mails", `SELECT id AS "key", recipient, subject, state, created_at AS "created:time", sent_at AS "sent:time" FROM outbox
		WHERE (uid = $1 OR (uid = 0 AND recipient IN (SELECT email FROM member WHERE uid = $1 AND email <> '' AND email_ok <> 0
		UNION SELECT email FROM member_email WHERE uid = $1 AND confirmed = 1))) AND id > $2 ORDER BY id`, false},
	{"newsletter", `SELECT id AS "key", email, state, asked_at AS "asked:time", confirmed_at AS "confirmed:time", ended_at AS "ended:time" FROM newsletter
		WHERE email IN (SELECT email FROM member WHERE uid = $1 AND email_ok <> 0) AND id > $2 ORDER BY id`, false},
	{"purchases", `SELECT id AS "key", id, package AS "package", topup, amount AS "amount:usd", state, day AS "day:day", at AS "at:time"
		FROM sale WHERE no = (SELECT no FROM place WHERE uid = $1) AND id > $2 ORDER BY id`, true},
	{"positions", `SELECT id AS "key", id, line, package AS "package", principal AS "principal:usd", loss AS "loss:usd", state, day AS "day:day", term, at AS "at:time"
		FROM invest_position WHERE no = (SELECT no FROM place WHERE uid = $1) AND id > $2 ORDER BY id`, true},
	{"claims", `SELECT id AS "key", id, line, position_id AS "position", amount AS "amount:usd", income AS "income:usd", net AS "net:usd", state, day AS "day:day",
		claim_day AS "claimed:day" FROM claim WHERE no = (SELECT no FROM place WHERE uid = $1) AND id > $2 ORDER BY id`, true},
	{"fund-requests", `SELECT id AS "key", id, fund, amount AS "amount:usd", number, way, bank_name AS "toBank", bank_account AS "toAccount", state, remark,
		requested_at AS "requested:time", decided_at AS "decided:time" FROM fund_request WHERE uid = $1 AND id > $2 ORDER BY id`, false},
	{"withdrawals", `SELECT id AS "key", id, wallet, type, amount AS "amount:usd", charge AS "charge:usd", net AS "net:usd", address, state, remark, hash,
		requested_at AS "requested:time", sent_at AS "sent:time", confirmed_at AS "confirmed:time" FROM withdrawal WHERE uid = $1 AND id > $2 ORDER BY id`, false},
	{"corrections", `SELECT id AS "key", id, wallet, direction, into_wallet AS "into", amount AS "amount:usd", reason, state, answer, proposed_at AS "proposed:time",
		decided_at AS "decided:time" FROM correction WHERE uid = $1 AND id > $2 ORDER BY id`, false},
	{"flags", `SELECT id AS "key", flag, raised, name AS "by", reason, at AS "at:time" FROM member_flag WHERE uid = $1 AND id > $2 ORDER BY id`, false},
	{"notes", `SELECT id AS "key", name AS "by", text, at AS "at:time" FROM member_note WHERE uid = $1 AND id > $2 ORDER BY id`, false},
	{"record", `SELECT no AS "key", name AS "by", act, subject, was, became, reason, at AS "at:time" FROM trail WHERE member = $1 AND no > $2 ORDER BY no`, false},
}

// incomesOfKind reads the incomes of one kind along the index.
const incomesOfKind = `SELECT i.row_no AS "key", i.day AS "day:day", i.kind AS "kind:income", i.line, COALESCE(s.uid, 0) AS "from", i.level, i.position_id AS "position",
	i.paid AS "paid:usd", i.nominal AS "nominal:usd", i.on_amount AS "on:usd", i.held, i.released_day AS "released:day"
	FROM income i LEFT JOIN place s ON s.no = i.source_no WHERE i.earner = (SELECT no FROM place WHERE uid = $1) AND i.kind = %d AND i.row_no > $2 ORDER BY i.row_no`

// accountEntries reads the entries of an account, $1, of the member.
const accountEntries = `SELECT e.version AS "key", a.code AS "account", e.version AS "number", t.id AS "transfer", t.kind, t.reason, t.reference, e.delta AS "amount:usd",
	e.held_delta AS "held:usd", e.balance_after AS "balance:usd", e.held_after AS "heldAfter:usd", t.recorded_at AS "at:time"
	FROM entry e JOIN account a ON a.id = e.account JOIN transfer t ON t.seq = e.seq WHERE e.account = $1 AND e.version > $2 ORDER BY e.version`

const personalPage = 1000

func (s officeStore) Personal(ctx context.Context, uid int64, full bool, begin func(string) error, row func([]staff.PersonalField) error) error {
	for _, p := range personal {
		if err := begin(p.kind); err != nil {
			return err
		}
		var after any = int64(0)
		if p.word {
			after = ""
		}
		if err := s.pages(ctx, p.query, uid, after, s.unsealed(uid, full, row)); err != nil {
			return err
		}
	}
	if err := begin("incomes"); err != nil {
		return err
	}
	for kind := range int64(plan.Kinds) {
		if err := s.pages(ctx, fmt.Sprintf(incomesOfKind, kind), uid, int64(0), row); err != nil {
			return err
		}
	}
	if err := begin("statements"); err != nil {
		return err
	}
	accounts, err := engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT id FROM account WHERE owner = $1 ORDER BY code", uid)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		if err := s.pages(ctx, accountEntries, a, int64(0), row); err != nil {
			return err
		}
	}
	return nil
}

// pages reads a query to its end, page by page, so that a slow reader holds no
// connection.
func (s officeStore) pages(ctx context.Context, query string, of int64, after any, row func([]staff.PersonalField) error) error {
	for {
		found, last, err := s.page(ctx, query+" LIMIT "+strconv.Itoa(personalPage), of, after)
		if err != nil {
			return err
		}
		for _, fields := range found {
			if err := row(fields); err != nil {
				return err
			}
		}
		if len(found) < personalPage {
			return nil
		}
		after = last
	}
}

func (s officeStore) page(ctx context.Context, query string, of int64, after any) (out [][]staff.PersonalField, last any, err error) {
	rows, err := s.db.Rows.Query(ctx, query, of, after)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return nil, nil, err
	}
	for rows.Next() {
		fields, key, err := personalRow(rows, names)
		if err != nil {
			return nil, nil, err
		}
		out, last = append(out, fields), key
	}
	return out, last, rows.Err()
}

func personalRow(rows *sql.Rows, names []string) (fields []staff.PersonalField, key any, err error) {
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		return nil, nil, err
	}
	for i, full := range names[1:] {
		name, way, _ := strings.Cut(full, ":")
		fields = append(fields, staff.PersonalField{Name: name, Value: readable(values[i+1], way), Way: way})
	}
	return fields, values[0], nil
}

// unsealed opens the sealed columns of rows about a member before row gets them, and masks
// them unless full is set.
func (s officeStore) unsealed(uid int64, full bool, row func([]staff.PersonalField) error) func([]staff.PersonalField) error {
	return func(fields []staff.PersonalField) error {
		var bank member.Bank
		texts := people.BankTexts(&bank)
		for _, f := range fields {
			if i := slices.Index(people.SealedColumns, f.Way); i >= 0 {
				*texts[i], _ = evidence.Unseal(s.db, f.Value, uid, f.Way)
			}
		}
		if !full {
			bank = bank.Masked()
		}
		for n, f := range fields {
			if i := slices.Index(people.SealedColumns, f.Way); i >= 0 {
				fields[n].Value = *texts[i]
			}
		}
		return row(fields)
	}
}

// readable formats a stored value.
func readable(v any, way string) string {
	n, whole := v.(int64)
	switch {
	case !whole:
		switch v := v.(type) {
		case string:
			return v
		case []byte:
			return string(v)
		}
		return ""
	case way == "usd":
		return money.Micro(n).String()
	case (way == "time" || way == "day") && n == 0:
		return ""
	case way == "time":
		return engine.Instant(n).Format("2006-01-02T15:04:05.999999Z")
	case way == "day":
		return plan.Day(n).String()
	case way == "income":
		return plan.Kind(n).Info().Word
	}
	return strconv.FormatInt(n, 10)
}
