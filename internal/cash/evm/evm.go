// Package evm has the types for payments on an EVM chain. It has no chain client, so that
// packages that use only these types do not import go-ethereum; package chain queries the
// chain and pays.
package evm

import (
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

type State string

// The states of a payment.
const (
	Confirmed State = "confirmed" // as expected, with enough confirmations
	Waiting   State = "waiting"   // nothing is wrong, but confirmations are missing
	Refused   State = "refused"   // not as expected
	Unknown   State = "unknown"   // the nodes do not answer or disagree
)

// Expectation describes an expected payment.
type Expectation struct {
	Receiver  string       // an address
	Amount    money.Amount // exact, ignoring fractions of a micro-dollar
	NotBefore time.Time    // earliest block time; zero for any
}

// Verdict is the result of checking a payment.
type Verdict struct {
	State State
	Text  errs.Text // why; it names no node
	// Final is set if a refusal has enough confirmations, so that checking again is
	// useless.
	Final                 bool
	Confirmations, Needed int64
	Paid                  money.Amount // received by the receiver
	From                  []string     // senders
	Cause                 error        // of Unknown, for the log
}

// Arrived is the text of a payment with enough confirmations.
func Arrived(amount string, confirmations int64) errs.Text {
	return errs.Say("chain.arrived", "{amount} arrived, with {confirmations} confirmations.", "amount", amount, "confirmations", confirmations)
}

// Payment is a transfer of the token within a transaction.
type Payment struct {
	N        int // index of the transaction's event
	From, To string
	Amount   money.Amount // fractions of a micro-dollar are dropped
}

// Sight is what the nodes together report about a transaction.
type Sight struct {
	Hash                  string
	State                 State     // Confirmed, Waiting, Refused if it failed, Unknown
	Text                  errs.Text // why; it names no node
	Confirmations, Needed int64
	Block                 int64     // 0 if it is in none
	Mined                 time.Time // of its block; zero if it is in none
	Payments              []Payment
	Cause                 error // of Unknown, for the log
}

// Hint is a payment reported by one node. It must be verified with Look before it is
// used.
type Hint struct {
	Hash  string
	Block uint64
}

// Order is one payment to make.
type Order struct {
	To     string
	Amount money.Amount
	Nonce  int64 // consecutive for the hot wallet
	// Replace is the signed transaction with this nonce to replace, or nil. One of the
	// two is mined, never both.
	Replace []byte
}

// Signed is a signed transaction. Once broadcast, it pays once.
type Signed struct {
	Hash string
	Raw  []byte
}

// Nonces are the counts of a wallet's transactions: in the latest blocks, including
// pending ones, and in final blocks.
type Nonces struct {
	Latest, Pending, ForGood int64
}

// Search selects past transfers of the token: from a wallet, and to some addresses.
type Search struct {
	From  string   // a wallet; empty for none
	To    []string // addresses
	Since time.Time
}

// Transfer is a transfer of the token with enough confirmations.
type Transfer struct {
	Hash     string
	From, To string
	Amount   money.Amount
	Block    int64
}

// ParseAddress reads an address and returns it with its checksum (EIP-55). Invalid if it
// is malformed, or if its mixed case is a wrong checksum; a single case carries no
// checksum.
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

// ParseHash reads a transaction hash, in any case and with surrounding spaces, and
// returns it in lower case.
func ParseHash(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", errs.New(errs.Invalid, "chain.hash_invalid", "A transaction hash is 0x and 64 digits from 0 to f.")
	}
	return s, nil
}
