package audit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// forgery is a batch 11 that breaks a rule, hashed and signed with the right
// key: what a mistake in the ledger's own code would leave behind. The story
// ends with transfer 21 and hold 4; hold 3 is open with 70 dollars.
type forgery struct {
	name  string
	add   func(m *maker)
	table string
	row   string
}

// resealed is for what is wrong with the batch itself.
var resealed = []struct {
	name   string
	change func(m *maker, b *audit.Batch)
	table  string
}{
	{"another batch before it", func(m *maker, b *audit.Batch) { b.Prev = m.batches[8].Hash }, "batch"},
	{"a seq left out", func(_ *maker, b *audit.Batch) { b.First++ }, "batch"},
	{"a seq taken twice", func(_ *maker, b *audit.Batch) { b.First-- }, "batch"},
	{"an end before its beginning", func(_ *maker, b *audit.Batch) { b.Last = b.First - 2 }, "batch"},
	{"fewer than no commands", func(_ *maker, b *audit.Batch) { b.Commands = -1 }, "batch"},
	{"a time before the last batch", func(m *maker, b *audit.Batch) { b.Recorded = m.batches[9].Recorded - 1 }, "batch"},
	{"a root of other rows", func(m *maker, b *audit.Batch) { b.Root = m.batches[9].Root }, "batch"},
	{"a transfer more", func(_ *maker, b *audit.Batch) { b.Last++ }, "transfer"},
	{"a command more", func(_ *maker, b *audit.Batch) { b.Commands++ }, "command"},
}

func TestVerifyFindsABadBatchThatTheRightKeySigned(t *testing.T) {
	l := openLedger(t, testkit.EmptySQLite(t), true, story())
	for _, c := range resealed {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			m := story()
			m.deposit()
			m.seal()
			c.change(m, &m.batches[10])
			m.sign(11)
			f := follower(t, audit.FollowOptions{Anchors: []audit.Anchor{m.anchor(10)}})
			l.write(t, m)
			_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
			if f := finding(t, err); f.Table != c.table {
				t.Errorf("want table %s; got %v", c.table, f)
			}
			_, err = l.step(f)
			if f := finding(t, err); f.Table != c.table {
				t.Errorf("Follower: want table %s; got %v", c.table, f)
			}
		})
	}
}

const (
	fund7  = "L:FUND:FUNDS:100007"
	fund8  = "L:FUND:FUNDS:100008"
	level8 = "L:INCOME:Level:100008"
)

func (m *maker) lastTransfer() *audit.Transfer { return &m.transfers[len(m.transfers)-1] }
func (m *maker) lastEntry() *audit.Entry       { return &m.entries[len(m.entries)-1] }
func (m *maker) lastCommand() *audit.Command   { return &m.commands[len(m.commands)-1] }
func (m *maker) deposit()                      { m.post("deposit", "", usd("A:CLIENT", 1), usd(fund7, 1)) }

var forgeries = []forgery{
	// sums and floors
	{"one side grows more", func(m *maker) { m.post("deposit", "", usd("A:CLIENT", 5), usd(fund7, 6)) }, "transfer", "transfer 22"},
	{"one side only", func(m *maker) { m.post("deposit", "", usd(fund7, 6)) }, "transfer", "transfer 22"},
	{"sums that are equal but for an overflow", func(m *maker) {
		m.post("x", "", leg{code: "A:FIELD", delta: 1}, leg{code: "L:FEE_HELD:FOREX", delta: math.MaxInt64},
			leg{code: "L:LINE_RESERVE:FOREX", delta: math.MaxInt64}, leg{code: "L:FEE_HELD:CRYPTO", delta: 3})
	}, "transfer", "transfer 22"},
	{"a balance that overflows", func(m *maker) {
		m.post("x", "", leg{code: "A:CLIENT", delta: math.MaxInt64}, leg{code: "L:FEE_HELD:FOREX", delta: math.MaxInt64})
	}, "entry", "A:CLIENT version 9, transfer 22 leg 1"},
	{"below zero", func(m *maker) { m.post("withdraw", "", usd("A:CLIENT", -700), usd(fund7, -700)) }, "entry", fund7},
	{"held money spent", func(m *maker) { m.post("withdraw", "", usd("A:CLIENT", -1440), usd(fund8, -1440)) }, "entry", fund8},
	{"more held than there is", func(m *maker) { m.place(fund7, 601, "") }, "entry", fund7},
	{"less held than nothing", func(m *maker) { m.post("hold.void", "", leg{code: fund7, held: -5, hold: 3}) }, "entry", fund7},
	{"an account in two legs", func(m *maker) {
		m.post("deposit", "", usd("A:CLIENT", 2), usd(fund7, 1), usd(fund7, 1))
	}, "entry", "transfer 22 leg 3"},
	{"a leg that moves nothing", func(m *maker) { m.post("x", "", usd("A:CLIENT", 0), usd(fund7, 0)) }, "entry", "transfer 22 leg 1"},
	{"a transfer without entries", func(m *maker) { m.post("x", "") }, "entry", "transfer 22 leg 1"},
	{"a wrong number of legs", func(m *maker) { m.deposit(); m.lastTransfer().Legs = 3 }, "transfer", "transfer 22"},
	{"a version left out", func(m *maker) { m.deposit(); m.lastEntry().Version++; m.account(fund7).Version++ }, "entry", fund7 + " version 6"},
	{"a wrong owner in an entry", func(m *maker) { m.deposit(); m.lastEntry().Owner = 1 }, "entry", fund7},
	{"a wrong kind in an entry", func(m *maker) { m.deposit(); m.lastEntry().Kind = "L:INCOME" }, "entry", fund7},
	{"an account without a member", func(m *maker) { m.post("x", "", usd("A:CLIENT", 1), usd("L:FUND:FUNDS:bob", 1)) }, "account", "L:FUND:FUNDS:bob"},
	{"an account that is no account", func(m *maker) { m.post("x", "", usd("A:CLIENT", 1), usd("L:", 1)) }, "account", "account L:"},
	{"one code for two accounts", func(m *maker) {
		m.post("x", "", usd("A:CLIENT", 2), usd("L:FUND:FUNDS:100050", 1), usd("L:FUND:FUNDS:100051", 1))
		*m.account("L:FUND:FUNDS:100051") = audit.Account{ID: 20, Code: "L:FUND:FUNDS:100050", Kind: "L:FUND", Owner: 100050, Posted: 1_000_000, Version: 1}
		m.lastEntry().Owner = 100050
	}, "account", "account id 20"},

	// no payment out of deposits
	{"an income out of a deposit", func(m *maker) { m.post("x", "", usd(fund7, -1), usd(level8, 1)) }, "entry", fund7},
	{"a held income out of a deposit", func(m *maker) { m.post("x", "", usd(fund7, -1), usd("L:HELD:Level:100008", 1)) }, "entry", fund7},
	{"an income out of another's principal", func(m *maker) {
		m.post("x", "", usd("L:PRINCIPAL:FOREX:100008:p1", -1), usd("L:INCOME:Level:100009", 1))
	}, "entry", "L:PRINCIPAL:FOREX:100008:p1"},
	{"an income out of equity", func(m *maker) { m.post("x", "", usd("E:COMPANY", -1), usd(level8, 1)) }, "entry", "E:COMPANY"},
	{"two incomes, one out of an own deposit", func(m *maker) {
		m.post("x", "", usd(fund8, -2), usd(level8, 1), usd("L:INCOME:Level:100009", 1))
	}, "entry", fund8},
	{"an income out of fresh cash", func(m *maker) { m.post("x", "", usd("A:CLIENT", 1), usd(level8, 1)) }, "transfer", "transfer 22"},
	{"an income partly out of fresh cash", func(m *maker) {
		m.post("x", "", usd("A:CLIENT", 1), usd("P:LEVEL", -1), usd(level8, 2))
	}, "transfer", "transfer 22"},
	{"a pool out of a deposit", func(m *maker) { m.post("x", "", usd(fund7, -1), usd("P:LEVEL", 1)) }, "entry", fund7},
	{"a pool out of held profit", func(m *maker) { m.post("x", "", usd("L:ROI_HELD:FOREX", -1), usd("P:LEVEL", 1)) }, "entry", "L:ROI_HELD:FOREX"},
	{"a pool out of fresh cash", func(m *maker) { m.post("x", "", usd("A:CLIENT", 1), usd("P:LEVEL", 1)) }, "transfer", "transfer 22"},
	{"held profit out of a deposit", func(m *maker) {
		m.post("x", "", usd("A:TRADING:FOREX", 1), usd("A:CLIENT", -1), usd(fund7, -1), usd("L:ROI_HELD:FOREX", 1))
	}, "entry", fund7},
	{"more held profit than earned", func(m *maker) {
		m.post("x", "", usd("A:TRADING:FOREX", 1), usd("A:CLIENT", 1), usd("L:ROI_HELD:FOREX", 2))
	}, "entry", "L:ROI_HELD:FOREX"},
	{"held profit of another line", func(m *maker) { m.post("x", "", usd("A:TRADING:CRYPTO", 1), usd("L:ROI_HELD:FOREX", 1)) }, "entry", "L:ROI_HELD:FOREX"},
	{"a wrong beneficiary", func(m *maker) {
		m.deposit()
		m.lastEntry().Beneficiary = 100007
	}, "entry", fund7},

	// holds
	{"a hold resolved twice", func(m *maker) {
		m.place(fund8, 100, "") // so that enough is held
		m.post("hold.void", "", leg{code: fund8, held: -80_000_000, hold: 4})
	}, "entry", "transfer 23 leg 1"},
	{"a hold settled in part", func(m *maker) {
		m.post("withdraw", "", leg{fund8, -60_000_000, -60_000_000, 3}, usd("A:CLIENT", -60))
		m.holds[2].State, m.holds[2].Resolved = "settled", 22
	}, "entry", "transfer 22 leg 1"},
	{"a hold of another account", func(m *maker) {
		m.place(fund7, 70, "") // so that enough is held
		m.post("hold.void", "", leg{code: fund7, held: -70_000_000, hold: 3})
	}, "entry", fund7},
	{"a hold that was never placed", func(m *maker) {
		m.place(fund7, 70, "")
		m.post("hold.void", "", leg{code: fund7, held: -70_000_000, hold: 9})
	}, "entry", "transfer 23 leg 1"},
	{"a hold placed out of order", func(m *maker) {
		m.place(fund7, 1, "")
		m.holds[4].ID = 9
		m.lastEntry().Hold = 9
	}, "entry", "transfer 22 leg 1"},
	{"a hold without an expiry", func(m *maker) { m.place(fund7, 1, ""); m.lastTransfer().Reason = "until tomorrow" }, "transfer", "transfer 22"},
	{"a hold with a careless reason", func(m *maker) { m.place(fund7, 1, " because") }, "transfer", "transfer 22"},
	{"a hold placed by another kind", func(m *maker) { m.place(fund7, 1, ""); m.lastTransfer().Kind = "withdraw" }, "transfer", "transfer 22"},
	{"a hold released by placing", func(m *maker) {
		m.release(3, "hold.place", "settled")
		m.lastTransfer().Reason = m.transfers[12].Reason
	}, "transfer", "transfer 22"},
	{"a void that moves money", func(m *maker) { m.release(3, "hold.void", "voided", usd(fund8, -70), usd("A:CLIENT", -70)) }, "transfer", "transfer 22"},
	{"a settlement that moves nothing", func(m *maker) { m.release(3, "withdraw", "settled") }, "entry", "transfer 22 leg 1"},
	{"a held change without a hold", func(m *maker) { m.post("hold.place", m.transfers[12].Reason, leg{code: fund7, held: 5}) }, "entry", "transfer 22 leg 1"},
	{"a hold without a held change", func(m *maker) { m.post("withdraw", "", leg{fund8, -5, 0, 3}, leg{code: "A:CLIENT", delta: -5}) }, "entry", "transfer 22 leg 1"},
	{"a hold row without its transfer's expiry", func(m *maker) { m.place(fund7, 1, ""); m.holds[4].Expires++ }, "hold", "hold 5"},
	{"a hold row that was not resolved", func(m *maker) {
		m.release(3, "hold.void", "voided")
		m.holds[2].State, m.holds[2].Resolved = "open", 0
	}, "hold", "hold 3"},

	// times
	{"a transfer one microsecond later", func(m *maker) {
		m.deposit()
		m.deposit()
		m.lastTransfer().Recorded = m.transfers[21].Recorded + 1
	}, "", ""},
	{"a transfer that goes back", func(m *maker) { m.deposit(); m.lastTransfer().Recorded = m.transfers[20].Recorded }, "transfer", "transfer 22"},
	{"a transfer after its batch", func(m *maker) { m.deposit(); m.lastTransfer().Recorded += 1 << 40 }, "batch", "batch 11"},
	{"a command after its batch", func(m *maker) {
		m.command("u", "k", nil, m.deposit)
		m.lastCommand().Recorded += 1 << 40
	}, "command", `key "k"`},
	{"an older epoch", func(m *maker) { m.deposit(); m.head.Epoch = 2 }, "batch", "batch 11"},

	// reversals
	{"a reversal of nothing yet", func(m *maker) { m.deposit(); m.lastTransfer().Reverses = 22 }, "transfer", "transfer 22"},
	{"a second reversal", func(m *maker) {
		m.post("reverse", "", usd("A:CLIENT", -5), usd("L:FUND:FUNDS:100009", -5)).Reverses = 21
		m.post("deposit", "", usd("A:CLIENT", 5), usd("L:FUND:FUNDS:100009", 5))
		m.post("reverse", "", usd("A:CLIENT", -5), usd("L:FUND:FUNDS:100009", -5)).Reverses = 21
	}, "transfer", "transfer 24"},
	{"a reversal of another amount", func(m *maker) {
		m.post("reverse", "", usd("A:CLIENT", -4), usd("L:FUND:FUNDS:100009", -4)).Reverses = 21
	}, "entry", "transfer 22 leg 1"},
	{"a reversal of another account", func(m *maker) {
		m.post("reverse", "", usd("A:CLIENT", -5), usd(fund7, -5)).Reverses = 21
	}, "entry", "transfer 22 leg 2"},
	{"a reversal with a leg more", func(m *maker) {
		m.post("reverse", "", usd("A:CLIENT", -5), usd("L:FUND:FUNDS:100009", -4), usd(fund7, -1)).Reverses = 21
	}, "transfer", "transfer 22"},
	{"a reversal that settles a hold", func(m *maker) {
		m.post("deposit", "", usd("A:CLIENT", 5), usd(fund8, 5))
		m.release(3, "reverse", "settled", usd(fund8, -5), usd("A:CLIENT", -5))
		m.lastTransfer().Reverses = 22
	}, "entry", fund8},

	// idempotency
	{"an id used twice", func(m *maker) { m.deposit(); m.lastTransfer().ID = "t0001" }, "transfer", "transfer 22"},
	{"a key used twice", func(m *maker) { m.command("u100007", "buy-1", nil, m.deposit) }, "command", "batch 11"},
	{"a key used twice in a batch", func(m *maker) {
		m.command("u", "k", nil, m.deposit)
		m.command("u", "k", nil, func() {})
	}, "command", "batch 11"},
	{"a command that claims a transfer more", func(m *maker) {
		m.deposit()
		m.command("u", "k", nil, m.deposit)
		m.lastCommand().First--
	}, "command", `key "k"`},
	{"a command that claims nothing", func(m *maker) {
		m.command("u", "k", nil, m.deposit)
		m.lastCommand().First, m.lastCommand().Last = 23, 22
	}, "command", `key "k"`},
	{"a command that claims others' transfers", func(m *maker) {
		m.deposit()
		m.command("u", "k", nil, func() {})
		m.lastCommand().First, m.lastCommand().Last = 22, 22
	}, "command", `key "k"`},
	{"a command in pieces", func(m *maker) {
		m.command("u", "k", nil, func() { m.deposit(); m.deposit(); m.deposit() })
		m.transfers[22].Key = ""
	}, "transfer", "transfer 24"},
	{"a transfer of a forgotten command", func(m *maker) { m.deposit(); m.lastTransfer().Key = "k" }, "transfer", "transfer 22"},
	{"a command without a key", func(m *maker) { m.command("u", "", nil, func() {}) }, "command", `key ""`},
}

func forged(c forgery) *maker {
	m := story()
	c.add(m)
	m.seal()
	return m
}

func TestVerifyFindsBrokenRulesInSignedBatches(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		l := openLedger(t, dsn, true, story())
		for _, c := range forgeries {
			t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
				m := forged(c)
				l.write(t, m)
				_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
				c.judge(t, err)
			})
		}
	})
}

// judge: the row is named, or, for what is not wrong after all, nothing is.
func (c forgery) judge(t *testing.T, err error) {
	t.Helper()
	if c.table == "" {
		if err != nil {
			t.Errorf("nothing is wrong, but: %v", err)
		}
		return
	}
	names(t, err, c.table, c.row)
	t.Log(err)
}

// A chain that is rewritten completely over changed rows is consistent; only the key and
// the anchors reveal it.
func TestVerifyFindsARewrittenChain(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		good := story()
		l := openLedger(t, dsn, false, good)
		opts := audit.Options{PublicKeys: trusted(good.key)}
		rewrite := func(key string) *maker {
			m := story()
			m.transfers[2].Reason = "something else"
			if key != "" {
				m.key = testKey(key)
			}
			m.chain(2)
			return m
		}
		m := rewrite("a thief's")
		l.write(t, m)
		_, err := l.verify(opts)
		names(t, err, "batch", "batch 2")
		// The thief names the right key.
		for i := 1; i < len(m.batches); i++ {
			m.batches[i].Prev, m.batches[i].KeyID = m.batches[i-1].Hash, keyName(good.key)
			m.sign(i + 1)
		}
		l.write(t, m)
		_, err = l.verify(opts)
		names(t, err, "batch", "batch 2")
		m.batches[0].Prev = m.head.Hash
		m.sign(1)
		l.write(t, m)
		_, err = l.verify(opts)
		names(t, err, "batch", "batch 1")

		l.write(t, rewrite("")) // with the key itself
		if _, err = l.verify(opts); err != nil {
			t.Fatalf("rewritten with the key and no anchors: %v", err)
		}
		opts.Anchors = []audit.Anchor{good.anchor(1), good.anchor(6), good.anchor(9)}
		_, err = l.verify(opts)
		names(t, err, "batch", "batch 6")
	})
}

func TestVerifyFindsACutByItsAnchors(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, false, m.sealed[6]) // batch 7 is the last
		opts := audit.Options{PublicKeys: trusted(m.key), Anchors: []audit.Anchor{m.anchor(7), m.anchor(2)}}
		if _, err := l.verify(opts); err != nil {
			t.Fatal(err)
		}
		opts.Anchors = append(opts.Anchors, m.anchor(10), m.anchor(9))
		_, err := l.verify(opts)
		names(t, err, "batch", "batch 9")
		if !strings.Contains(err.Error(), "2026-11-15T03:00:00Z") {
			t.Errorf("the anchor's time is not told: %v", err)
		}
		bad := m.anchor(3)
		bad.Seq++
		opts.Anchors = []audit.Anchor{bad}
		_, err = l.verify(opts)
		names(t, err, "batch", "batch 3")
		opts.Anchors = []audit.Anchor{{Batch: 0}}
		_, err = l.verify(opts)
		names(t, err, "head", "head")
	})
}
