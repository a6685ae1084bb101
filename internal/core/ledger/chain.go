package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// The chain. Each transfer and each remembered command has a leaf hash over
// its canonical bytes; a batch has the Merkle root (RFC 6962 shape) over its
// leaves, transfers first, in order; a batch's hash binds the one before it.
// docs/ledger-format.md specifies the bytes; package audit implements them
// independently, so that it detects a mistake made here.

// Hash is a SHA-256 digest.
type Hash [32]byte

// canon builds canonical bytes: fixed-width big-endian numbers and
// length-prefixed strings, so that no two values share bytes.
type canon []byte

func (c *canon) num(n int64)    { *c = binary.BigEndian.AppendUint64(*c, uint64(n)) }
func (c *canon) text(s string)  { c.num(int64(len(s))); *c = append(*c, s...) }
func (c *canon) bytes(b []byte) { c.num(int64(len(b))); *c = append(*c, b...) }
func (c *canon) leaf() Hash     { return sha256.Sum256(*c) }
func newCanon(domain string) *canon {
	c := make(canon, 0, 512)
	c = append(c, 0) // RFC 6962: leaves and nodes hash in different domains
	c.text(domain)
	return &c
}

func transferLeaf(t *TransferRow, entries []EntryRow) Hash {
	c := newCanon("bifolia.transfer.v1")
	c.num(t.Seq)
	c.text(t.ID)
	c.text(t.Actor)
	c.text(t.Key)
	c.text(t.Kind)
	c.text(t.Reason)
	c.text(t.Reference)
	c.num(t.Effective)
	c.num(t.Recorded)
	c.num(t.Reverses)
	c.num(int64(len(entries)))
	for i := range entries {
		e := &entries[i]
		c.num(e.Account)
		c.text(e.Code)
		c.num(e.Version)
		c.num(e.Beneficiary)
		c.num(e.Delta)
		c.num(e.HeldDelta)
		c.num(e.BalanceAfter)
		c.num(e.HeldAfter)
		c.num(e.Hold)
	}
	return c.leaf()
}

func commandLeaf(r *CommandRow) Hash {
	c := newCanon("bifolia.command.v1")
	c.text(r.Actor)
	c.text(r.Key)
	c.bytes(r.Request[:])
	c.bytes(r.Response)
	c.num(r.First)
	c.num(r.Last)
	c.num(r.Recorded)
	return c.leaf()
}

// merkleRoot is RFC 6962's tree hash over leaf hashes.
func merkleRoot(leaves []Hash) Hash {
	switch len(leaves) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return leaves[0]
	}
	split := 1 << (bits.Len(uint(len(leaves)-1)) - 1) // largest power of two below n
	left, right := merkleRoot(leaves[:split]), merkleRoot(leaves[split:])
	node := make([]byte, 0, 65)
	node = append(node, 1)
	node = append(node, left[:]...)
	node = append(node, right[:]...)
	return sha256.Sum256(node)
}

func batchHash(b *BatchRow) Hash {
	c := newCanon("bifolia.batch.v1")
	c.num(b.No)
	c.num(b.Epoch)
	c.num(b.First)
	c.num(b.Last)
	c.num(b.Commands)
	c.num(b.Recorded)
	c.bytes(b.Prev[:])
	c.bytes(b.Root[:])
	c.text(b.KeyID)
	return c.leaf()
}
