// Package evm has the words in which payments on an EVM chain are spoken of.
// It knows no chain, so that packages that only speak of one need not carry
// go-ethereum; package chain asks and pays.
package evm

import (
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// State is what is known of a payment.
type State string

// The states of a payment.
const (
	Confirmed State = "confirmed" // it is as expected, and deep enough
	Waiting   State = "waiting"   // nothing is wrong so far
	Refused   State = "refused"   // it is not what was expected
	Unknown   State = "unknown"   // the nodes do not answer, or do not agree
)

// Expectation is what a payment should be.
type Expectation struct {
	Receiver  string       // an address
	Amount    money.Amount // exactly; what is below a micro-dollar does not count
	NotBefore time.Time    // its block must not be older; zero for whenever
}

// Verdict is what a payment is.
type Verdict struct {
	State State
	Text  string // why, for people; it names no node
	// Final: asking again will not change a refusal, since it is deep enough.
	Final                 bool
	Confirmations, Needed int64
	Paid                  money.Amount // what the receiver got
	From                  []string     // from whom
	Cause                 error        // of Unknown, for the log
}

// Payment is what a transaction sent of the token.
type Payment struct {
	N        int // which of the transaction's events, from 0
	From, To string
	Amount   money.Amount // what is below a micro-dollar does not count
}

// Sight is what a transaction did, as the nodes tell it together.
type Sight struct {
	Hash                  string
	State                 State  // Confirmed, Waiting, Refused if it failed, Unknown
	Text                  string // why, for people; it names no node
	Confirmations, Needed int64
	Block                 int64     // its number; 0 if it is in none
	Mined                 time.Time // of its block; zero if it is in none
	Payments              []Payment
	Cause                 error // of Unknown, for the log
}

// Hint is where a node says that a payment is. It is to be looked at before anything
// follows from it.
type Hint struct {
	Hash  string
	Block uint64
}

// Order is one payment to make.
type Order struct {
	To     string
	Amount money.Amount
	Nonce  int64 // the hot wallet's transactions have one each, in order
	// Replace is a signed transaction with this nonce that is to be outbid; nil
	// for a first one. One of the two will be mined, never both.
	Replace []byte
}

// Signed is a payment that pays as soon as somebody broadcasts it, and once.
type Signed struct {
	Hash string
	Raw  []byte
}

// Nonces are how many transactions a wallet has sent: those in the latest blocks,
// those that nodes have waiting besides, and those that are mined for good.
type Nonces struct {
	Latest, Pending, ForGood int64
}

// Search is what to look for in the chain's past: what a wallet paid, and what some
// addresses got, of the token.
type Search struct {
	From  string   // a wallet; empty for none
	To    []string // addresses
	Since time.Time
}

// Transfer is one of the token, deep enough in the chain.
type Transfer struct {
	Hash     string
	From, To string
	Amount   money.Amount
	Block    int64
}

// ParseAddress reads an address and writes it with its checksum (EIP-55).
// Invalid if it is none, or if its letters' case is a wrong checksum; an
// address in letters of one case carries none.
func ParseAddress(s string) (string, error) {
	s = strings.TrimSpace(s)
	if right, ok := eip55.Parse(s); ok {
		return right, nil
	}
	if _, ok := eip55.Parse(strings.ToLower(s)); ok {
		return "", errs.New(errs.Invalid, "chain.address_checksum", "The address has a wrong checksum: one of its characters is mistyped.")
	}
	return "", errs.New(errs.Invalid, "chain.address_invalid", "An address is 0x and 40 digits from 0 to f, not all of them 0.")
}

// ParseHash reads a transaction's hash, in any case and with spaces around it,
// and writes it in small letters.
func ParseHash(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", errs.New(errs.Invalid, "chain.hash_invalid", "A transaction hash is 0x and 64 digits from 0 to f.")
	}
	return s, nil
}
