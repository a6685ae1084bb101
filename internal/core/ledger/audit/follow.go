package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
)

// FollowOptions say what a Follower trusts and how much it does at a time.
type FollowOptions struct {
	PublicKeys map[string]ed25519.PublicKey
	// Anchors are held against the ledger. The last one is where the Follower
	// begins, so that an end cut off while nobody looked is found. Without any
	// it begins at the head it finds.
	Anchors []Anchor
	// Reread is how many old batches each step checks again; 500 when 0.
	Reread int64
	// RereadTransfers ends that early, after the batch that reaches it, so that
	// large batches do not make a step long; 100,000 when 0.
	RereadTransfers int64
	// Window is how many accounts each step compares; 2,000 when 0.
	Window int
	// CountEvery is after how many steps all rows are counted again; 1 when 0.
	// Counting reads every index once.
	CountEvery int
}

// Report is what one step of a Follower found to be in order.
type Report struct {
	Batch    int64  `json:"batch"` // the last there is
	Seq      int64  `json:"seq"`
	Head     string `json:"head"`     // its hash, hex
	New      int64  `json:"new"`      // batches checked for the first time
	Reread   int64  `json:"reread"`   // old batches checked again
	Accounts int64  `json:"accounts"` // compared with their latest entry
	Counted  bool   `json:"counted"`  // all rows were counted
	Rounds   int64  `json:"rounds"`   // how often all old batches have been checked again
}

// Follower checks a ledger that goes on being written: what is new at once,
// what is old slice by slice, round and round. One goroutine uses it.
type Follower struct {
	opts    FollowOptions
	seen    *seen
	slice   int64 // next old batch to check again
	account int64 // last account of the window
	steps   int
	rounds  int64
}

// seen is what the last step saw of the end of the chain.
type seen struct {
	batch, seq int64
	hash       []byte
	genesis    []byte // nil when it is not known
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

// Step checks one moment of the ledger. The error is a *Finding if a row is
// wrong; the Follower then stays where it was, so that the next step finds it
// again.
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

// stillThere: what was seen last is still so, and the head has not gone back.
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
