package ledger

// Reading what a group needs. Memory first, then the store; within a group
// what was read once stays, because only this sequencer writes.

// account is the balance of a, or nil if a has never been used.
func (g *group) account(a Account) (*balance, error) {
	if b, ok := g.s.accounts.get(a); ok {
		return b, nil
	}
	if err := g.load([]Account{a}); err != nil {
		return nil, err
	}
	b, _ := g.s.accounts.get(a)
	return b, nil
}

// prefetch reads the accounts that the commands say they touch, all at once.
func (g *group) prefetch(waiters []*waiter) error {
	var missing []Account
	for _, w := range waiters {
		for _, a := range w.cmd.Touches {
			if _, ok := g.s.accounts.get(a); !ok {
				missing = append(missing, a)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return g.load(missing)
}

// load reads accounts into memory. Those that are not there stay unknown.
func (g *group) load(accounts []Account) error {
	rows, err := g.db.Accounts(g.ctx, accounts)
	if err != nil {
		return err
	}
	for _, r := range rows {
		g.s.accounts.put(Account{r.Code}, &balance{row: r})
	}
	return nil
}
