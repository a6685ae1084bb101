package store

import (
	"context"
	"sync"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/ledger"
)

// A member's credential moves money with each transaction password, so that it is
// held against the chain whenever it is read, and not only at sign-in. What was
// found right is remembered by its fingerprint: the chain is asked once about each.

// soundCredentials are fingerprints of credentials that the chain vouches for.
type soundCredentials struct {
	mu         sync.Mutex
	young, old map[int64][witnessedBytes]byte
}

// soundLimit is how many are remembered at least, about 5 MB.
const soundLimit = 65_536

func (s *soundCredentials) has(uid int64, sum [witnessedBytes]byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.young[uid]
	if !ok {
		known, ok = s.old[uid]
	}
	return ok && known == sum
}

func (s *soundCredentials) put(uid int64, sum [witnessedBytes]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.young == nil || len(s.young) >= soundLimit {
		s.old, s.young = s.young, map[int64][witnessedBytes]byte{}
	}
	s.young[uid] = sum
}

// Credential asks nothing of the chain: a stranger who tries passwords must not
// learn from the time it takes which ids there are. VouchedCredential asks.
func (s authStore) Credential(ctx context.Context, uid int64) (auth.CredentialRow, bool, error) {
	return first(ctx, &s.db.rows, scanCredential, authCredential, uid)
}

func (s authStore) CredentialIn(ctx context.Context, tx *ledger.Tx, uid int64) (auth.CredentialRow, bool, error) {
	c, found, err := first(ctx, groupOf(tx), scanCredential, authCredential, uid)
	if err == nil && found {
		_, err = s.VouchedCredential(ctx, tx, c)
	}
	return c, found, err
}

func credentialFactsOf(c auth.CredentialRow) []any {
	return credentialValues(c)[:len(credentialWitness.columns)]
}

// VouchedCredential asks the chain outside of any command if it can: that takes a
// few reads, and commands wait for one another's.
func (s authStore) VouchedCredential(ctx context.Context, tx *ledger.Tx, c auth.CredentialRow) (known bool, err error) {
	vals := credentialFactsOf(c)
	id, sum := credentialWitness.of(vals)
	if s.db.credentials.has(c.UID, sum) {
		return true, nil
	}
	if tx != nil {
		l := newLooker(groupOf(tx))
		err := l.values(ctx, credentialWitness, vals)
		if err == nil && l.at > 0 { // by a batch that is durable
			s.db.credentials.put(c.UID, sum)
		}
		return true, err
	}
	err = s.db.snapshot(ctx, func(q querier) error {
		_, placed, err := first(ctx, q, scanCount, "SELECT batch FROM witness_at WHERE what = $1", credentialWitness.name+" "+id)
		if err != nil || !placed {
			return err
		}
		known = true
		return s.db.glance(q).values(ctx, credentialWitness, vals)
	})
	if known = known && err == nil; known {
		s.db.credentials.put(c.UID, sum)
	}
	return known, err
}
