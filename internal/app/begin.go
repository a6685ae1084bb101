package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Begin creates the first member and the first operator of an installation. It returns
// Conflict if there is a first member, and Unavailable if another process writes to the
// database.
func Begin(ctx context.Context, cfg config.Config, log *slog.Logger, f enrol.First) (begun enrol.Begun, err error) {
	cfg.Addr, cfg.MetricsAddr = "127.0.0.1:0", "" // nothing is served
	cfg.AdvertiseURL = config.BaseURL(cfg.Addr)
	a, err := New(ctx, cfg, log)
	if err != nil {
		return begun, err
	}
	defer func() {
		if cerr := a.Close(); err == nil {
			err = cerr
		}
	}()
	if err := a.ledger.Ready(); err != nil {
		return begun, errs.New(errs.Unavailable, "server.other_process", "Another Bifolia process writes to this database: stop it first.")
	}
	return a.services.Enrol.Begin(ctx, f)
}

// BeginDemo creates the first member and operator of a demo without any, with random
// passwords, which it prints once.
func (a *App) BeginDemo(ctx context.Context, out io.Writer) error {
	leads := a.ledger.State().Leading
	if no, _ := a.services.Tree.State(); !a.cfg.Demo || no != 0 || !leads {
		return nil
	}
	password := func() string { return strings.ToLower(rand.Text()[:16]) }
	root := member.RegistrationForm{Name: "First Member", Email: "first@demo.example", Mobile: "9000000000", Country: "99", Password: password()}
	f, err := enrol.ParseFirst(root, "operator@demo.example", "Demo Operator", password())
	if err != nil {
		return err
	}
	begun, err := a.services.Enrol.Begin(ctx, f)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, `This demo is new. Told once:
  first member   %d, password %s, transaction password %s
  operator       %s, password %s, authenticator secret %s
`, begun.UID, f.Root.Password, begun.TransactionPassword, f.Operator.Email, f.OperatorPassword, begun.Factor.Secret)
	return nil
}
