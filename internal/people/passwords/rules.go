// Package passwords has the rules of new passwords and transaction passwords.
package passwords

import (
	"crypto/rand"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Names of the fields in the calls.
const (
	Field               = "password"
	FieldNew            = "newPassword"
	FieldTransaction    = "trans_password"
	FieldOldTransaction = "ctrans_password"
)

const (
	minMember      = 6
	maxMember      = 20
	minTransaction = 6
	maxTransaction = 10
	minOperator    = 10
	maxOperator    = 128
)

// Check is the rule for a member's new password.
func Check(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return errs.BadField(Field, "auth.password_required", "Password is required")
	case n < minMember:
		return errs.BadField(Field, "auth.password_short", "Password must be at least 6 characters")
	case n > maxMember:
		return errs.BadField(Field, "auth.password_too_long", "Password must be at most 20 characters")
	}
	return checkPlain(Field, s)
}

// CheckTransaction is the rule for a new transaction password.
func CheckTransaction(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return errs.BadField(FieldTransaction, "profile.transaction_password_required", "Transction Password is required")
	case n < minTransaction:
		return errs.BadField(FieldTransaction, "auth.transaction_password_short", "Transaction password must be at least 6 characters")
	case n > maxTransaction:
		return errs.BadField(FieldTransaction, "auth.transaction_password_too_long", "Transaction password must be at most 10 characters")
	}
	return checkPlain(FieldTransaction, s)
}

// CheckTransactionInput is Invalid for an input that cannot be a transaction password
// and does not count as an attempt.
func CheckTransactionInput(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return errs.BadField(FieldOldTransaction, "profile.transaction_password_required", "Transction Password is required")
	case n > maxTransaction:
		return errs.BadField(FieldOldTransaction, "auth.transaction_password_too_long", "Transaction password must be at most 10 characters")
	}
	return nil
}

// CheckOperator is Invalid if s cannot become an operator's password.
func CheckOperator(p Person, s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n < minOperator:
		return errs.BadField(Field, "auth.operator_password_short", "Password must be at least 10 characters")
	case n > maxOperator:
		return errs.BadField(Field, "auth.operator_password_long", "Password must be at most 128 characters")
	}
	if err := checkPlain(Field, s); err != nil {
		return err
	}
	return p.Check(s)
}

// CheckFirst is the rule for the password of the first member: as strict as for
// operators, as long as for members.
func CheckFirst(p Person, s string) error {
	if err := CheckOperator(Person{Name: p.Name, Email: p.Email}, s); err != nil {
		return err
	}
	if err := p.Check(s); err != nil {
		return err
	}
	return Check(s)
}

// checkPlain refuses control characters and weak secrets of any length.
func checkPlain(field, s string) error {
	switch {
	case !plain.Printable(s) && field == FieldTransaction:
		return errs.BadField(field, "auth.transaction_password_control", "Transaction password must not hold control characters")
	case !plain.Printable(s):
		return errs.BadField(field, "auth.password_control", "Password must not hold control characters")
	case !isWeak(s):
		return nil
	case field == FieldTransaction:
		return errs.BadField(field, "auth.transaction_password_weak", "Transaction password is easy to guess: avoid common words, dates and patterns")
	}
	return errs.BadField(field, "auth.password_weak", "Password is easy to guess: avoid common words, dates and patterns")
}

// unambiguous leaves out characters that people confuse: 0 o, 1 i l.
const unambiguous = "abcdefghjkmnpqrstuvwxyz23456789"

// RandomText returns n uniformly random characters of unambiguous.
func RandomText(n int) string {
	out := make([]byte, 0, n)
	var raw [32]byte
	for {
		_, _ = rand.Read(raw[:]) // never fails
		for _, b := range raw {
			if b &= 31; int(b) < len(unambiguous) {
				if out = append(out, unambiguous[b]); len(out) == n {
					return string(out)
				}
			}
		}
	}
}

// NewTransaction returns a random one that a person can type.
func NewTransaction() string { return newTransaction(RandomText) }

// newTransaction draws until the rules accept the password: a random one may
// form a pattern, and a registration must not fail for it.
func newTransaction(random func(n int) string) string {
	for {
		if s := random(maxTransaction); CheckTransaction(s) == nil {
			return s
		}
	}
}
