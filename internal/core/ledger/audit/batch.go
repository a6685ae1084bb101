package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"math"
)

// checker checks the batches in order, in one run.
type checker struct {
	r        Reader
	head     Head
	keys     map[string]ed25519.PublicKey
	anchors  map[int64][]Anchor
	books    books
	feed     feed
	canon    record
	progress func(seq int64)
	limit    int64 // of transfers in one run; it ends after the batch that reaches it

	prev     Batch // the last batch found right; Hash is the genesis before the first
	recorded int64 // of the last transfer

	batches, transfers, entries, commands int64
	signers                               map[string]int64 // batches by key
}

func newChecker(r Reader, head Head, keys map[string]ed25519.PublicKey, anchors []Anchor, b books) *checker {
	c := &checker{
		r: r, head: head, keys: keys, anchors: map[int64][]Anchor{}, books: b,
		feed:     feed{r: r, last: math.MaxInt64, onPage: b.page},
		progress: func(int64) {},
		limit:    math.MaxInt64,
		prev:     Batch{Hash: head.Genesis, Epoch: math.MinInt64, Recorded: math.MinInt64},
		recorded: math.MinInt64,
		signers:  map[string]int64{},
	}
	for _, a := range anchors {
		c.anchors[a.Batch] = append(c.anchors[a.Batch], a)
	}
	return c
}

// run checks batches from … to, as far as they exist and the limit allows; prev is then
// the last one.
func (c *checker) run(ctx context.Context, from, to int64) error {
	c.feed.last = to
	for no := from; no <= to && c.transfers < c.limit; no++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := c.feed.batch(ctx, no)
		if err != nil || b == nil {
			return err
		}
		if b.No != no {
			return wrong("batch", batchRow(no), "it is missing; the next is batch %d", b.No)
		}
		if err := c.batch(ctx, b); err != nil {
			return err
		}
		c.prev = *b
		c.batches++
		c.progress(b.Last)
	}
	return nil
}

// batch checks one batch. Its own record comes first, because it determines which rows
// belong to the batch. The signature comes last: if a batch was rewritten without the key,
// a row that breaks a rule is a better finding than the signature.
func (c *checker) batch(ctx context.Context, b *Batch) error {
	if err := c.record(b); err != nil {
		return err
	}
	if err := c.link(b); err != nil {
		return err
	}
	var leaves tree
	asked, err := c.moves(ctx, b, &leaves)
	if err != nil {
		return err
	}
	if err := c.remembered(ctx, b, asked, &leaves); err != nil {
		return err
	}
	if root := leaves.root(); !bytes.Equal(root[:], b.Root) {
		return wrong("batch", batchRow(b.No), "root is stored as %s, but its transfers and commands hash to %x", hexOf(b.Root), root)
	}
	if err := c.signature(b); err != nil {
		return err
	}
	c.signers[b.KeyID]++
	return c.anchored(b)
}

// record checks that the batch's own fields hash to its hash.
func (c *checker) record(b *Batch) error {
	if hash := c.canon.batch(b); !bytes.Equal(hash[:], b.Hash) {
		return wrong("batch", batchRow(b.No), "hash is stored as %s, but its fields hash to %x", hexOf(b.Hash), hash)
	}
	return nil
}

// link checks that the batch continues the one before.
func (c *checker) link(b *Batch) error {
	row, prev := batchRow(b.No), &c.prev
	switch {
	case bytes.Equal(b.Prev, prev.Hash):
	case b.No == 1 && c.signature(b) == nil:
		// The batch is as it was signed, so the genesis was changed.
		return differs("head", "head", "genesis", hexOf(prev.Hash), hexOf(b.Prev))
	case b.No == 1:
		return differs("batch", row, "prev_hash", hexOf(b.Prev), hexOf(prev.Hash))
	default:
		return wrong("batch", row, "prev_hash is stored as %s, but batch %d has the hash %s", hexOf(b.Prev), prev.No, hexOf(prev.Hash))
	}
	switch {
	case b.First != prev.Last+1:
		return differs("batch", row, "first_seq", b.First, prev.Last+1)
	case b.Last < b.First-1:
		return wrong("batch", row, "last_seq is stored as %d, but first_seq is %d", b.Last, b.First)
	case b.Commands < 0:
		return wrong("batch", row, "commands is stored as %d, but cannot be negative", b.Commands)
	case b.Epoch < prev.Epoch:
		return wrong("batch", row, "epoch is stored as %d, but batch %d had %d already", b.Epoch, prev.No, prev.Epoch)
	case b.Recorded < prev.Recorded:
		return wrong("batch", row, "recorded_at is stored as %s, but batch %d was recorded at %s", at(b.Recorded), prev.No, at(prev.Recorded))
	}
	return nil
}

// moves checks the batch's transfers and returns the commands that they name.
func (c *checker) moves(ctx context.Context, b *Batch, leaves *tree) (*asked, error) {
	runs := newAsked()
	for seq := b.First; seq <= b.Last; seq++ {
		t, entries, err := c.feed.transfer(ctx, seq)
		if err != nil {
			return nil, err
		}
		if t == nil {
			return nil, wrong("transfer", transferRow(seq), "it is missing; batch %d holds transfers %d to %d", b.No, b.First, b.Last)
		}
		if err := c.transfer(ctx, b, t, entries); err != nil {
			return nil, err
		}
		if err := runs.add(t); err != nil {
			return nil, err
		}
		leaves.add(digest(t.Leaf))
		c.recorded = t.Recorded
		c.transfers++
		c.entries += int64(len(entries))
	}
	if b.Last >= b.First && b.Recorded < c.recorded {
		return nil, wrong("batch", batchRow(b.No), "recorded_at is stored as %s, but transfer %d was recorded at %s", at(b.Recorded), b.Last, at(c.recorded))
	}
	return runs, nil
}

// signature checks that a trusted key has signed the hash.
func (c *checker) signature(b *Batch) error {
	key, trusted := c.keys[b.KeyID]
	if !trusted {
		return wrong("batch", batchRow(b.No), "it is signed by key %q, which is not among the trusted public keys", b.KeyID)
	}
	if !ed25519.Verify(key, b.Hash, b.Signature) {
		return wrong("batch", batchRow(b.No), "signature is stored as %s, which key %s did not make over the hash %s", hexOf(b.Signature), b.KeyID, hexOf(b.Hash))
	}
	return nil
}

// anchored compares the batch with its anchor.
func (c *checker) anchored(b *Batch) error {
	for _, a := range c.anchors[b.No] {
		if err := a.matches(b); err != nil {
			return err
		}
	}
	return nil
}
