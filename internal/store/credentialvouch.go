package store

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/cache"
)

// A member's credential moves money with each transaction password, so that it is
// held against the chain whenever it is read, and not only at sign-in. What was
// found right is remembered by its fingerprint: the chain is asked once about each.

// soundCredentials is how many fingerprints of credentials are remembered, about 5 MB.
const soundCredentials = 65_536

func newCredentials() *cache.Cache[int64, [witnessedBytes]byte] {
	return cache.New[int64, [witnessedBytes]byte](soundCredentials)
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
	if s.db.knownCredential(c.UID, sum) {
		return true, nil
	}
	if tx != nil {
		l := newLooker(groupOf(tx))
		err := l.values(ctx, credentialWitness, vals)
		if err == nil && l.at > 0 { // by a batch that is durable
			s.db.credentials.Put(c.UID, sum, s.db.credentials.Mark())
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
		s.db.credentials.Put(c.UID, sum, s.db.credentials.Mark())
	}
	return known, err
}

// knownCredential tells whether the chain is known to vouch for what has this
// fingerprint.
func (db *DB) knownCredential(uid int64, sum [witnessedBytes]byte) bool {
	known, ok := db.credentials.Get(uid)
	return ok && known == sum
}
