package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var backupCommand = command{
	name:    "backup",
	summary: "copy the running database to one verified file",
	run:     backUp,
}

// backUp exits 0 once a complete backup has been written and read back.
func backUp(ctx context.Context, e env) int {
	var out string
	var force, plain, asJSON bool
	cfg, rest, err := config.Load("backup", e.args, e.environ, func(f *flag.FlagSet) {
		f.StringVar(&out, "out", "", "the file to write; it appears once it is complete")
		f.BoolVar(&force, "force", false, "overwrite an existing file")
		f.BoolVar(&plain, "plain", false, "write it unencrypted, even if recipients are configured")
		f.BoolVar(&asJSON, "json", false, "print the manifest as JSON")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 || out == "" {
		return e.usage("backup takes flags only, and needs --out FILE; \"bifolia help backup\" lists them.")
	}
	bar := newBar(e.stderr)
	done, err := app.Backup(ctx, cfg, app.BackupRequest{Out: out, Force: force, Plain: plain, Program: readBuild().Version, Environ: e.environ, Stage: bar.stage})
	bar.clear()
	if err != nil {
		return e.fail(err)
	}
	m := done.Manifest
	if asJSON {
		_ = json.NewEncoder(e.stdout).Encode(m)
	} else {
		_, _ = fmt.Fprintf(e.stdout, "%s is a complete backup: schema %d, ledger at transfer %d, batch %d, hash %s.\n", out, m.Schema, m.Seq, m.Batch, m.Hash)
	}
	if m.Key != "" {
		_, _ = fmt.Fprintf(e.stderr, "The key that signs the ledger (%s, %s) is not in it: keep a copy of it elsewhere.\n", m.Key, cfg.KeyFile)
	}
	if done.NoKeys != "" {
		_, _ = fmt.Fprintf(e.stderr, "The list of public keys %s was not found and is not in it: verifying after a restore needs it.\n", done.NoKeys)
	}
	return exitOK
}

// stage shows progress in megabytes.
func (b *bar) stage(what string, done, total int64) {
	const mega = 1_000_000
	if b.w == nil {
		return
	}
	if total > 0 {
		b.tell(done*100/total, fmt.Sprintf("%s: %d of %d MB", what, done/mega, total/mega))
		return
	}
	if at := -2 - done/mega; at != b.last { // not a percentage: the total is unknown
		b.last = at
		_, _ = fmt.Fprintf(b.w, "\r%-80s", fmt.Sprintf("%s: %d MB", what, done/mega))
	}
}
