package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// tampering is what somebody with the database's password may do. The story
// test says which rows there are.
type tampering struct {
	name  string
	sql   []string
	table string // what must be named
	row   string
}

var tamperings = []tampering{
	// money
	{"give oneself money", []string{"UPDATE account SET posted = posted + 1000000 WHERE code = 'L:FUND:FUNDS:100007'"}, "account", "L:FUND:FUNDS:100007"},
	{"give two accounts money that balances", []string{
		"UPDATE account SET posted = posted + 1000000 WHERE code IN ('L:FUND:FUNDS:100007', 'A:CLIENT')",
	}, "account", "A:CLIENT"},
	{"free held money", []string{"UPDATE account SET held = 0 WHERE code = 'L:FUND:FUNDS:100008'"}, "account", "L:FUND:FUNDS:100008"},
	{"lift a floor", []string{"UPDATE account SET floor = -5 WHERE code = 'A:CLIENT'"}, "account", "A:CLIENT"},
	{"give an account to another member", []string{
		"UPDATE account SET owner = 100008 WHERE code = 'L:FUND:FUNDS:100007'",
	}, "account", "L:FUND:FUNDS:100007"},
	{"rename an account to another member's", []string{
		"UPDATE account SET code = 'L:FUND:FUNDS:100001', owner = 100001 WHERE code = 'L:FUND:FUNDS:100007'",
	}, "account", "L:FUND:FUNDS:100001"},
	{"rename an account with all its entries", []string{
		"UPDATE entry SET owner = 100001 WHERE account = (SELECT id FROM account WHERE code = 'L:FUND:FUNDS:100007')",
		"UPDATE account SET code = 'L:FUND:FUNDS:100001', owner = 100001 WHERE code = 'L:FUND:FUNDS:100007'",
	}, "account", "L:FUND:FUNDS:100001"},
	{"raise a deposit in one entry", []string{"UPDATE entry SET delta = delta + 7 WHERE seq = 2 AND leg = 2"}, "entry", "L:FUND:FUNDS:100008 version 1, transfer 2 leg 2"},
	{"raise a deposit and its balance", []string{
		"UPDATE entry SET delta = delta + 7, balance_after = balance_after + 7 WHERE seq = 2 AND leg = 2",
	}, "transfer", "transfer 2"},
	{"raise a deposit on both sides", []string{
		"UPDATE entry SET delta = delta + 7, balance_after = balance_after + 7 WHERE seq = 2",
	}, "transfer", "transfer 2"},
	{"shift a deposit through all balances", []string{
		"UPDATE entry SET delta = delta + 7 WHERE seq = 19",
		"UPDATE entry SET delta = delta - 7 WHERE seq = 20",
		"UPDATE entry SET balance_after = balance_after + 7 WHERE seq = 19",
	}, "transfer", "transfer 19"},
	{"hide a debit below zero", []string{"UPDATE entry SET balance_after = -1 WHERE seq = 3 AND leg = 1"}, "entry", "L:FUND:FUNDS:100007 version 2, transfer 3 leg 1"},
	{"point an entry at another account", []string{
		"UPDATE entry SET account = (SELECT id FROM account WHERE code = 'L:FUND:FUNDS:100009') WHERE seq = 3 AND leg = 1",
	}, "entry", "L:FUND:FUNDS:100009 version 2, transfer 3 leg 1"},
	{"number an account below 1", []string{
		"UPDATE account SET id = -4 WHERE id = 4", "UPDATE entry SET account = -4 WHERE account = 4",
	}, "entry", "L:DEFERRED:s1 version 1, transfer 3 leg 2"},
	{"say another beneficiary", []string{"UPDATE entry SET beneficiary = 100009 WHERE seq = 9 AND leg = 1"}, "entry", "P:MATCH version 2, transfer 9 leg 1"},
	{"say no beneficiary in the whole transfer", []string{"UPDATE entry SET beneficiary = 0 WHERE seq = 9"}, "entry", "transfer 9 leg 1"},
	{"swap two versions", []string{
		"UPDATE entry SET version = 99 WHERE account = 1 AND version = 1",
		"UPDATE entry SET version = 1 WHERE account = 1 AND version = 2",
		"UPDATE entry SET version = 2 WHERE account = 1 AND version = 99",
	}, "entry", "A:CLIENT version 2, transfer 1 leg 1"},
	{"swap two legs", []string{
		"UPDATE entry SET leg = 9 WHERE seq = 3 AND leg = 1",
		"UPDATE entry SET leg = 1 WHERE seq = 3 AND leg = 2",
		"UPDATE entry SET leg = 2 WHERE seq = 3 AND leg = 9",
	}, "transfer", "transfer 3"},

	// transfers
	{"change why", []string{"UPDATE transfer SET reason = 'gift' WHERE seq = 7"}, "transfer", "transfer 7"},
	{"change who", []string{"UPDATE transfer SET actor = 'u1' WHERE seq = 8"}, "transfer", "transfer 8"},
	{"backdate", []string{"UPDATE transfer SET effective_at = effective_at - 86400000000 WHERE seq = 16"}, "transfer", "transfer 16"},
	{"forge a leaf", []string{"UPDATE transfer SET leaf = (SELECT leaf FROM transfer WHERE seq = 8) WHERE seq = 9"}, "transfer", "transfer 9"},
	{"swap two transfers", []string{
		"UPDATE transfer SET seq = 99 WHERE seq = 8", "UPDATE transfer SET seq = 8 WHERE seq = 9", "UPDATE transfer SET seq = 9 WHERE seq = 99",
	}, "entry", "transfer 8 leg 3"},
	{"swap two transfers with their entries", []string{
		"UPDATE transfer SET seq = 99 WHERE seq = 1", "UPDATE transfer SET seq = 1 WHERE seq = 2", "UPDATE transfer SET seq = 2 WHERE seq = 99",
		"UPDATE entry SET seq = 99 WHERE seq = 1", "UPDATE entry SET seq = 1 WHERE seq = 2", "UPDATE entry SET seq = 2 WHERE seq = 99",
	}, "entry", "A:CLIENT version 2, transfer 1 leg 1"},
	{"move a transfer to another batch", []string{"UPDATE transfer SET batch = 2 WHERE seq = 4"}, "transfer", "transfer 4"},
	{"mark a transfer as reversed", []string{"UPDATE transfer SET reverses = 1 WHERE seq = 3"}, "transfer", "transfer 3"},
	{"deny a reversal", []string{"UPDATE transfer SET reverses = 0 WHERE seq = 20"}, "transfer", "transfer 20"},
	{"reuse an id", []string{"UPDATE transfer SET id = 't0001' WHERE seq = 8"}, "transfer", "transfer 8"},

	// deleted rows
	{"delete a transfer", []string{"DELETE FROM transfer WHERE seq = 9"}, "transfer", "transfer 9"},
	{"delete a transfer with its entries", []string{"DELETE FROM transfer WHERE seq = 9", "DELETE FROM entry WHERE seq = 9"}, "transfer", "transfer 9"},
	{"delete an entry", []string{"DELETE FROM entry WHERE seq = 6 AND leg = 3"}, "entry", "transfer 6 leg 3"},
	{"delete the last entry of a transfer", []string{"DELETE FROM entry WHERE seq = 6 AND leg = 7"}, "entry", "transfer 6 leg 7"},
	{"delete all entries of a transfer", []string{"DELETE FROM entry WHERE seq = 6"}, "entry", "transfer 6 leg 1"},
	{"delete a command", []string{"DELETE FROM command WHERE command_key = 'cancel-1'"}, "command", `command 2 of batch 6 (actor "u100008", key "cancel-1", transfers 12 to 12)`},
	{"delete a command that posted nothing", []string{"DELETE FROM command WHERE command_key = 'hello-1'"}, "command", "command 1 of batch 9"},
	{"delete a batch", []string{"DELETE FROM batch WHERE no = 5"}, "batch", "batch 5"},
	{"delete an empty batch", []string{"DELETE FROM batch WHERE no = 8"}, "batch", "batch 8"},
	{"delete an account", []string{"DELETE FROM account WHERE code = 'P:MATCH'"}, "account", "account id 6"},
	{"delete a hold", []string{"DELETE FROM hold WHERE id = 2"}, "hold", "hold 2"},
	{"delete the last hold", []string{"DELETE FROM hold WHERE id = 4"}, "hold", "hold 4"},
	{"delete the head", []string{"DELETE FROM head"}, "head", "head"},

	// inserted rows
	{"insert a leg", []string{"INSERT INTO entry SELECT 2, 77, 3, 3, kind, owner, beneficiary, 5, 0, balance_after + 5, held_after, 0 FROM entry WHERE seq = 3 AND leg = 1"}, "entry", "version 77, transfer 3 leg 3"},
	{"insert a leg and count it", []string{
		"INSERT INTO entry SELECT 2, 77, 3, 3, kind, owner, beneficiary, 5, 0, balance_after + 5, held_after, 0 FROM entry WHERE seq = 3 AND leg = 1",
		"UPDATE transfer SET legs = 3 WHERE seq = 3",
	}, "entry", "version 77, transfer 3 leg 3"},
	{"insert a transfer at the end", []string{
		"INSERT INTO transfer SELECT 22, 'more', batch, actor, command_key, kind, reason, reference, effective_at, recorded_at + 1, 0, legs, leaf FROM transfer WHERE seq = 21",
	}, "transfer", "transfer 22"},
	{"insert a transfer before the first", []string{
		"INSERT INTO transfer SELECT 0, 'more', batch, actor, command_key, kind, reason, reference, effective_at, recorded_at, 0, legs, leaf FROM transfer WHERE seq = 1",
	}, "transfer", "transfer 0"},
	{"insert an entry of no transfer", []string{"INSERT INTO entry SELECT 2, 77, 900, 1, kind, owner, beneficiary, 5, 0, 5, 0, 0 FROM entry WHERE seq = 3 AND leg = 1"}, "entry", "transfer 900 leg 1"},
	{"insert a command", []string{"INSERT INTO command SELECT actor, 'fake', batch, 2, request, response, 4, 3, recorded_at, leaf FROM command WHERE command_key = 'buy-1'"}, "command", `key "fake"`},
	{"insert a command of no batch", []string{"INSERT INTO command SELECT actor, 'fake', 99, 1, request, response, 22, 21, recorded_at, leaf FROM command WHERE command_key = 'buy-1'"}, "command", "command 1 of batch 99"},
	{"insert an account", []string{"INSERT INTO account VALUES (19, 'L:FUND:FUNDS:100099', 'L:FUND', 100099, 5000000, 0, 0, 1)"}, "account", "L:FUND:FUNDS:100099"},
	{"insert an account far away", []string{"INSERT INTO account VALUES (500, 'L:FUND:FUNDS:100099', 'L:FUND', 100099, 0, 0, 0, 1)"}, "account", "account id 19"},
	{"insert an account below 1", []string{"INSERT INTO account VALUES (-4, 'L:FUND:FUNDS:100099', 'L:FUND', 100099, 0, 0, 0, 1)"}, "account", "L:FUND:FUNDS:100099"},
	{"insert a hold", []string{"INSERT INTO hold VALUES (5, 2, 1000000, 'open', 1, 4, 0)"}, "hold", "hold 5"},
	{"insert a batch at the end", []string{"INSERT INTO batch SELECT 11, epoch, 22, 21, 0, recorded_at + 9, hash, root, hash, key_id, signature FROM batch WHERE no = 10"}, "batch", "batch 11"},
	{"insert a batch before the first", []string{"INSERT INTO batch SELECT 0, epoch, 1, 0, 0, recorded_at, hash, root, hash, key_id, signature FROM batch WHERE no = 1"}, "batch", "batch 0"},
	{"insert a second head", []string{"INSERT INTO head SELECT 2, epoch, holder, seq, batch, accounts, holds, entries, recorded_at, hash, frozen, genesis FROM head"}, "head", "head 2"},

	// holds
	{"reopen a hold", []string{"UPDATE hold SET state = 'open', resolved = 0 WHERE id = 1"}, "hold", "hold 1"},
	{"settle an open hold in its row", []string{"UPDATE hold SET state = 'settled', resolved = 11 WHERE id = 3"}, "hold", "hold 3"},
	{"lengthen a hold", []string{"UPDATE hold SET expires_at = expires_at + 3600000000 WHERE id = 3"}, "hold", "hold 3"},
	{"lengthen a hold in its reason", []string{"UPDATE transfer SET reason = 'until 2030-01-01T00:00:00.000000Z' WHERE seq = 13"}, "transfer", "transfer 13"},
	{"release another hold", []string{"UPDATE entry SET hold = 3 WHERE seq = 15"}, "entry", "transfer 15 leg 1"},
	{"release a hold twice", []string{"UPDATE entry SET hold = 2 WHERE seq = 15"}, "entry", "transfer 15 leg 1"},
	{"unhold in an entry", []string{"UPDATE entry SET hold = 0, held_delta = 0, held_after = 0 WHERE seq = 13"}, "entry", "transfer 13 leg 1"},

	// idempotency
	{"change an answer", []string{"UPDATE command SET response = leaf WHERE command_key = 'buy-1'"}, "command", `key "buy-1"`},
	{"forget a key by renaming it", []string{"UPDATE command SET command_key = 'buy-2' WHERE command_key = 'buy-1'"}, "command", `key "buy-2"`},
	{"give a key to another actor", []string{"UPDATE command SET actor = 'u1' WHERE command_key = 'buy-1'"}, "command", `actor "u1"`},
	{"take a transfer out of its command", []string{"UPDATE transfer SET command_key = '' WHERE seq = 7"}, "transfer", "transfer 7"},

	// chain
	{"change a signature", []string{"UPDATE batch SET signature = hash WHERE no = 4"}, "batch", "batch 4"},
	{"borrow a signature", []string{"UPDATE batch SET signature = (SELECT signature FROM batch WHERE no = 3) WHERE no = 4"}, "batch", "batch 4"},
	{"cut a link", []string{"UPDATE batch SET prev_hash = (SELECT hash FROM batch WHERE no = 2) WHERE no = 4"}, "batch", "batch 4"},
	{"change the genesis", []string{"UPDATE head SET genesis = hash"}, "head", "head"},
	{"change the head's hash", []string{"UPDATE head SET hash = genesis"}, "head", "head"},

	// the end cut off
	{"cut off the last batch, head left", []string{"DELETE FROM batch WHERE no = 10"}, "batch", "batch 10"},
	{"cut off the last batch with its rows, head left", []string{
		"DELETE FROM batch WHERE no = 10", "DELETE FROM transfer WHERE batch = 10", "DELETE FROM entry WHERE seq > 18",
	}, "batch", "batch 10"},
	{"cut off the last batch, head mended, rows left", []string{
		"DELETE FROM batch WHERE no = 10",
		"UPDATE head SET batch = 9, seq = 18, hash = (SELECT hash FROM batch WHERE no = 9), recorded_at = (SELECT recorded_at FROM batch WHERE no = 9)",
	}, "transfer", "transfer 19"},
	{"cut off the last batch with its rows, head mended", []string{
		"DELETE FROM batch WHERE no = 10", "DELETE FROM transfer WHERE batch = 10", "DELETE FROM entry WHERE seq > 18",
		"UPDATE head SET batch = 9, seq = 18, entries = 38, hash = (SELECT hash FROM batch WHERE no = 9), recorded_at = (SELECT recorded_at FROM batch WHERE no = 9)",
	}, "account", "A:CLIENT"},
}

func TestVerifyNamesTheFirstWrongRow(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, true, m)
		for _, c := range tamperings {
			t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
				defer l.write(t, m)
				for _, q := range c.sql {
					l.exec(t, q)
				}
				_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
				names(t, err, c.table, c.row)
				t.Log(err)
			})
		}
	})
}

// SQLite stores any value in any column; a number stored as text, or a key stored as bytes,
// which no query finds, is a finding too.
func TestVerifyFindsForeignTypes(t *testing.T) {
	m := story()
	l := openLedger(t, testkit.EmptySQLite(t), true, m)
	for table, change := range map[string]string{
		"entry":    "UPDATE entry SET delta = 'much' WHERE seq = 3 AND leg = 1",
		"transfer": "UPDATE transfer SET reason = NULL WHERE seq = 3",
		"command":  "UPDATE command SET command_key = CAST(command_key AS BLOB) WHERE command_key = 'buy-1'",
		"batch":    "UPDATE batch SET epoch = 1.5 WHERE no = 3",
		"account":  "UPDATE account SET posted = 'x' WHERE id = 4",
		"hold":     "UPDATE hold SET amount = NULL WHERE id = 1",
		"head":     "UPDATE head SET hash = 'text'",
	} {
		l.exec(t, change)
		_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
		if f := finding(t, err); f.Table != table || !strings.Contains(f.Problem, "holds") {
			t.Errorf("%s: %v", change, f)
		}
		l.write(t, m)
	}
	// A row without a number is in no range; counting finds it.
	l.exec(t, "INSERT INTO entry (account, version) VALUES (2, 77)")
	_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
	names(t, err, "entry", "the whole table")
}

// A finding's sentence has the stored and the expected value, money in dollars.
func TestFindingsReadLikeSentences(t *testing.T) {
	m := story()
	l := openLedger(t, testkit.EmptySQLite(t), true, m)
	for change, want := range map[string]string{
		"UPDATE account SET posted = 600000001 WHERE id = 2":                     "account L:FUND:FUNDS:100007 (id 2) (table account): posted is stored as 600.000001, but must be 600.000000",
		"UPDATE entry SET balance_after = 5 WHERE seq = 1 AND leg = 2":           "account L:FUND:FUNDS:100007 version 1, transfer 1 leg 2 (table entry): balance_after is stored as 0.000005, but 0.000000 before and a delta of 1000.000000 make 1000.000000",
		"UPDATE entry SET delta = 9223372036854775807 WHERE seq = 3 AND leg = 2": "make 9223372036854.775807",
		"UPDATE hold SET state = 'voided' WHERE id = 1":                          "hold 1 (table hold): state is stored as voided, but must be settled",
		"UPDATE account SET code = code || '\x1b[2J\n' WHERE id = 4":             "account L:DEFERRED:s1\ufffd[2J\ufffd (id 4) (table account)",
		"UPDATE head SET seq = 20":                                               "head (table head): seq is stored as 20, but must be 21",
	} {
		l.exec(t, change)
		_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\nwant %s\ngot  %v", change, want, fmt.Sprint(err))
		}
		l.write(t, m)
	}
}
