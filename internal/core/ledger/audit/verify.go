package audit

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options of a verification.
type Options struct {
	// PublicKeys are the trusted keys, by id. They come from outside the database;
	// without them no batch is valid.
	PublicKeys map[string]ed25519.PublicKey
	// Anchors are heads stored outside the database.
	Anchors []Anchor
	// Progress is called with the number of checked transfers and the total; may be nil.
	Progress func(done, total int64)
}

// Verify replays the whole ledger. The error is a *Finding if a row is wrong,
// Invalid if the options are, and otherwise the database's.
func Verify(ctx context.Context, r Reader, opts Options) (Summary, error) {
	if err := checkKeys(opts.PublicKeys); err != nil {
		return Summary{}, err
	}
	head, there, err := r.Head(ctx)
	if err != nil {
		return Summary{}, err
	}
	if !there {
		return Summary{}, wrong("head", "head", "it is missing")
	}
	books := newReplay()
	c := newChecker(r, head, opts.PublicKeys, opts.Anchors, books)
	if opts.Progress != nil {
		c.progress = func(seq int64) { opts.Progress(seq, head.Seq) }
	}
	if err := c.run(ctx, 1, math.MaxInt64); err != nil {
		return Summary{}, err
	}
	sums, err := c.final(ctx, books, opts.Anchors)
	if err != nil {
		return Summary{}, err
	}
	return Summary{
		Batches: c.batches, Transfers: c.transfers, Entries: c.entries, Commands: c.commands,
		Accounts: books.accounts, Holds: int64(len(books.holds)), OpenHolds: books.open(),
		Sums: sums.list(), Epoch: head.Epoch, Head: hex.EncodeToString(head.Hash),
		Keys: slices.Sorted(maps.Keys(c.signers)), LastAnchor: anchorText(latest(opts.Anchors)),
	}, nil
}

// checkKeys rejects a key under another key's id.
func checkKeys(keys map[string]ed25519.PublicKey) error {
	for id, key := range keys {
		if len(key) != ed25519.PublicKeySize || keyID(key) != id {
			return errs.New(errs.Invalid, "key.id_differs", "The public key listed as {key} does not have that ID.", "key", strconv.Quote(id))
		}
	}
	return nil
}
