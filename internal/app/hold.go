package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// restoreCheckInterval is the interval at which the leader checks whether the database is an older
// copy, which may have been restored while this process was a standby.
const restoreCheckInterval = 5 * time.Second

// holdIfRestored holds payouts if the database was restored, and ends all sessions.
func (a *App) holdIfRestored(ctx context.Context) error {
	return a.services.Payout.TakeNote(ctx, a.db.RevokeSignIns)
}

// adoptCall is the call for lifting a hold.
const adoptCall = "/api/operator/payouts/hold/adopt"

// otherAdopters counts the operators except one who may lift a hold and can sign in.
func (a *App) otherAdopters(ctx context.Context, tx *ledger.Tx, but int64) (int, error) {
	return a.others(ctx, tx, but, adoptCall)
}

// otherConfirmers counts the operators except one who may confirm a payment and can sign
// in.
func (a *App) otherConfirmers(ctx context.Context, tx *ledger.Tx, but int64) (int, error) {
	return a.others(ctx, tx, but, approvalmail.Ways[approvalmail.Payment].Call)
}

func (a *App) others(ctx context.Context, tx *ledger.Tx, but int64, call string) (n int, err error) {
	all, err := a.db.Auth().OperatorsIn(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, o := range all {
		if o.ID == but || !o.Ended.IsZero() || httpx.CheckRole(auth.Session{Kind: auth.KindOperator, Operator: o.ID, Role: o.Role}, call) != nil {
			continue
		}
		row, _, err := a.db.Auth().OperatorIn(ctx, tx, o.ID)
		if err != nil {
			return 0, err
		}
		if row.Password != "" { // without an accepted invitation an operator cannot sign in
			n++
		}
	}
	return n, nil
}

// signIn signs an operator in for one call and returns the operator. done ends the
// session.
func (d *Desk) signIn(ctx context.Context, who auth.OperatorLogin, call string) (by actor.By, done func() error, err error) {
	c := &d.app.services
	who.Agent = "the command line, as " + systemUser()
	grant, err := c.Auth.LoginOperator(ctx, who)
	if err != nil {
		return by, nil, err
	}
	done = func() error { return c.Auth.Logout(context.WithoutCancel(ctx), grant.Session) }
	if grant.MustChange {
		return by, nil, errors.Join(errs.New(errs.Forbidden, "operator.factor_needed_in_console", "Set a second factor in the console first."), done())
	}
	if err := httpx.CheckRole(grant.Session, call); err != nil {
		return by, nil, errors.Join(err, done())
	}
	all, err := c.Auth.Operators(ctx)
	if err != nil {
		return by, nil, errors.Join(err, done())
	}
	by.Operator = grant.Session.Operator
	if i := slices.IndexFunc(all, func(o auth.Operator) bool { return o.ID == by.Operator }); i >= 0 {
		by.Name = all[i].Email
	}
	return by, done, nil
}

// SettleHold starts settling the hot wallet, as the given operator.
func (d *Desk) SettleHold(ctx context.Context, who auth.OperatorLogin, why string) error {
	by, done, err := d.signIn(ctx, who, "/api/operator/payouts/hold/settle")
	if err != nil {
		return err
	}
	return errors.Join(d.Payouts().Settle(ctx, by, "", why), done())
}

// AdoptHold adopts the state, as the given operator; lifted is false while a second
// operator must adopt it.
func (d *Desk) AdoptHold(ctx context.Context, who auth.OperatorLogin, digest, why string) (lifted bool, err error) {
	by, done, err := d.signIn(ctx, who, adoptCall)
	if err != nil {
		return false, err
	}
	lifted, err = d.Payouts().Adopt(ctx, by, "", digest, why)
	return lifted, errors.Join(err, done())
}
