// Package member keeps members' personal data: names, contacts and payment details. The
// tree, credentials and money belong to other packages.
//
// Input becomes a Registration, Profile, Wallet or Bank only through its parser, which
// checks every limit; texts.go has the messages.
package member

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	minIDDigits = 6
	maxIDDigits = 10
)

// ParseUserID parses a member's id. Invalid unless it is 6 to 10 digits without a
// leading zero, so that each id has one spelling.
func ParseUserID(s string) (int64, error) {
	if len(s) < minIDDigits || len(s) > maxIDDigits || !digits(s) || s[0] == '0' {
		return 0, errs.New(errs.Invalid, "member.id_invalid", textUserIDInvalid)
	}
	return strconv.ParseInt(s, 10, 64)
}

// Member is a person in the tree. Times are zero for never.
type Member struct {
	UID               int64
	Name              string
	Email             string
	Mobile            string
	Country           int64
	LastName          string
	Father            string // or husband
	Birthday          string // as 2006-01-02
	Gender            string
	Address           string
	About             string
	Nominee           string
	NomineeRelation   string
	Wallet            Wallet
	Bank              Bank
	JoinedAt          time.Time
	ActivatedAt       time.Time
	EmailAt, WalletAt time.Time // when they last changed
	EmailOK           time.Time // when the e-mail address was confirmed; zero while it is not
	BlockedAt         time.Time
	BlockedWhy        string
	ErasedAt          time.Time // when the personal data was erased
}

func (m Member) Blocked() bool { return !m.BlockedAt.IsZero() }

// Erased reports whether the member's personal data was erased.
func (m Member) Erased() bool { return !m.ErasedAt.IsZero() }

// ErasedName replaces an erased name.
const ErasedName = "Erased member"

// erased is m without personal data: the country, the dates and the block stay.
func (m Member) erased(at time.Time) Member {
	return Member{
		UID: m.UID, Name: ErasedName, Country: m.Country, JoinedAt: m.JoinedAt, ActivatedAt: m.ActivatedAt,
		BlockedAt: m.BlockedAt, BlockedWhy: "The personal data was erased.", ErasedAt: at,
	}
}

// EmailKey is an e-mail address for the search for duplicates: addresses of one mailbox
// are equal. Most providers ignore a + and what follows it, and Google the dots too.
func EmailKey(email string) string {
	local, domain, _ := strings.Cut(strings.ToLower(strings.TrimSpace(email)), "@")
	if before, _, tagged := strings.Cut(local, "+"); tagged && before != "" {
		local = before
	}
	if domain == "gmail.com" || domain == "googlemail.com" {
		local, domain = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	if local == "" || domain == "" {
		return ""
	}
	return local + "@" + domain
}

// Card is a member in lists.
type Card struct {
	UID         int64
	Name        string
	Mobile      string
	Email       string
	JoinedAt    time.Time
	ActivatedAt time.Time
	BlockedAt   time.Time
}

// Blocked reports whether the member is blocked.
func (c Card) Blocked() bool { return !c.BlockedAt.IsZero() }

// Changed is a member before and after an update, so that the caller can notify the old
// e-mail address.
type Changed struct{ Before, After Member }

// Any reports whether the update changed anything.
func (c Changed) Any() bool { return c.Before != c.After }

// Email reports whether the e-mail address changed.
func (c Changed) Email() bool { return c.Before.Email != c.After.Email }

// Bank reports whether the bank details changed.
func (c Changed) Bank() bool { return c.Before.Bank != c.After.Bank }

// Wallet reports whether the payout address changed.
func (c Changed) Wallet() bool { return c.Before.Wallet != c.After.Wallet }

// Genders are the choices of gender, in the screen's order.
func Genders() []string { return slices.Clone(genders) }

// Relations are the choices of a nominee's relation.
func Relations() []string { return slices.Clone(relations) }

var (
	genders   = []string{"Male", "Female"}
	relations = []string{"Husband", "Wife", "Father", "Mother", "Brother", "Sister", "Uncle", "Aunty", "Son", "Daughter"}
)
