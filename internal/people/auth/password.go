package auth

import (
	"crypto/rand"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Rules of new passwords. Field names are those of the calls.
const (
	fieldPassword       = "password"
	fieldNewPassword    = "newPassword"
	fieldTransaction    = "trans_password"
	fieldOldTransaction = "ctrans_password"

	minPassword         = 6
	maxPassword         = 20
	minTransaction      = 6
	maxTransaction      = 10
	minOperatorPassword = 10
	maxOperatorPassword = 128
)

// checkPassword is the rule for a member's new password.
func checkPassword(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return errs.BadField(fieldPassword, "auth.password_required", "Password is required")
	case n < minPassword:
		return errs.BadField(fieldPassword, "auth.password_short", "Password must be at least 6 characters")
	case n > maxPassword:
		return errs.BadField(fieldPassword, "auth.password_too_long", "Password must be at most 20 characters")
	}
	return checkPlain(fieldPassword, s)
}

// checkTransactionPassword is the rule for a new transaction password.
func checkTransactionPassword(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return errs.BadField(fieldTransaction, "profile.transaction_password_required", "Transction Password is required")
	case n < minTransaction:
		return errs.BadField(fieldTransaction, "auth.transaction_password_short", "Transaction password must be at least 6 characters")
	case n > maxTransaction:
		return errs.BadField(fieldTransaction, "auth.transaction_password_too_long", "Transaction password must be at most 10 characters")
	}
	return checkPlain(fieldTransaction, s)
}

// checkTransactionInput is Invalid for an input that cannot be a transaction password
// and does not count as an attempt.
func checkTransactionInput(s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return errs.BadField(fieldOldTransaction, "profile.transaction_password_required", "Transction Password is required")
	case n > maxTransaction:
		return errs.BadField(fieldOldTransaction, "auth.transaction_password_too_long", "Transaction password must be at most 10 characters")
	}
	return nil
}

// CheckOperatorPassword is Invalid if s cannot become an operator's password.
func CheckOperatorPassword(o Operator, s string) error {
	switch n := utf8.RuneCountInString(s); {
	case n < minOperatorPassword:
		return errs.BadField(fieldPassword, "auth.operator_password_short", "Password must be at least 10 characters")
	case n > maxOperatorPassword:
		return errs.BadField(fieldPassword, "auth.operator_password_long", "Password must be at most 128 characters")
	}
	if err := checkPlain(fieldPassword, s); err != nil {
		return err
	}
	return Person{Name: o.Name, Email: o.Email}.CheckPassword(s)
}

// CheckFirstPassword is the rule for the password of the first member: as strict as for
// operators, as long as for members.
func CheckFirstPassword(p Person, s string) error {
	if err := CheckOperatorPassword(Operator{Name: p.Name, Email: p.Email}, s); err != nil {
		return err
	}
	if err := p.CheckPassword(s); err != nil {
		return err
	}
	return checkPassword(s)
}

// checkPlain refuses control characters and weak secrets of any length.
func checkPlain(field, s string) error {
	switch {
	case !isPlain(s) && field == fieldTransaction:
		return errs.BadField(field, "auth.transaction_password_control", "Transaction password must not hold control characters")
	case !isPlain(s):
		return errs.BadField(field, "auth.password_control", "Password must not hold control characters")
	case !isWeak(s):
		return nil
	case field == fieldTransaction:
		return errs.BadField(field, "auth.transaction_password_weak", "Transaction password is easy to guess: avoid common words, dates and patterns")
	}
	return errs.BadField(field, "auth.password_weak", "Password is easy to guess: avoid common words, dates and patterns")
}

// unambiguous leaves out characters that people confuse: 0 o, 1 i l.
const unambiguous = "abcdefghjkmnpqrstuvwxyz23456789"

// randomText returns n uniformly random characters of unambiguous.
func randomText(n int) string {
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

// NewTransactionPassword returns a random one that a person can type.
func NewTransactionPassword() string { return newTransactionPassword(randomText) }

// newTransactionPassword draws until the rules accept the password: a random one may
// form a pattern, and a registration must not fail for it.
func newTransactionPassword(random func(n int) string) string {
	for {
		if s := random(maxTransaction); checkTransactionPassword(s) == nil {
			return s
		}
	}
}
