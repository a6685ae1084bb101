package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var restoreCommand = command{
	name:    "restore",
	summary: "restore a backup into an empty database and verify it",
	run:     restore,
}

// restore exits 0 if the backup was restored and verify passes.
func restore(ctx context.Context, e env) int {
	var from, identity string
	var force bool
	cfg, rest, err := config.Load("restore", e.args, e.environ, func(f *flag.FlagSet) {
		f.StringVar(&from, "from", "", "the backup")
		f.StringVar(&identity, "identity", "", "the file of the secret key that decrypts it")
		f.BoolVar(&force, "force", false, "replace what is in the database")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 || from == "" {
		return e.usage("restore takes flags only, and needs --from FILE; \"bifolia help restore\" lists them.")
	}
	bar := newBar(e.stderr)
	done, err := app.Restore(ctx, cfg, app.RestoreRequest{From: from, Identity: identity, Force: force, Environ: e.environ, Stage: bar.stage})
	bar.clear()
	if err != nil {
		return e.fail(err)
	}
	m := done.Manifest
	_, _ = fmt.Fprintf(e.stdout, "Restored the backup of %s: ledger at transfer %d, batch %d.\n", m.Made.Format("2006-01-02 15:04:05 UTC"), m.Seq, m.Batch)
	if done.Kept != "" {
		_, _ = fmt.Fprintf(e.stdout, "The previous database is kept as %s.\n", done.Kept)
	}
	if done.Schema != m.Schema {
		_, _ = fmt.Fprintf(e.stdout, "The backup was migrated from schema %d to %d.\n", m.Schema, done.Schema)
	}
	e.printRevived(done)
	if done.NoKey {
		_, _ = fmt.Fprintf(e.stderr, "Before a server starts, put the key %s that signs this ledger at %s.\n", m.Key, cfg.KeyFile)
	}
	bar = newBar(e.stderr)
	v, err := app.Verify(ctx, cfg, false, bar.show)
	bar.clear()
	code := e.verified(v, err, false)
	if code != exitOK && done.Anchored > 0 {
		_, _ = fmt.Fprintf(e.stderr, "%s knows batches up to %d and the backup ends at %d: everything written in between is lost. To accept that, run \"bifolia verify --new-anchor\".\n", cfg.AnchorFile, done.Anchored, m.Batch)
	}
	return code
}

// printRevived prints the open work that the backup brought back, and the next steps.
func (e env) printRevived(done app.Restored) {
	r := done.Reactivated
	_, _ = fmt.Fprintf(e.stdout, `The backup is from %s. Later data is not in it. It brought back:
  withdrawals  %d pending, %d approved and not known to be paid
  payouts      %d signed and under way, %d batches open
  deposits     %d requests pending
  proposals    %d waiting for a second operator
  mails        %d pending, which are sent again
Sessions (%d), mailed codes, links, temporary passwords and tickets (%d) end when a server starts.
Payouts are held until operators adopt this state: see Payouts in the console, or 'bifolia payout hold'.
`, done.Manifest.Made.Format("2006-01-02 15:04:05 UTC"), r.Pending, r.Approved, r.Signed, r.Batches, r.Requests, r.Proposals, r.Letters, r.Sessions, r.Codes)
}
