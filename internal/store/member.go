package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"
)

type memberStore struct{ db *DB }

// Member is the store of members.
func (db *DB) Member() member.Store { return memberStore{db} }

const memberColumns = `uid, name, last_name, father, email, mobile, country, birthday, gender, address, about, nominee, nominee_relation,
	wallet, bank_holder, bank_account, bank_ifsc, bank_name, bank_branch, pan, aadhar,
	joined_at, activated_at, email_at, wallet_at, blocked_at, blocked_why`

// moreColumns came later; a tree that is loaded for a measurement lacks them.
const moreColumns = `erased_at, email_key, salt, bank_key, email_ok`

// sealedColumns are those of memberColumns that are sealed, each about its member
// and itself.
var sealedColumns = []string{"bank_holder", "bank_account", "bank_ifsc", "bank_name", "bank_branch", "pan", "aadhar"}

const sealedList = "bank_holder, bank_account, bank_ifsc, bank_name, bank_branch, pan, aadhar"

// bankTexts are what is in those columns.
func bankTexts(b *member.Bank) []*string {
	return []*string{&b.Holder, &b.Account, &b.IFSC, &b.Name, &b.Branch, &b.PAN, &b.Aadhar}
}

// sealBank gives the columns of bank details, and by what they are found.
func (db *DB) sealBank(m member.Member) (bank member.Bank, key string, err error) {
	if m.Bank == (member.Bank{}) {
		return bank, "", nil
	}
	box, err := db.box()
	if err != nil {
		return bank, "", err
	}
	bank = m.Bank
	for i, text := range bankTexts(&bank) {
		*text = box.Seal(*text, m.UID, sealedColumns[i])
	}
	key, err = db.bankKey(m.Bank.Account, m.Bank.IFSC)
	return bank, key, err
}

// bankKey is a keyed hash of an account: whoever has the database cannot try numbers.
func (db *DB) bankKey(account, ifsc string) (string, error) {
	box, err := db.box()
	if err != nil {
		return "", err
	}
	return box.Mark("bank", account, ifsc), nil
}

// openBank opens what sealBank has sealed. What does not open was changed past the
// product, which the signed chain tells: it is shown to nobody.
func (db *DB) openBank(m *member.Member) {
	for i, text := range bankTexts(&m.Bank) {
		*text, _ = db.unseal(*text, m.UID, sealedColumns[i])
	}
}

// memberValues are a member's columns in the order of memberColumns and
// moreColumns, with a new salt, or none once they are erased.
func (db *DB) memberValues(m member.Member) ([]any, error) {
	bank, key, err := db.sealBank(m)
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
		micros(m.JoinedAt), micros(m.ActivatedAt), micros(m.EmailAt), micros(m.WalletAt), micros(m.BlockedAt), m.BlockedWhy,
		micros(m.ErasedAt), member.EmailKey(m.Email), salt, key, micros(m.EmailOK),
	}, nil
}

func (db *DB) scanMember(rows *sql.Rows) (m member.Member, err error) {
	var joined, activated, email, wallet, blocked, erased, confirmed int64
	err = rows.Scan(
		&m.UID, &m.Name, &m.LastName, &m.Father, &m.Email, &m.Mobile, &m.Country, &m.Birthday, &m.Gender, &m.Address, &m.About, &m.Nominee, &m.NomineeRelation,
		&m.Wallet, &m.Bank.Holder, &m.Bank.Account, &m.Bank.IFSC, &m.Bank.Name, &m.Bank.Branch, &m.Bank.PAN, &m.Bank.Aadhar,
		&joined, &activated, &email, &wallet, &blocked, &m.BlockedWhy, &erased, &confirmed,
	)
	m.JoinedAt, m.ActivatedAt, m.EmailAt, m.WalletAt, m.BlockedAt = instant(joined), instant(activated), instant(email), instant(wallet), instant(blocked)
	m.ErasedAt, m.EmailOK = instant(erased), instant(confirmed)
	db.openBank(&m)
	return m, err
}

func (s memberStore) Add(ctx context.Context, tx *ledger.Tx, m member.Member) error {
	vals, err := s.db.memberValues(m)
	if err != nil {
		return err
	}
	groupOf(tx).witness(memberWitness, vals...)
	n, err := groupOf(tx).Exec(ctx, `INSERT INTO member (`+memberColumns+`, `+moreColumns+`) VALUES `+placeholders(1, len(vals)), vals...)
	if err != nil {
		return err
	}
	return mustHit(n, "add member")
}

func (s memberStore) Save(ctx context.Context, tx *ledger.Tx, m member.Member) error {
	vals, err := s.db.memberValues(m)
	if err != nil {
		return err
	}
	// The time of joining never changes: it is part of what finds the row. Nor does
	// the salt, until the person is erased.
	n, err := groupOf(tx).changeOne(ctx, memberWitness, []any{m.UID}, `UPDATE member SET name = $2, last_name = $3, father = $4, email = $5, mobile = $6,
		country = $7, birthday = $8, gender = $9, address = $10, about = $11, nominee = $12, nominee_relation = $13, wallet = $14, bank_holder = $15,
		bank_account = $16, bank_ifsc = $17, bank_name = $18, bank_branch = $19, pan = $20, aadhar = $21,
		activated_at = $23, email_at = $24, wallet_at = $25, blocked_at = $26, blocked_why = $27, erased_at = $28, email_key = $29,
		salt = CASE WHEN CAST($28 AS BIGINT) <> 0 OR length(salt) = 0 THEN $30 ELSE salt END, bank_key = $31, email_ok = $32 WHERE uid = $1 AND joined_at = $22`,
		vals...)
	if err != nil {
		return err
	}
	return mustHit(n, "save member")
}

const memberByID = `SELECT ` + memberColumns + `, erased_at, email_ok FROM member WHERE uid = $1`

func (s memberStore) Get(ctx context.Context, uid int64) (member.Member, bool, error) {
	return first(ctx, &s.db.rows, s.db.scanMember, memberByID, uid)
}

func (s memberStore) GetIn(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, bool, error) {
	return first(ctx, groupOf(tx), s.db.scanMember, memberByID, uid)
}

func (s memberStore) Vouched(ctx context.Context, tx *ledger.Tx, uid int64) (member.Member, bool, error) {
	m, found, err := s.GetIn(ctx, tx, uid)
	if err == nil && !found { // as much work: the time it takes tells nobody which ids there are
		uid, _, err = first(ctx, groupOf(tx), scanCount, "SELECT COALESCE(MIN(uid), 0) FROM member")
	}
	if err == nil {
		err = newLooker(groupOf(tx)).row(ctx, memberWitness, uid)
	}
	if err != nil {
		return member.Member{}, false, err
	}
	return m, found, nil
}

func (memberStore) AddFormerEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, confirmed bool, until time.Time) error {
	// An address that was confirmed once stays so when it is merely entered again.
	_, err := groupOf(tx).Exec(ctx, `INSERT INTO member_email (uid, email, until, confirmed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (uid, email) DO UPDATE SET until = excluded.until, confirmed = excluded.confirmed WHERE excluded.confirmed >= member_email.confirmed`,
		uid, email, micros(until), flag(confirmed))
	return err
}

func (s memberStore) Cards(ctx context.Context, uids []int64) ([]member.Card, error) {
	return cards(ctx, &s.db.rows, uids)
}

func (memberStore) CardsIn(ctx context.Context, tx *ledger.Tx, uids []int64) ([]member.Card, error) {
	return cards(ctx, groupOf(tx), uids)
}

func cards(ctx context.Context, q querier, uids []int64) (all []member.Card, err error) {
	for len(uids) > 0 {
		query, args := cardQuery(uids[:min(len(uids), maxCardChunk)])
		uids = uids[min(len(uids), maxCardChunk):]
		found, err := list(ctx, q, scanCard, query, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (memberStore) WalletTaken(ctx context.Context, tx *ledger.Tx, uid int64, w member.Wallet) (bool, error) {
	_, found, err := first(ctx, groupOf(tx), scanCount, `SELECT 1 FROM member WHERE wallet = $1 AND wallet <> '' AND uid <> $2
		UNION ALL SELECT 1 FROM withdrawal WHERE state IN ('Pending', 'Approved', 'Sent') AND address = $1 AND uid <> $2 LIMIT 1`, string(w), uid)
	return found, err
}

func (s memberStore) WithWallet(ctx context.Context, w member.Wallet) ([]int64, error) {
	return list(ctx, &s.db.rows, scanCount, "SELECT uid FROM member WHERE wallet = $1 AND wallet <> '' ORDER BY uid", string(w))
}

func scanCard(rows *sql.Rows) (c member.Card, err error) {
	var joined, activated, blocked int64
	err = rows.Scan(&c.UID, &c.Name, &c.Mobile, &c.Email, &joined, &activated, &blocked)
	c.JoinedAt, c.ActivatedAt, c.BlockedAt = instant(joined), instant(activated), instant(blocked)
	return c, err
}

// maxCardChunk is a power of two, see listSize.
const maxCardChunk = 512

// cardQuery asks for the cards of uids, the last of which fills the list up.
func cardQuery(uids []int64) (query string, args []any) {
	size := listSize(len(uids))
	for i := range size {
		args = append(args, uids[min(i, len(uids)-1)])
	}
	return "SELECT uid, name, mobile, email, joined_at, activated_at, blocked_at FROM member WHERE uid IN " + placeholders(1, size), args
}

func (memberStore) Setting(ctx context.Context, tx *ledger.Tx, name string) ([]byte, bool, error) {
	return first(ctx, groupOf(tx), scanSetting, settingByName, name)
}

// Setting is what the program remembers under name, as committed; false if
// nothing.
func (db *DB) Setting(ctx context.Context, name string) ([]byte, bool, error) {
	return first(ctx, &db.rows, scanSetting, settingByName, name)
}

const settingByName = `SELECT value FROM setting WHERE name = $1`

func scanSetting(rows *sql.Rows) (value []byte, err error) {
	err = rows.Scan(&value)
	return value, err
}

func (memberStore) AddSetting(ctx context.Context, tx *ledger.Tx, name string, value []byte) error {
	n, err := groupOf(tx).changeOne(ctx, internalWitness, []any{name}, `INSERT INTO setting (name, value) VALUES ($1, $2)`, name, value)
	if err != nil {
		return err
	}
	return mustHit(n, "add setting")
}

// micros is how an instant is stored; 0 for never.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// instant is a stored instant; the zero time for never.
func instant(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
