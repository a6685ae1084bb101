// Package enrol is how people come in: a visitor registers under a sponsor, the
// first member and the first operator are made, somebody who has forgotten a
// password gets another. Each is one command over the tree, members, auth and
// mail: all of it is committed, or nothing remains.
package enrol

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Request is a visitor who wants to join.
type Request struct {
	member.Registration
	Key  string // idempotency key; "" when the client gave none
	Peer string
	// May says whether one more may join from there, and counts it if told to. It
	// is asked of somebody new whose sponsor is in order: not of the same again.
	// Anybody may if it is nil.
	May func(count bool) error

	full    error // nobody new may join: it was known before the slow work
	counted *bool
}

// may asks once, however often its command runs.
func (r *Request) may() error {
	if r.full != nil || r.May == nil || *r.counted {
		return r.full
	}
	if err := r.May(true); err != nil {
		return err
	}
	*r.counted = true
	return nil
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
	return json.Marshal(struct { //nolint:gosec // the password is hashed in it, and only a hash of it is kept
		member.Registration
		Password []byte
	}{plain, mac.Sum(nil)})
}

// Joined is a new member and its place. It is the answer of the command, so it
// stands in the ledger's signed chain: whoever changes the place afterwards is
// found out by it.
type Joined struct {
	UID     int64 `json:"uid"`
	No      int64 `json:"no"`
	Sponsor int64 `json:"sponsor"`
	Parent  int64 `json:"parent"`
	Side    int64 `json:"side"`
}

func joined(p tree.Place) Joined {
	return Joined{p.UID, int64(p.No), int64(p.Sponsor), int64(p.Parent), int64(p.Side)}
}

// customer tells that the place is a customer's: it has a sponsor and no parent.
// The root has neither.
func (j Joined) customer() bool { return j.Sponsor != 0 && j.Parent == 0 }

// Answered reads whom a command's answer says it registered. Answers of other
// commands are not mistaken for one: they have other fields, or lack the number.
func Answered(answer []byte) (uid int64, ok bool) {
	var j Joined
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if d.Decode(&j) != nil || j.UID == 0 || j.No == 0 {
		return 0, false
	}
	return j.UID, true
}

// Actor of registrations: visitors have no name yet, so their keys share one
// space. Customers are entered by an operator.
const Actor = "registration"

// First is what an installation begins with: the root of the tree, and the
// operator who runs it.
type First struct {
	Root             member.Registration // without sponsor and position
	Operator         auth.Operator
	OperatorPassword string
	OperatorSecret   string // of the second factor, in base32; "" for a random one
}

// ParseFirst reads what an installation begins with. Invalid names every field
// that is wrong, the operator's after "operator ".
func ParseFirst(root member.RegistrationForm, email, name, password string) (First, error) {
	var wrong []errs.Field
	note := func(prefix string, err error) {
		if e, ok := errors.AsType[*errs.Error](err); ok {
			for _, f := range e.Fields {
				if f.Code == member.TextEmailInvalid.Code { // the form shows its rule, a command line does not
					f.Message += ": as at sign-up, with three characters or more before the @, and after it a domain"
				}
				wrong = append(wrong, errs.Field{Name: prefix + f.Name, Text: f.Text})
			}
		}
	}
	root.Sponsor, root.Position = "100000", "1" // the root has neither; the form wants them
	r, err := member.ParseRegistration(root)
	if note("", err); err == nil {
		note("", passwords.CheckFirst(passwords.Person{Name: r.Name, Email: r.Email, Mobile: r.Mobile}, r.Password))
	}
	r.Sponsor, r.Position = 0, 0
	o, err := auth.ParseOperator(email, name, string(auth.RoleOwner))
	note("operator ", err)
	note("operator ", passwords.CheckOperator(passwords.Person{Name: o.Name, Email: o.Email}, password))
	return First{Root: r, Operator: o, OperatorPassword: password}, errs.Fields(wrong)
}

// Begun is what First became. The transaction password and the operator's
// second factor are told once.
type Begun struct {
	UID                 int64
	TransactionPassword string
	Operator            int64
	Factor              auth.Factor
}
