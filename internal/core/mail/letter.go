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
	Token               string // of the link for confirming the address
	Valid               time.Duration
}

// Password lets a member choose a new password. The old one works until the link is
// used.
type Password struct {
	Name      string
	UserID    int64
	Temporary string
	Token     string // of the one-time link
	Valid     time.Duration
}

// PasswordChanged tells a member, or an operator, that the password has changed.
type PasswordChanged struct {
	Name   string
	UserID int64 // 0: an operator's
}

// SignedIn tells a member, or an operator, of a sign-in from a new address.
type SignedIn struct {
	Name    string
	UserID  int64 // 0: an operator's
	Address string
	Agent   string // the browser's User-Agent
}

// SessionEnded tells a member, or an operator, that a session ended because a proof of
// identity failed in it.
type SessionEnded struct {
	Name    string
	UserID  int64 // 0: an operator's
	Address string
}

// TransactionPasswordChanged tells that the transaction password has changed.
type TransactionPasswordChanged struct {
	Name   string
	UserID int64
}

// TransactionPasswordReset contains a new transaction password, if the first one
// never arrived, was forgotten, or was not changed in time.
type TransactionPasswordReset struct {
	Name                string
	UserID              int64
	TransactionPassword string
	Asked               bool // by the member, signed in; otherwise support has sent it
	AtOnce              bool // its owner never chose one before: what they choose now is accepted at once
}

// EmailChanged goes to the address that was replaced.
type EmailChanged struct {
	Name     string
	UserID   int64
	NewEmail string // in full; the mail shows it masked
	Token    string // of the link that undoes the change; "" where there is none
	Valid    time.Duration
}

// WalletChanged tells that the payout address has changed, and that payouts pause first.
type WalletChanged struct {
	Name   string
	UserID int64
	Wallet string // in full; the mail shows it shortened
}

// BankChanged tells that the bank details have changed.
type BankChanged struct {
	Name   string
	UserID int64
}

// NewsletterConfirm asks the owner of an address to confirm a subscription.
type NewsletterConfirm struct {
	Email        string // the address that was given
	Confirm, End string // links
	Valid        time.Duration
}

// FactorSet tells an operator that a second factor was set up.
type FactorSet struct{ Name string }

// FactorReset tells an operator that an owner removed the second factor and any
// passkeys.
type FactorReset struct {
	Name, By, Reason string
	Passkeys         bool
}

// SecondNeeded tells an operator that a proposal needs an approval.
type SecondNeeded struct {
	Name   string
	What   string // the proposal in words, with its number
	By     string // the proposer
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
	Passkey string    // of FactorPasskeyAdded, FactorPasskeyRemoved and FactorCopied
	Reason  string    // of FactorSupport
	Until   time.Time // of FactorLocked
	Address string    // of FactorCopied
}

// FactorEvent is what happened to a second factor.
type FactorEvent string

// The events. After each but the last two, payouts pause.
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

// Waits reports whether payouts pause after the event.
func (m SecondFactor) Waits() bool { return m.Event != FactorLocked && m.Event != FactorCopied }

// OperatorInvited invites a person to become an operator, or an operator to choose a
// new password.
type OperatorInvited struct {
	Name     string
	By       string
	Operator int64
	Token    string // of the one-time link
	Valid    time.Duration
}

// TicketAnswered contains an operator's answer to a member's ticket.
type TicketAnswered struct {
	Name   string
	UserID int64
	Ticket int64
	Query  string
	Answer string
}

// PasswordCode contains the one-time code needed to reset or change a password.
type PasswordCode struct {
	Name   string
	UserID int64
	Code   string
	Valid  time.Duration
}

// DepositAddress tells an operator that the address or bank accounts for deposits will
// change, or that the change was cancelled.
type DepositAddress struct {
	Name         string
	Banks        bool      // bank accounts, one per line, not the USDT address
	Was, Wanted  string    // in full, so that the reader can compare them
	Holds        time.Time // when it takes effect
	By, Approved string
	CalledOff    string // the operator who cancelled it; "" if it was not
}

// mask shows just enough of an address for its owner to recognize it.
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

// EmailConfirm contains the link that confirms an address.
type EmailConfirm struct {
	Name      string
	UserID    int64
	Token     string // of the one-time link
	Valid     time.Duration
	Forgotten bool // a new password was requested in the meantime
}

// EmailAsked tells the current address that another one is to replace it.
type EmailAsked struct {
	Name     string
	UserID   int64
	NewEmail string // in full; the mail shows it masked
}

// EmailUndone goes to the restored address and to the removed one.
type EmailUndone struct {
	Name   string
	UserID int64
	Gone   bool // the mail goes to the removed address
}
