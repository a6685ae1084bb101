// Package people has the stores of members, operators, sign-in, mail, teams and tickets.
package people

import (
	"context"
	"crypto/rand"
	"database/sql"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

type memberStore struct{ db *engine.DB }

var (
	internalSigned = evidence.NewSignedTable("setting", "name, value", evidence.SignedOptions{})
	// MemberSigned signs members. The hash stays in the chain, but it includes the member's
	// salt, which erasure deletes: afterwards nothing can be guessed from the hash.
	MemberSigned = evidence.NewSignedTable("member", memberColumns+", "+moreColumns, evidence.SignedOptions{Checked: true})
)

func Member(db *engine.DB) member.Store { return memberStore{db} }

const memberColumns = `uid, name, last_name, father, email, mobile, country, birthday, gender, address, about, nominee, nominee_relation,
	wallet, bank_holder, bank_account, bank_ifsc, bank_name, bank_branch, pan, aadhar,
	joined_at, activated_at, email_at, wallet_at, blocked_at, blocked_why`

// moreColumns came later; a tree that is loaded for a measurement lacks them.
const moreColumns = `erased_at, email_key, salt, bank_key, email_ok`

// SealedColumns are those of memberColumns that are sealed, each about its member
// and itself.
var SealedColumns = []string{"bank_holder", "bank_account", "bank_ifsc", "bank_name", "bank_branch", "pan", "aadhar"}

const sealedList = "bank_holder, bank_account, bank_ifsc, bank_name, bank_branch, pan, aadhar"

// BankTexts are the values of SealedColumns, in their order.
func BankTexts(b *member.Bank) []*string {
	return []*string{&b.Holder, &b.Account, &b.IFSC, &b.Name, &b.Branch, &b.PAN, &b.Aadhar}
}

// sealBank gives the columns of bank details, and by what they are found.
func sealBank(db *engine.DB, m member.Member) (bank member.Bank, key string, err error) {
	if m.Bank == (member.Bank{}) {
		return bank, "", nil
	}
	box, err := evidence.Box(db)
	if err != nil {
		return bank, "", err
	}
	bank = m.Bank
	for i, text := range BankTexts(&bank) {
		*text = box.Seal(*text, m.UID, SealedColumns[i])
	}
	key, err = BankKey(db, m.Bank.Account, m.Bank.IFSC)
	return bank, key, err
}

// BankKey is a keyed hash of an account: without the key, numbers cannot be tried.
func BankKey(db *engine.DB, account, ifsc string) (string, error) {
	box, err := evidence.Box(db)
	if err != nil {
		return "", err
	}
	return box.Mark("bank", account, ifsc), nil
}

// openBank opens the columns that sealBank has sealed. A column that does not open was
// changed in the database and is read as empty.
func openBank(db *engine.DB, m *member.Member) {
	for i, text := range BankTexts(&m.Bank) {
		*text, _ = evidence.Unseal(db, *text, m.UID, SealedColumns[i])
	}
}

// memberValues are a member's columns in the order of memberColumns and
// moreColumns, with a new salt, or none once they are erased.
func memberValues(db *engine.DB, m member.Member) ([]any, error) {
	bank, key, err := sealBank(db, m)
	if err != nil {
		return nil, err
	}
	salt := []byte{}
	if !m.Erased() {
		salt = make([]byte, 16)
		_, _ = rand.Read(salt) // never fails
	}
	return []any{
		m.UID, m.Name, m.LastName, m.Father, m.Email, m.Mobile, m.Country, m.Birthday, m.Gender, m.Address, m.About, m.Nominee, m.NomineeRelation,
		string(m.Wallet), bank.Holder, bank.Account, bank.IFSC, bank.Name, bank.Branch, bank.PAN, bank.Aadhar,
		engine.Micros(m.JoinedAt), engine.Micros(m.ActivatedAt), engine.Micros(m.EmailAt), engine.Micros(m.WalletAt), engine.Micros(m.BlockedAt), m.BlockedWhy,
		engine.Micros(m.ErasedAt), member.EmailKey(m.Email), salt, key, engine.Micros(m.EmailOK),
	}, nil
}

func scanMember(db *engine.DB) func(*sql.Rows) (member.Member, error) {
	return func(rows *sql.Rows) (m member.Member, err error) {
		var joined, activated, email, wallet, blocked, erased, confirmed int64
		err = rows.Scan(
			&m.UID, &m.Name, &m.LastName, &m.Father, &m.Email, &m.Mobile, &m.Country, &m.Birthday, &m.Gender, &m.Address, &m.About, &m.Nominee, &m.NomineeRelation,
			&m.Wallet, &m.Bank.Holder, &m.Bank.Account, &m.Bank.IFSC, &m.Bank.Name, &m.Bank.Branch, &m.Bank.PAN, &m.Bank.Aadhar,
			&joined, &activated, &email, &wallet, &blocked, &m.BlockedWhy, &erased, &confirmed,
		)
		m.JoinedAt, m.ActivatedAt, m.EmailAt, m.WalletAt, m.BlockedAt = engine.Instant(joined), engine.Instant(activated), engine.Instant(email), engine.Instant(wallet), engine.Instant(blocked)
		m.ErasedAt, m.EmailOK = engine.Instant(erased), engine.Instant(confirmed)
		openBank(db, &m)
		return m, err
	}
}

func (s memberStore) Add(ctx context.Context, tx *ledger.Tx, m member.Member) error {
	vals, err := memberValues(s.db, m)
	if err != nil {
		return err
	}
	return evidence.InsertRow(ctx, engine.GroupOf(tx), MemberSigned, vals...)
}

func (s memberStore) Save(ctx context.Context, tx *ledger.Tx, m member.Member) error {
	vals, err := memberValues(s.db, m)
	if err != nil {
		return err
	}
	// The time of joining never changes: it is part of what finds the row. Nor does
	// the salt, until the person is erased.
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), MemberSigned, []any{m.UID}, `UPDATE member SET name = $2, last_name = $3, father = $4, email = $5, mobile = $6,
		country = $7, birthday = $8, gender = $9, address = $10, about = $11, nominee = $12, nominee_relation = $13, wallet = $14, bank_holder = $15,
		bank_account = $16, bank_ifsc = $17, bank_name = $18, bank_branch = $19, pan = $20, aadhar = $21,
		activated_at = $23, email_at = $24, wallet_at = $25, blocked_at = $26, blocked_why = $27, erased_at = $28, email_key = $29,
		salt = CASE WHEN CAST($28 AS BIGINT) <> 0 OR length(salt) = 0 THEN $30 ELSE salt END, bank_key = $31, email_ok = $32 WHERE uid = $1 AND joined_at = $22`,
		vals...)
}

const memberByID = `SELECT ` + memberColumns + `, erased_at, email_ok FROM member WHERE uid = $1`

func (s memberStore) Get(ctx context.Context, uid int64) (member.Member, bool, error) {
	return engine.First(ctx, s.db.Committed(), scanMember(s.db), memberByID, uid)
}

func (s memberStore) GetIn(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanMember(s.db), memberByID, uid)
}

func (s memberStore) Verified(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, bool, error) {
	m, found, err := s.GetIn(ctx, tx, uid)
	if err == nil && !found { // equal work, so that the time does not reveal which ids exist
		uid, _, err = engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COALESCE(MIN(uid), 0) FROM member")
	}
	if err == nil {
		err = evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, MemberSigned, uid)
	}
	if err != nil {
		return member.Member{}, false, err
	}
	return m, found, nil
}

func (memberStore) AddFormerEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, confirmed bool, until time.Time) error {
	// An address that was confirmed once stays so when it is merely entered again.
	_, err := engine.GroupOf(tx).Exec(ctx, `INSERT INTO member_email (uid, email, until, confirmed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (uid, email) DO UPDATE SET until = excluded.until, confirmed = excluded.confirmed WHERE excluded.confirmed >= member_email.confirmed`,
		uid, email, engine.Micros(until), engine.BoolInt(confirmed))
	return err
}

func (s memberStore) Cards(ctx context.Context, uids []int64) ([]member.Card, error) {
	return cards(ctx, s.db.Committed(), uids)
}

func (memberStore) CardsIn(ctx context.Context, tx *ledger.Tx, uids []int64) ([]member.Card, error) {
	return cards(ctx, engine.GroupOf(tx), uids)
}

func cards(ctx context.Context, q engine.Querier, uids []int64) (all []member.Card, err error) {
	for len(uids) > 0 {
		query, args := cardQuery(uids[:min(len(uids), maxCardChunk)])
		uids = uids[min(len(uids), maxCardChunk):]
		found, err := engine.List(ctx, q, scanCard, query, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (memberStore) WalletTaken(ctx context.Context, tx *ledger.Tx, uid int64, w member.Wallet) (bool, error) {
	_, found, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT 1 FROM member WHERE wallet = $1 AND wallet <> '' AND uid <> $2
		UNION ALL SELECT 1 FROM withdrawal WHERE state IN ('Pending', 'Approved', 'Sent') AND address = $1 AND uid <> $2 LIMIT 1`, string(w), uid)
	return found, err
}

func (s memberStore) WithWallet(ctx context.Context, w member.Wallet) ([]int64, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanCount, "SELECT uid FROM member WHERE wallet = $1 AND wallet <> '' ORDER BY uid", string(w))
}

func scanCard(rows *sql.Rows) (c member.Card, err error) {
	var joined, activated, blocked int64
	err = rows.Scan(&c.UID, &c.Name, &c.Mobile, &c.Email, &joined, &activated, &blocked)
	c.JoinedAt, c.ActivatedAt, c.BlockedAt = engine.Instant(joined), engine.Instant(activated), engine.Instant(blocked)
	return c, err
}

// fullName is the name in lists: the last name is a part of it once the member has filled in
// the profile.
const fullName = "CASE WHEN last_name = '' THEN name ELSE name || ' ' || last_name END"

// maxCardChunk is a power of two, see engine.ListSize.
const maxCardChunk = 512

// cardQuery asks for the cards of uids, the last of which fills the list up.
func cardQuery(uids []int64) (query string, args []any) {
	size := engine.ListSize(len(uids))
	for i := range size {
		args = append(args, uids[min(i, len(uids)-1)])
	}
	return "SELECT uid, " + fullName + ", mobile, email, joined_at, activated_at, blocked_at FROM member WHERE uid IN " + engine.Placeholders(1, size), args
}

func (memberStore) Setting(ctx context.Context, tx *ledger.Tx, name string) ([]byte, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanSetting, settingByName, name)
}

// Setting is the committed value under name; false if there is none.
func Setting(ctx context.Context, db *engine.DB, name string) ([]byte, bool, error) {
	return engine.First(ctx, db.Committed(), scanSetting, settingByName, name)
}

const settingByName = `SELECT value FROM setting WHERE name = $1`

func scanSetting(rows *sql.Rows) (value []byte, err error) {
	err = rows.Scan(&value)
	return value, err
}

func (memberStore) AddSetting(ctx context.Context, tx *ledger.Tx, name string, value []byte) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), internalSigned, []any{name}, `INSERT INTO setting (name, value) VALUES ($1, $2)`, name, value)
}

// checkBanks finds bank details that were moved to another member or inserted directly.
func checkBanks(ctx context.Context, db *engine.DB) error {
	return engine.Each(ctx, db.Committed(), evidence.ScanAny(1+len(SealedColumns)), func(vals []any) error {
		uid, _ := vals[0].(int64)
		for i, column := range SealedColumns {
			text, _ := vals[1+i].(string)
			if _, ok := evidence.Unseal(db, text, uid, column); !ok {
				return evidence.WrongRow(sealedRight, "member "+strconv.FormatInt(uid, 10)+", "+column, "changed", "as it was written")
			}
		}
		return nil
	}, "SELECT uid, "+sealedList+" FROM member WHERE bank_key <> '' ORDER BY uid")
}

// Mailed links.

func (memberStore) AddEmailLink(ctx context.Context, tx *ledger.Tx, l member.EmailLink) error {
	return engine.ExecOne(ctx, engine.GroupOf(tx), "e-mail link", "INSERT INTO email_link (uid, mark, purpose, email, made_at, until_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		l.UID, l.Mark, string(l.Purpose), l.Email, engine.Micros(l.Made), engine.Micros(l.Until), engine.Micros(l.Used))
}

func (s memberStore) EmailLinks(ctx context.Context, tx *ledger.Tx, uid int64) ([]member.EmailLink, error) {
	scan := func(r *sql.Rows) (l member.EmailLink, err error) {
		var made, until, used int64
		err = r.Scan(&l.UID, &l.Mark, &l.Purpose, &l.Email, &made, &until, &used)
		l.Made, l.Until, l.Used = engine.Instant(made), engine.Instant(until), engine.Instant(used)
		return l, err
	}
	return engine.List(ctx, s.db.From(tx), scan, "SELECT uid, mark, purpose, email, made_at, until_at, used_at FROM email_link WHERE uid = $1 ORDER BY made_at DESC, mark", uid)
}

func (memberStore) DropEmailLink(ctx context.Context, tx *ledger.Tx, l member.EmailLink) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM email_link WHERE uid = $1 AND mark = $2", l.UID, l.Mark)
	return err
}
