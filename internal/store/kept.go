package store

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/member"
	"github.com/bifolia/bifolia/internal/report"
	"github.com/bifolia/bifolia/internal/team"
)

// Rows that money calls read again and again are kept in memory by the process
// that leads. All writes of the product come through its groups, so it knows
// when one of these rows changes: a statement that writes one takes it out
// before it runs, and until the group has ended, well or badly, that row is
// read from the database and not kept. What a command reads here is therefore
// what the database would say: another process's write would have raised the
// epoch, and the fence refuses the group.
//
// What somebody changes by hand, past the product, is seen within two turns.

const (
	keptTurn  = 30 * time.Second
	keptLimit = 16_384
)

// keeper is one kind of row by its key. A row that is not there is not kept.
type keeper[K comparable, V any] struct {
	mu         sync.Mutex
	on         bool
	young, old map[K]V
	all        bool       // the open group may have written any row
	open       map[K]bool // rows that it has written

	// A read is kept only if its row was not taken out since the read began:
	// changes counts what was taken out, when tells the last time of a row, and
	// what began before floor is not kept at all.
	changes, floor uint64
	when           map[K]uint64
}

// get is the row as committed, if it is kept.
func (k *keeper[K, V]) get(key K) (V, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.young[key]
	if !ok {
		v, ok = k.old[key]
	}
	return v, ok
}

// many is get for some keys: the rows that are kept, and the keys of the others.
func (k *keeper[K, V]) many(keys []K) (found []V, missing []K) {
	found = make([]V, 0, len(keys))
	for _, key := range keys {
		if v, ok := k.get(key); ok {
			found = append(found, v)
		} else {
			missing = append(missing, key)
		}
	}
	return found, missing
}

// mark is for put: it is taken before the row is read.
func (k *keeper[K, V]) mark() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.changes
}

// put keeps a row that was read since mark, unless it may have changed.
func (k *keeper[K, V]) put(key K, v V, mark uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.on || mark < k.floor || k.when[key] > mark || k.all || k.open[key] {
		return
	}
	if k.young == nil {
		k.young = map[K]V{}
	}
	if k.young[key] = v; len(k.young) > keptLimit {
		k.old, k.young = k.young, nil
	}
}

// spoil takes a row out until the group has ended; with any key, all of them.
func (k *keeper[K, V]) spoil(key any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	one, ok := key.(K)
	if !ok {
		k.all, k.young, k.old = true, nil, nil
		k.forget()
		return
	}
	k.changed(one)
	delete(k.young, one)
	delete(k.old, one)
	if k.open == nil {
		k.open = map[K]bool{}
	}
	k.open[one] = true
}

// settle: the group that spoiled rows has ended.
func (k *keeper[K, V]) settle() {
	k.mu.Lock()
	defer k.mu.Unlock()
	// A read that began before may have seen what was before.
	if k.all {
		k.forget()
	}
	for key := range k.open {
		k.changed(key)
	}
	k.all, k.open = false, nil
}

func (k *keeper[K, V]) changed(key K) {
	if k.when == nil || len(k.when) > keptLimit {
		k.forget()
	}
	k.changes++
	k.when[key] = k.changes
}

// forget keeps nothing that is being read.
func (k *keeper[K, V]) forget() {
	k.changes++
	k.floor, k.when = k.changes, map[K]uint64{}
}

func (k *keeper[K, V]) turn() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.old, k.young = k.young, nil
	k.forget()
}

func (k *keeper[K, V]) set(on bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.on, k.young, k.old = on, nil, nil
	k.forget()
}

// kept are all keepers of a database.
type kept struct {
	credentials keeper[int64, auth.CredentialRow]
	cards       keeper[int64, member.Card]
	sessions    keeper[string, auth.Session]             // members' own only
	waiting     keeper[int64, int64]                     // how many fund requests of a member wait
	balances    keeper[int64, map[string]ledger.Balance] // of a member's accounts
	earned      keeper[int64, []team.Earned]             // what the dashboard says of a member, by number
	standings   keeper[int64, report.StoredStanding]     // what the tree says of a member, by number
	claims      keeper[claim, bool]                      // whether a member may not name a transaction number
	held        keeper[int64, []fund.Held]               // what is held of a member's funds
	numbers     keeper[string, int64]                    // last numbers of numbered tables, by name

	mu    sync.Mutex
	leads bool // this process has taken over and not lost the lease
	on    bool
	timer *time.Timer
}

// shelf is a keeper as writes see it, with the table its rows are of and the
// column that is its key. Without a key it keeps what was made of the table, and
// any write may change any of it.
type shelf struct {
	table, key string
	keeper     interface {
		spoil(key any)
		settle()
		turn()
		set(on bool)
	}
}

// numbering is the key of a shelf for a table's last number, which a change of
// rows leaves as it is.
const numbering = "#"

func (k *kept) shelves() []shelf {
	return []shelf{
		{"credential", "uid", &k.credentials},
		{"member", "uid", &k.cards},
		{"session", "id", &k.sessions},
		{"fund_request", "", &k.waiting},
		{"fund_held", "uid", &k.held},
		{"fund_request", "", &k.claims},
		{"account", "", &k.balances}, // the ledger's own writes say whose (spoilBalances)
		{"income", "", &k.earned},
		{"roi_batch", "", &k.earned},
		{"claim", "", &k.earned},
		{"carry", "", &k.standings},
		{"sale", "", &k.standings},
		{"fund_request", numbering, &k.numbers},
		{"outbox", numbering, &k.numbers},
	}
}

// lead says whether this process is the sequencer. What was kept before is of
// another time.
func (k *kept) lead(leads bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.leads = leads
	k.set(leads)
}

// writes tells whether this process leads.
func (k *kept) writes() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.leads
}

// doubt empties everything until a group has passed the fence.
func (k *kept) doubt() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.set(false)
}

// proved: a group has passed the fence, so this process leads.
func (k *kept) proved() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.leads && !k.on {
		k.set(true)
	}
}

func (k *kept) set(on bool) {
	k.on = on
	for _, s := range k.shelves() {
		s.keeper.set(on)
	}
	if k.timer != nil {
		k.timer.Stop()
		k.timer = nil
	}
	if on {
		k.timer = time.AfterFunc(keptTurn, k.turn)
	}
}

func (k *kept) turn() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.on {
		return
	}
	for _, s := range k.shelves() {
		s.keeper.turn()
	}
	k.timer.Reset(keptTurn)
}

// spoils says what a statement that writes does to kept rows.
type spoils struct {
	shelf shelf
	arg   int // the argument that is the key; -1 when it may be any row
}

// wrote takes out of memory what a statement is about to change.
func (g *groupTx) wrote(query string, args []any) {
	all, known := g.w.spoils[query]
	if !known {
		all = g.db.kept.spoiledBy(query)
		if len(g.w.spoils) < maxStatements {
			g.w.spoils[query] = all
		}
	}
	for _, s := range all {
		g.spoiled = true
		if s.arg < 0 || s.arg >= len(args) {
			s.shelf.keeper.spoil(nil)
			continue
		}
		s.shelf.keeper.spoil(args[s.arg])
	}
}

// spoil takes one row out, for rows that are not written by a statement at once.
func (g *groupTx) spoil(k interface{ spoil(key any) }, key any) {
	g.spoiled = true
	k.spoil(key)
}

// spoilBalances takes out what the group's postings change. The ledger writes its
// accounts itself, with its commit.
func (g *groupTx) spoilBalances(all []ledger.AccountRow) {
	if len(all) > keptLimit {
		g.spoil(&g.db.kept.balances, nil)
		return
	}
	for i := range all {
		if all[i].Owner != 0 {
			g.spoil(&g.db.kept.balances, all[i].Owner)
		}
	}
}

// settle ends what wrote began. Only a commit that the server has confirmed
// proves anything.
func (g *groupTx) settle(committed bool) {
	if g.spoiled {
		g.spoiled = false
		for _, s := range g.db.kept.shelves() {
			s.keeper.settle()
		}
	}
	if committed {
		g.db.kept.proved()
	}
}

// spoiledBy reads a statement: whatever names a table and is not plainly a new
// row, or a change of one row by its key, may change any row.
func (k *kept) spoiledBy(query string) (out []spoils) {
	words := strings.Join(strings.Fields(query), " ")
	for _, s := range k.shelves() {
		if !regexp.MustCompile(`\b` + s.table + `\b`).MatchString(words) {
			continue
		}
		switch {
		case s.key == "":
			out = append(out, spoils{s, -1})
			continue
		case s.key == numbering && strings.HasPrefix(words, "UPDATE "+s.table+" "):
			continue
		case s.key == numbering:
			out = append(out, spoils{s, -1})
			continue
		}
		if strings.HasPrefix(words, "INSERT INTO "+s.table+" (") && strings.Contains(words, " VALUES (") && !strings.Contains(words, "ON CONFLICT") {
			continue
		}
		found := spoils{s, -1}
		byKey := regexp.MustCompile(`^(?:UPDATE ` + s.table + ` SET [^()]*|DELETE FROM ` + s.table + `) WHERE ` + s.key + ` = \$(\d+)( AND [^()]*)?$`).FindStringSubmatch(words)
		if byKey != nil && !strings.Contains(words, " OR ") && strings.Count(words, " WHERE ") == 1 {
			if n, err := strconv.Atoi(byKey[1]); err == nil {
				found.arg = n - 1
			}
		}
		out = append(out, found)
	}
	return out
}

// keptFirst is first for a row that is kept by its key.
func keptFirst[K comparable, V any](k *keeper[K, V], key K, read func() (V, bool, error)) (V, bool, error) {
	if v, ok := k.get(key); ok {
		return v, true, nil
	}
	mark := k.mark()
	v, found, err := read()
	if err == nil && found {
		k.put(key, v, mark)
	}
	return v, found, err
}

// keeps is where rows of this database are kept, for a command's rows.
func keeps(tx *ledger.Tx) *kept { return &groupOf(tx).db.kept }
