// Package enrol is how people come in: a visitor registers under a sponsor, the
// first member and the first operator are made, somebody who has forgotten a
// password gets another. Each is one command over the tree, members, auth and
// mail: all of it is committed, or nothing remains.
package enrol

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/member"
)

// Request is a visitor who wants to join.
type Request struct {
	member.Registration
	Key  string // idempotency key; "" when the client gave none
	Peer string
}

// sameWithin is how long a registration without a key counts as the same when
// it is sent again: a second click, not a second person.
const sameWithin = 10 * time.Minute

// body is what makes a registration the same registration. The password goes
// in by a keyed hash: a plain one could be guessed by whoever reads the
// database.
func (r Request) body(secret []byte) ([]byte, error) {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(r.Password))
	plain := r.Registration
	plain.Password = string(mac.Sum(nil))
	return json.Marshal(struct {
		member.Registration
		Password []byte
	}{plain, mac.Sum(nil)})
}

// Joined is a new member.
type Joined struct {
	UID int64 `json:"uid"`
}

// First is what an installation begins with: the root of the tree, and the
// operator who runs it.
type First struct {
	Root             member.Registration // without sponsor and position
	Operator         auth.Operator
	OperatorPassword string
}

// Begun is what First became. The transaction password is told once.
type Begun struct {
	UID                 int64
	TransactionPassword string
}
