package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
)

// FollowOptions are a Follower's trusted keys and anchors, and limits of a step.
type FollowOptions struct {
	PublicKeys map[string]ed25519.PublicKey
	// Anchors are compared with the ledger. The Follower starts at the last one, so
	// that it detects an end that was cut off while it did not run. Without anchors it
	// starts at the current head.
	Anchors []Anchor
	// Reread is the number of old batches that each step checks again; 500 if 0.
	Reread int64
	// RereadTransfers bounds the transfers of these batches, so that large batches do
	// not make a step long; 100,000 if 0. The batch that reaches it is completed.
	RereadTransfers int64
	// Window is the number of accounts that each step compares; 2,000 if 0.
	Window int
	// CountEvery is the number of steps between two counts of all rows; 1 if 0.
	// Counting reads every index once.
	CountEvery int
}

// Report is the result of a successful step of a Follower.
type Report struct {
	Batch    int64  `json:"batch"` // the last batch
	Seq      int64  `json:"seq"`
	Head     string `json:"head"`     // its hash, hex
	New      int64  `json:"new"`      // batches checked for the first time
	Reread   int64  `json:"reread"`   // old batches checked again
	Accounts int64  `json:"accounts"` // compared with their latest entry
	Counted  bool   `json:"counted"`  // all rows were counted
	Rounds   int64  `json:"rounds"`   // number of complete checks of all old batches
}

// Follower checks a growing ledger: new batches at once, old ones repeatedly, slice by
// slice. It is not safe for concurrent use.
type Follower struct {
	opts    FollowOptions
	seen    *seen
	slice   int64 // next old batch to check again
	account int64 // last account of the window
	steps   int
	rounds  int64
}

// seen is the end of the chain at the last step.
type seen struct {
	batch, seq int64
	hash       []byte
	genesis    []byte // nil if not known
}

// NewFollower makes a Follower. Invalid if a key is not the key of its id.
func NewFollower(opts FollowOptions) (*Follower, error) {
	if err := checkKeys(opts.PublicKeys); err != nil {
		return nil, err
	}
	if opts.Reread <= 0 {
		opts.Reread = 500
	}
	if opts.RereadTransfers <= 0 {
		opts.RereadTransfers = 100_000
	}
	if opts.Window <= 0 {
		opts.Window = 2000
	}
	if opts.CountEvery <= 0 {
		opts.CountEvery = 1
	}
	f := &Follower{opts: opts, slice: 1}
	if a := latest(opts.Anchors); a != nil {
		f.seen = &seen{batch: a.Batch, seq: a.Seq, hash: a.Hash[:]}
	}
	return f, nil
}

// Step checks one snapshot of the ledger. The error is a *Finding if a row is wrong; the
// Follower then does not advance, so that the next step finds the row again.
func (f *Follower) Step(ctx context.Context, r Reader) (Report, error) {
	head, there, err := r.Head(ctx)
	if err != nil {
		return Report{}, err
	}
	if !there {
		return Report{}, wrong("head", "head", "it is missing")
	}
	if err := f.stillThere(ctx, r, &head); err != nil {
		return Report{}, err
	}
	s := &step{f: f, r: r, head: head, report: Report{Batch: head.Batch, Seq: head.Seq, Head: hex.EncodeToString(head.Hash)}}
	for _, check := range []func(context.Context) error{s.fresh, s.old, s.window, s.whole} {
		if err := check(ctx); err != nil {
			return Report{}, err
		}
	}
	f.seen = &seen{batch: head.Batch, seq: head.Seq, hash: head.Hash, genesis: head.Genesis}
	f.slice, f.account = s.slice, s.account
	if s.wrapped {
		f.rounds++
	}
	f.steps++
	s.report.Rounds = f.rounds
	return s.report, nil
}

// stillThere checks that the chain still contains the last seen batch, and that the head has
// not gone back.
func (f *Follower) stillThere(ctx context.Context, r Reader, head *Head) error {
	was := f.seen
	if was == nil {
		return nil
	}
	if was.genesis != nil && !bytes.Equal(was.genesis, head.Genesis) {
		return differs("head", "head", "genesis", hexOf(head.Genesis), hexOf(was.genesis))
	}
	if was.batch > 0 {
		found, err := r.Batches(ctx, was.batch, 1)
		switch {
		case err != nil:
			return err
		case len(found) == 0 || found[0].No != was.batch:
			return wrong("batch", batchRow(was.batch), "it is missing, but was seen before with the hash %s: the ledger was cut off or rewritten", hexOf(was.hash))
		case !bytes.Equal(found[0].Hash, was.hash):
			return wrong("batch", batchRow(was.batch), "hash is stored as %s, but was seen before as %s: the ledger was rewritten", hexOf(found[0].Hash), hexOf(was.hash))
		}
	}
	switch {
	case head.Batch < was.batch:
		return wrong("head", "head", "batch is stored as %d, but stood at %d before", head.Batch, was.batch)
	case head.Seq < was.seq:
		return wrong("head", "head", "seq is stored as %d, but stood at %d before", head.Seq, was.seq)
	}
	return nil
}
