package ledger

// Reading what a group needs. Memory first, then the store; within a group
// what was read once stays, because only this sequencer writes.

// account is the balance of a; without an id if a has never been used.
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

// prefetch reads what the commands say that they will need, all at once.
func (g *group) prefetch(waiters []*waiter) error {
	var missing []Account
	for _, w := range waiters {
		missing = g.missing(missing, w.cmd.Touches)
	}
	return g.load(missing)
}

// missing adds to a list the accounts that are not in memory.
func (g *group) missing(list, accounts []Account) []Account {
	for _, a := range accounts {
		if _, ok := g.s.accounts.Get(a); !ok {
			list = append(list, a)
		}
	}
	return list
}

// load reads accounts into memory. Of those that are not there it is kept that
// they are not, since nobody else can open them: who pays a million new accounts
// must not ask for each again.
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

// unused is an account that nothing was ever posted to: it has no id yet.
func unused(a Account) *balance {
	return &balance{row: AccountRow{Code: a.code, Kind: a.Kind(), Owner: a.Owner(), Floor: a.floor(), Proved: true}}
}
