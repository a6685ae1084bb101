package evidence

import (
	"context"
	"sync"
)

// A close starts from every open position, every sale whose cooling-off ends and every
// income on Hold: somebody who changes one of them before the close, and back after it,
// is paid. They are too many to be compared with the chain at each close, so that the hashes
// that were right are remembered until the next close has read them.

// verifiedRows are hashes that the chain confirms, by the part of the tables that they are
// of. The rows of a part never change in what is hashed.
type verifiedRows struct {
	mu   sync.Mutex
	part map[string]map[RowHash]struct{}
}

// Of is never written to.
func (r *verifiedRows) Of(part string) map[RowHash]struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.part[part]
}

func (r *verifiedRows) Set(part string, sums map[RowHash]struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.part == nil {
		r.part = map[string]map[RowHash]struct{}{}
	}
	r.part[part] = sums
}

// VerifyPart compares the n rows of a part, of which what is hashed never changes, with
// the chain where they were not verified before.
func (v RowVerifier) VerifyPart(ctx context.Context, t *SignedTable, part string, n int, facts func(i int) []any) error {
	before, now := v.chain.Verified.Of(part), make(map[RowHash]struct{}, n)
	var fresh []RowCheck
	for i := range n {
		c := t.Check(facts(i))
		if _, known := before[c.hash]; known {
			now[c.hash] = struct{}{}
		} else {
			fresh = append(fresh, c)
		}
	}
	if err := v.Compare(ctx, t, fresh); err != nil {
		return err
	}
	for i := range fresh {
		if fresh[i].batch > 0 { // the lines of this group are not durable yet
			now[fresh[i].hash] = struct{}{}
		}
	}
	v.chain.Verified.Set(part, now)
	return nil
}
