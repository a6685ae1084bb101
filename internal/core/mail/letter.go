package mail

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Welcome greets a new member.
type Welcome struct {
	Name                string
	UserID              int64
	TransactionPassword string
	Token               string // of the link that confirms the address
	Valid               time.Duration
}

// Password answers somebody who has forgotten theirs. Their password still
// works until they use what this mail offers.
type Password struct {
	Name      string
	UserID    int64
	Temporary string
	Token     string // of the one-time link
	Valid     time.Duration
}

// PasswordChanged tells a member, or an operator, that the password is another one
// now.
type PasswordChanged struct {
	Name   string
	UserID int64 // 0: an operator's
}

// SignedIn tells a member, or an operator, of a sign-in from an address that was
// not used before.
type SignedIn struct {
	Name    string
	UserID  int64 // 0: an operator's
	Address string
	Agent   string // what the browser says of itself
}

// SessionEnded tells a member, or an operator, that a session ended because somebody in
// it could not prove to be its owner.
type SessionEnded struct {
	Name    string
	UserID  int64 // 0: an operator's
	Address string
}

// TransactionPasswordChanged tells that the transaction password is another one
// now.
type TransactionPasswordChanged struct {
	Name   string
	UserID int64
}

// TransactionPasswordReset brings a new transaction password, when the first
// never arrived, was forgotten, or was not changed in time.
type TransactionPasswordReset struct {
	Name                string
	UserID              int64
	TransactionPassword string
	Asked               bool // by the member, signed in; otherwise support has sent it
	AtOnce              bool // its owner never chose one before: what they choose now is accepted at once
}

// EmailChanged goes to the address that is not used any more.
type EmailChanged struct {
	Name     string
	UserID   int64
	NewEmail string // in full; the mail shows it masked
	Token    string // of the link that undoes the change; "" where there is none
	Valid    time.Duration
}

// WalletChanged tells that payouts go elsewhere, and that they wait first.
type WalletChanged struct {
	Name   string
	UserID int64
	Wallet string // in full; the mail shows it shortened
}

// BankChanged tells that the bank details are others now.
type BankChanged struct {
	Name   string
	UserID int64
}

// NewsletterConfirm asks the owner of an address whether they want news.
type NewsletterConfirm struct {
	Email        string // the address that was given
	Confirm, End string // links
	Valid        time.Duration
}

// FactorSet tells an operator that a second factor is in use now.
type FactorSet struct{ Name string }

// FactorReset tells an operator that an owner took the second factor away, and
// the passkeys if there were any.
type FactorReset struct {
	Name, By, Reason string
	Passkeys         bool
}

// SecondNeeded tells an operator that something waits for another than who proposed
// it.
type SecondNeeded struct {
	Name   string
	What   string // in words, with its number
	By     string // who proposed it
	Screen string // of the console, such as /payouts
}

// PasskeyChanged tells an operator that a passkey was added or removed.
type PasskeyChanged struct {
	Name, Passkey string
	Added         bool
}

// PasskeyRefused tells an operator that a passkey may have been copied.
type PasskeyRefused struct{ Name, Passkey, Address string }

// SecondFactor tells a member what happened to their second factor.
type SecondFactor struct {
	Name    string
	UserID  int64
	Event   FactorEvent
	Passkey string // of FactorPasskeyAdded, FactorPasskeyRemoved and FactorCopied
	Reason  string // of FactorSupport
	Until   string // of FactorLocked: in words
	Address string // of FactorCopied
}

// FactorEvent is what happened to a second factor.
type FactorEvent string

// The events. After each but the last two money waits.
const (
	FactorAppSet         FactorEvent = "app set"
	FactorRecovery       FactorEvent = "recovery codes"
	FactorOff            FactorEvent = "off"
	FactorSupport        FactorEvent = "removed by support"
	FactorPasskeyAdded   FactorEvent = "passkey added"
	FactorPasskeyRemoved FactorEvent = "passkey removed"
	FactorLocked         FactorEvent = "locked"
	FactorCopied         FactorEvent = "copied"
)

// Waits tells whether money waits after it.
func (m SecondFactor) Waits() bool { return m.Event != FactorLocked && m.Event != FactorCopied }

// OperatorInvited invites somebody to become an operator, or to choose another
// password.
type OperatorInvited struct {
	Name     string
	By       string
	Operator int64
	Token    string // of the one-time link
	Valid    time.Duration
}

// TicketAnswered brings an operator's answer to what a member asked.
type TicketAnswered struct {
	Name   string
	UserID int64
	Ticket int64
	Query  string
	Answer string
}

// PasswordCode brings a one-time code that is asked for before a password is
// sent or changed.
type PasswordCode struct {
	Name   string
	UserID int64
	Code   string
	Valid  time.Duration
}

// DepositAddress tells an operator that members will send USDT, or money by bank,
// elsewhere, or that this was called off.
type DepositAddress struct {
	Name         string
	Banks        bool   // bank accounts, one per line, not the USDT address
	Was, Wanted  string // in full: whoever reads it has to compare them
	Holds        string // when, in words
	By, Approved string
	CalledOff    string // by whom; empty unless it was
}

// mask shows enough of an address for its owner to know it, and no more.
func mask(address string) string {
	at := strings.LastIndex(address, "@")
	if at < 0 {
		return "***"
	}
	local, domain := address[:at], address[at:]
	if utf8.RuneCountInString(local) < 2 {
		return "***" + domain
	}
	_, size := utf8.DecodeRuneInString(local)
	return local[:size] + "***" + domain
}

// shorten shows both ends of a wallet's address.
func shorten(wallet string) string {
	const front, back = 6, 4
	r := []rune(wallet)
	if len(r) <= front+back {
		return wallet
	}
	return string(r[:front]) + "…" + string(r[len(r)-back:])
}
