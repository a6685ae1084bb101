// Package enrol registers members and customers, creates the first member and operator,
// and resets forgotten passwords. Each is one command over the tree, members, auth and
// mail.
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

// Request is a visitor's registration.
type Request struct {
	member.Registration
	Key  string // idempotency key; "" if the client sent none
	Peer string
	// May reports whether another registration is allowed from Peer, and counts it if
	// count. It is asked for new registrations with a valid sponsor, not for repeated
	// ones. nil allows all.
	May func(count bool) error

	full    error // May refused before the slow work
	counted *bool
}

// may asks once, even if its command runs twice.
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

// sameWithin is how long an equal registration without a key counts as a repeated one,
// such as by a double click.
const sameWithin = 10 * time.Minute

// body identifies a registration. It contains a keyed hash of the password, because a
// plain hash could be guessed from the database.
func (r Request) body(secret []byte) ([]byte, error) {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(r.Password))
	plain := r.Registration
	plain.Password = string(mac.Sum(nil))
	return json.Marshal(struct { //nolint:gosec // it contains a keyed hash of the password, and only its hash is stored
		member.Registration
		Password []byte
	}{plain, mac.Sum(nil)})
}

// Joined is a new member and its place. It is the command's answer, so the ledger's
// signed chain contains it and discloses a later change of the place.
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

// customer reports whether the place is a customer's: it has a sponsor and no parent.
// The root has neither.
func (j Joined) customer() bool { return j.Sponsor != 0 && j.Parent == 0 }

// Answered reads the registered member from a command's answer. Answers of other
// commands have other fields, or lack the number.
func Answered(answer []byte) (uid int64, ok bool) {
	var j Joined
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if d.Decode(&j) != nil || j.UID == 0 || j.No == 0 {
		return 0, false
	}
	return j.UID, true
}

// Actor of registrations. Visitors share one key space. Customers are added by an
// operator.
const Actor = "registration"

// First is the initial state of an installation: the root of the tree, and its operator.
type First struct {
	Root             member.Registration // without sponsor and position
	Operator         auth.Operator
	OperatorPassword string
	OperatorSecret   string // of the second factor, in base32; "" for a random one
}

// ParseFirst parses the initial state. Invalid names every wrong field, the operator's
// with the prefix "operator ".
func ParseFirst(root member.RegistrationForm, email, name, password string) (First, error) {
	var wrong []errs.Field
	note := func(prefix string, err error) {
		if e, ok := errors.AsType[*errs.Error](err); ok {
			for _, f := range e.Fields {
				if f.Code == member.TextEmailInvalid.Code { // a form shows the rule, a command line does not
					f.Message += ": as at sign-up, with three characters or more before the @, and after it a domain"
				}
				wrong = append(wrong, errs.Field{Name: prefix + f.Name, Text: f.Text})
			}
		}
	}
	root.Sponsor, root.Position = "100000", "1" // the root has neither; the form requires them
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

// Begun is the result of First. The transaction password and the operator's second
// factor are shown once.
type Begun struct {
	UID                 int64
	TransactionPassword string
	Operator            int64
	Factor              auth.Factor
}
