// Package member keeps the person: who they say they are, how they are
// reached, where they are paid. Where a member hangs in the tree, what they
// know as a secret and what they own are other packages' matters.
//
// Input becomes a Registration, Profile, Wallet or Bank only through its
// parser, which knows every limit; texts.go holds what people are told.
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

// ParseUserID reads a member's id as people write it. Invalid unless it is 6
// to 10 digits without a leading zero, so that each id has one spelling.
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

// Blocked tells whether the member is shut out.
func (m Member) Blocked() bool { return !m.BlockedAt.IsZero() }

// Erased tells whether the member's personal data is gone.
func (m Member) Erased() bool { return !m.ErasedAt.IsZero() }

// ErasedName is what people read in place of a name that was erased.
const ErasedName = "Erased member"

// erased is m without what tells who it is: the country, the dates and the block
// stay.
func (m Member) erased(at time.Time) Member {
	return Member{
		UID: m.UID, Name: ErasedName, Country: m.Country, JoinedAt: m.JoinedAt, ActivatedAt: m.ActivatedAt,
		BlockedAt: m.BlockedAt, BlockedWhy: "The personal data was erased.", ErasedAt: at,
	}
}

// EmailKey is an e-mail address as duplicates are looked for: what leads into
// one mailbox is equal. Most providers drop what follows a +, and Google the
// dots too.
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

// Card is what lists show of a member.
type Card struct {
	UID         int64
	Name        string
	Mobile      string
	Email       string
	JoinedAt    time.Time
	ActivatedAt time.Time
	BlockedAt   time.Time
}

// Blocked tells whether the member is shut out.
func (c Card) Blocked() bool { return !c.BlockedAt.IsZero() }

// Changed is a member before and after an update, so that a use-case can tell
// whom it concerns: the old e-mail address hears of a new one.
type Changed struct{ Before, After Member }

// Any tells whether the update changed anything.
func (c Changed) Any() bool { return c.Before != c.After }

// Email tells whether the e-mail address changed.
func (c Changed) Email() bool { return c.Before.Email != c.After.Email }

// Bank tells whether the bank details changed.
func (c Changed) Bank() bool { return c.Before.Bank != c.After.Bank }

// Wallet tells whether the address that payouts go to changed.
func (c Changed) Wallet() bool { return c.Before.Wallet != c.After.Wallet }

// Genders and Relations are what people may choose from, in the screen's order.
func Genders() []string { return slices.Clone(genders) }

// Relations are what a nominee may be to a member.
func Relations() []string { return slices.Clone(relations) }

var (
	genders   = []string{"Male", "Female"}
	relations = []string{"Husband", "Wife", "Father", "Mother", "Brother", "Sister", "Uncle", "Aunty", "Son", "Daughter"}
)
