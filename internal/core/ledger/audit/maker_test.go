package audit_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
)

// maker writes ledgers, good and bad, in memory. It follows the format text as
// plainly as it can and checks no rule, so that a test can break any of them.
type maker struct {
	key       ed25519.PrivateKey
	head      audit.Head
	batches   []audit.Batch
	transfers []audit.Transfer
	entries   []audit.Entry
	commands  []audit.Command
	accounts  []audit.Account
	holds     []audit.Hold
	actor     string
	cmd       string
	clock     int64
	sealed    []*maker // as it was after each batch, if kept
	keep      bool
}

func (m *maker) clone() *maker {
	c := *m
	c.batches, c.transfers, c.entries = slices.Clone(m.batches), slices.Clone(m.transfers), slices.Clone(m.entries)
	c.commands, c.accounts, c.holds = slices.Clone(m.commands), slices.Clone(m.accounts), slices.Clone(m.holds)
	return &c
}

func testKey(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func keyName(key ed25519.PrivateKey) string {
	sum := sha256.Sum256(key.Public().(ed25519.PublicKey))
	return hex.EncodeToString(sum[:8])
}

func trusted(keys ...ed25519.PrivateKey) map[string]ed25519.PublicKey {
	out := map[string]ed25519.PublicKey{}
	for _, k := range keys {
		out[keyName(k)] = k.Public().(ed25519.PublicKey)
	}
	return out
}

func newMaker() *maker {
	genesis := sha256.Sum256([]byte("genesis"))
	return &maker{
		key: testKey("the ledger's"), actor: "system",
		head:  audit.Head{Epoch: 1, Hash: genesis[:], Genesis: genesis[:]},
		clock: time.Date(2026, 11, 15, 3, 0, 0, 0, time.UTC).UnixMicro(),
	}
}

func (m *maker) tick() int64 {
	m.clock += 1000
	m.head.Recorded = m.clock
	return m.clock
}

type leg struct {
	code        string
	delta, held int64
	hold        int64
}

// usd is a leg in whole dollars.
func usd(code string, dollars int64) leg { return leg{code: code, delta: dollars * 1_000_000} }

func (m *maker) account(code string) *audit.Account {
	for i := range m.accounts {
		if m.accounts[i].Code == code {
			return &m.accounts[i]
		}
	}
	a := audit.Account{ID: int64(len(m.accounts) + 1), Code: code}
	parts := strings.Split(code, ":")
	a.Kind = parts[0] + ":" + parts[1]
	switch a.Kind {
	case "L:FUND", "L:INCOME", "L:HELD":
		a.Owner, _ = strconv.ParseInt(parts[len(parts)-1], 10, 64)
	case "L:PRINCIPAL":
		a.Owner, _ = strconv.ParseInt(parts[len(parts)-2], 10, 64)
	case "E:COMPANY", "A:OPERATING":
		a.Floor = -1 << 61
	}
	m.accounts = append(m.accounts, a)
	return &m.accounts[len(m.accounts)-1]
}

// post adds a transfer with its entries.
func (m *maker) post(kind, reason string, legs ...leg) *audit.Transfer {
	m.head.Seq++
	t := audit.Transfer{
		Seq: m.head.Seq, ID: fmt.Sprintf("t%04d", m.head.Seq), Batch: m.head.Batch + 1, Actor: m.actor, Key: m.cmd,
		Kind: kind, Reason: reason, Reference: "ref-" + kind, Recorded: m.tick(), Legs: int64(len(legs)),
	}
	t.Effective = t.Recorded - 5
	who := int64(0)
	for _, l := range legs {
		a := m.account(l.code)
		if l.delta > 0 && (a.Kind == "L:INCOME" || a.Kind == "L:HELD") {
			if who != 0 && who != a.Owner {
				who = -1
				break
			}
			who = a.Owner
		}
	}
	for i, l := range legs {
		a := m.account(l.code)
		a.Version++
		a.Posted += l.delta
		a.Held += l.held
		m.entries = append(m.entries, audit.Entry{
			Account: a.ID, Version: a.Version, Seq: t.Seq, Leg: int64(i + 1), Kind: a.Kind, Owner: a.Owner, Beneficiary: who,
			Delta: l.delta, HeldDelta: l.held, BalanceAfter: a.Posted, HeldAfter: a.Held, Hold: l.hold,
		})
	}
	m.transfers = append(m.transfers, t)
	return &m.transfers[len(m.transfers)-1]
}

func (m *maker) place(code string, dollars int64, reason string) int64 {
	id, amount := int64(len(m.holds)+1), dollars*1_000_000
	until := time.UnixMicro(m.clock + 3_600_000_000).UTC()
	t := m.post("hold.place", "until "+until.Format("2006-01-02T15:04:05.000000Z")+reason, leg{code, 0, amount, id})
	m.holds = append(m.holds, audit.Hold{
		ID: id, Account: m.account(code).ID, Amount: amount, State: "open", Expires: until.UnixMicro(), Placed: t.Seq,
	})
	return id
}

// release resolves a hold by a transfer of the kind; legs[0] is of the hold's
// account when there are any.
func (m *maker) release(id int64, kind, state string, legs ...leg) {
	h := &m.holds[id-1]
	if len(legs) == 0 {
		legs = []leg{{code: m.accounts[h.Account-1].Code}}
	}
	legs[0].held, legs[0].hold = -h.Amount, id
	h.State, h.Resolved = state, m.post(kind, "", legs...).Seq
}

// command runs work under a key and remembers it.
func (m *maker) command(actor, key string, response []byte, work func()) {
	before, first := m.actor, m.head.Seq+1
	m.actor, m.cmd = actor, key
	work()
	m.actor, m.cmd = before, ""
	request := sha256.Sum256([]byte(key + " asked"))
	n := int64(1)
	for _, c := range m.commands {
		if c.Batch == m.head.Batch+1 {
			n++
		}
	}
	m.commands = append(m.commands, audit.Command{
		Actor: actor, Key: key, Batch: m.head.Batch + 1, N: n, Request: request[:], Response: response,
		First: first, Last: m.head.Seq, Recorded: m.tick(),
	})
}

// seal ends a batch.
func (m *maker) seal() {
	first := int64(1)
	if n := len(m.batches); n > 0 {
		first = m.batches[n-1].Last + 1
	}
	m.head.Batch++
	commands := int64(0)
	for _, c := range m.commands {
		if c.Batch == m.head.Batch {
			commands++
		}
	}
	m.batches = append(m.batches, audit.Batch{
		No: m.head.Batch, Epoch: m.head.Epoch, First: first, Last: m.head.Seq, Commands: commands, Recorded: m.tick(),
	})
	m.chain(len(m.batches))
	if m.keep {
		m.sealed = append(m.sealed, m.clone())
	}
}

// chain makes leaves, roots, hashes and signatures of batch no and all after
// it, and what the head repeats of them.
func (m *maker) chain(no int) {
	for i := no - 1; i < len(m.batches); i++ {
		b := &m.batches[i]
		b.Prev = m.head.Genesis
		if i > 0 {
			b.Prev = m.batches[i-1].Hash
		}
		b.Root = merkle(m.leaves(b))
		b.KeyID = keyName(m.key)
		m.sign(int(b.No))
	}
	m.head.Accounts, m.head.Holds, m.head.Entries = int64(len(m.accounts)), int64(len(m.holds)), int64(len(m.entries))
}

// sign hashes and signs batch no as it is.
func (m *maker) sign(no int) {
	b := &m.batches[no-1]
	b.Hash = canonical("bifolia.batch.v1", b.No, b.Epoch, b.First, b.Last, b.Commands, b.Recorded, b.Prev, b.Root, b.KeyID)
	b.Signature = ed25519.Sign(m.key, b.Hash)
	if no == len(m.batches) {
		m.head.Hash, m.head.Recorded = b.Hash, b.Recorded
	}
}

func (m *maker) leaves(b *audit.Batch) [][]byte {
	var leaves [][]byte
	for i := range m.transfers {
		t := &m.transfers[i]
		if t.Seq < b.First || t.Seq > b.Last {
			continue
		}
		var of []any
		n := int64(0)
		for _, e := range m.entries {
			if e.Seq == t.Seq {
				n++
				of = append(of, e.Account, m.accounts[e.Account-1].Code, e.Version, e.Beneficiary, e.Delta, e.HeldDelta, e.BalanceAfter, e.HeldAfter, e.Hold)
			}
		}
		fields := append([]any{t.Seq, t.ID, t.Actor, t.Key, t.Kind, t.Reason, t.Reference, t.Effective, t.Recorded, t.Reverses, n}, of...)
		t.Leaf = canonical("bifolia.transfer.v1", fields...)
		leaves = append(leaves, t.Leaf)
	}
	for i := range m.commands {
		if c := &m.commands[i]; c.Batch == b.No {
			c.Leaf = canonical("bifolia.command.v1", c.Actor, c.Key, c.Request, c.Response, c.First, c.Last, c.Recorded)
			leaves = append(leaves, c.Leaf)
		}
	}
	return leaves
}

func canonical(domain string, fields ...any) []byte {
	var b bytes.Buffer
	b.WriteByte(0)
	number := func(n int64) { _ = binary.Write(&b, binary.BigEndian, n) }
	for _, f := range append([]any{domain}, fields...) {
		switch f := f.(type) {
		case int64:
			number(f)
		case string:
			number(int64(len(f)))
			b.WriteString(f)
		case []byte:
			number(int64(len(f)))
			b.Write(f)
		}
	}
	sum := sha256.Sum256(b.Bytes())
	return sum[:]
}

func merkle(leaves [][]byte) []byte {
	if len(leaves) == 1 {
		return leaves[0]
	}
	if len(leaves) == 0 {
		sum := sha256.Sum256(nil)
		return sum[:]
	}
	left := 1
	for left*2 < len(leaves) {
		left *= 2
	}
	sum := sha256.Sum256(bytes.Join([][]byte{{1}, merkle(leaves[:left]), merkle(leaves[left:])}, nil))
	return sum[:]
}

func (m *maker) anchor(no int64) audit.Anchor {
	b := m.batches[no-1]
	return audit.Anchor{Batch: no, Seq: b.Last, Hash: [32]byte(b.Hash), At: time.UnixMicro(b.Recorded).UTC()}
}
