package ledger

import (
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// A group reads accounts from memory first, then from the store. Rows that were
// read once stay valid within a group, because only this sequencer writes.

// account returns the balance of a; without an id if a was never used.
func (g *group) account(a Account) (*balance, error) {
	if b, ok := g.s.accounts.Get(a); ok {
		return b, nil
	}
	if err := g.load([]Account{a}); err != nil {
		return nil, err
	}
	b, _ := g.s.accounts.Get(a)
	return b, nil
}

// prefetch reads the accounts that the commands declare, in one query.
func (g *group) prefetch(waiters []*waiter) error {
	var missing []Account
	for _, w := range waiters {
		missing = g.missing(missing, w.cmd.Touches)
	}
	return g.load(missing)
}

// missing appends the accounts that are not in memory to list.
func (g *group) missing(list, accounts []Account) []Account {
	for _, a := range accounts {
		if _, ok := g.s.accounts.Get(a); !ok {
			list = append(list, a)
		}
	}
	return list
}

// load reads accounts into memory. It also caches that an account does not exist,
// which is safe because only this sequencer opens accounts: a command that pays a
// million new accounts must not query each again.
func (g *group) load(accounts []Account) error {
	if len(accounts) == 0 {
		return nil
	}
	rows, err := g.db.Accounts(g.ctx, accounts)
	if err != nil {
		return err
	}
	for _, r := range rows {
		g.s.accounts.Add(Account{r.Code}, &balance{row: r})
	}
	if len(rows) == len(accounts) {
		return nil
	}
	for _, a := range accounts {
		if _, ok := g.s.accounts.Get(a); !ok {
			g.s.accounts.Add(a, unused(a))
		}
	}
	return nil
}

// unused is an account without postings: it has no id yet.
func unused(a Account) *balance {
	return &balance{row: AccountRow{Code: a.code, Kind: a.Kind(), Owner: a.Owner(), Floor: a.floor(), Proved: true}}
}

// balance is an account in memory, owned by the sequencer's goroutine.
type balance struct {
	row   AccountRow
	group *group // the group that last changed it, which lists it once
}

// newRecent makes a cache that evicts nothing by itself: a group relies on the
// accounts it has loaded. Between groups, trim evicts the least recently used
// items, which can be read again from the store.
func newRecent[K comparable, V any]() *simplelru.LRU[K, V] {
	c, err := simplelru.NewLRU[K, V](math.MaxInt, nil)
	if err != nil {
		panic(err) // impossible: the size is above zero
	}
	return c
}

func trim[K comparable, V any](c *simplelru.LRU[K, V], limit int) {
	for c.Len() > limit {
		c.RemoveOldest()
	}
}
