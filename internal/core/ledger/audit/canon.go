package audit

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

type digest = [sha256.Size]byte

// record collects canonical bytes. Its memory is reused for the next one.
type record []byte

func (r *record) begin(domain string) {
	*r = append((*r)[:0], 0)
	r.text(domain)
}

func (r *record) nums(values ...int64) {
	for _, v := range values {
		*r = binary.BigEndian.AppendUint64(*r, uint64(v))
	}
}

func (r *record) text(s string) {
	r.nums(int64(len(s)))
	*r = append(*r, s...)
}

func (r *record) texts(values ...string) {
	for _, v := range values {
		r.text(v)
	}
}

func (r *record) blob(b []byte) {
	r.nums(int64(len(b)))
	*r = append(*r, b...)
}

func (r *record) transfer(t *Transfer, entries []Entry) digest {
	r.begin("bifolia.transfer.v1")
	r.nums(t.Seq)
	r.texts(t.ID, t.Actor, t.Key, t.Kind, t.Reason, t.Reference)
	r.nums(t.Effective, t.Recorded, t.Reverses, int64(len(entries)))
	for i := range entries {
		e := &entries[i]
		r.nums(e.Account)
		r.text(e.Code)
		r.nums(e.Version, e.Beneficiary, e.Delta, e.HeldDelta, e.BalanceAfter, e.HeldAfter, e.Hold)
	}
	return sha256.Sum256(*r)
}

func (r *record) command(c *Command) digest {
	r.begin("bifolia.command.v1")
	r.texts(c.Actor, c.Key)
	r.blob(c.Request)
	r.blob(c.Response)
	r.nums(c.First, c.Last, c.Recorded)
	return sha256.Sum256(*r)
}

func (r *record) batch(b *Batch) digest {
	r.begin("bifolia.batch.v1")
	r.nums(b.No, b.Epoch, b.First, b.Last, b.Commands, b.Recorded)
	r.blob(b.Prev)
	r.blob(b.Root)
	r.text(b.KeyID)
	return sha256.Sum256(*r)
}

// tree takes leaves one by one and keeps only the roots of the full subtrees
// seen so far, largest first: as many as the count has one-bits.
type tree struct {
	count uint64
	roots []digest
}

func (t *tree) add(leaf digest) {
	t.roots = append(t.roots, leaf)
	// Each trailing one-bit of the old count is a full subtree of the size
	// that has just been completed beside it.
	for n := t.count; n&1 == 1; n >>= 1 {
		t.fold()
	}
	t.count++
}

func (t *tree) fold() {
	last := len(t.roots) - 1
	t.roots[last-1] = node(t.roots[last-1], t.roots[last])
	t.roots = t.roots[:last]
}

func (t *tree) root() digest {
	if len(t.roots) == 0 {
		return sha256.Sum256(nil)
	}
	for len(t.roots) > 1 {
		t.fold()
	}
	return t.roots[0]
}

func node(left, right digest) digest {
	var b [1 + 2*sha256.Size]byte
	b[0] = 1
	copy(b[1:], left[:])
	copy(b[1+sha256.Size:], right[:])
	return sha256.Sum256(b[:])
}

func keyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:])[:16]
}
