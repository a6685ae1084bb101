// Package chain knows one token on one EVM chain: whether a transaction paid
// what somebody says it paid, and how to pay with it. It is the only package
// that knows go-ethereum.
//
// Nodes are asked over JSON-RPC (rpc.go) through a client that reaches the
// configured hosts and nothing else (guard.go). No single node is believed when
// there are two: at least two must answer, and all that answer must tell the
// same story (view.go). A story is judged in words that people understand
// (verify.go): it counts when the block it is in is still part of the chain and
// deep enough. Amounts on the chain are whole units of the token, as many as
// its contract says there are in a dollar (token.go); the ledger's are
// micro-dollars, and what is less than one of those does not count.
//
// To pay, a transaction is signed (wallet.go, sign.go) and handed to the caller,
// who keeps it before it is broadcast: the same transaction can be sent any
// number of times and pays once.
package chain

import (
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/money"
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

// ParseAddress reads an address and writes it with its checksum (EIP-55).
// Invalid if it is none, or if its letters' case is a wrong checksum; an
// address in letters of one case carries none.
func ParseAddress(s string) (string, error) {
	s = strings.TrimSpace(s)
	if !common.IsHexAddress(s) || !strings.HasPrefix(s, "0x") {
		return "", errs.New(errs.Invalid, "An address is 0x and 40 digits from 0 to f.")
	}
	right := common.HexToAddress(s).Hex()
	if digits := s[2:]; digits != strings.ToLower(digits) && digits != strings.ToUpper(digits) && s != right {
		return "", errs.New(errs.Invalid, "The address has a wrong checksum: one of its characters is mistyped.")
	}
	if common.HexToAddress(s) == (common.Address{}) {
		return "", errs.New(errs.Invalid, "Nobody owns the address 0x0.")
	}
	return right, nil
}

// ParseHash reads a transaction's hash, in any case and with spaces around it,
// and writes it in small letters.
func ParseHash(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) != 2*common.HashLength || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", errs.New(errs.Invalid, "A transaction hash is 0x and 64 digits from 0 to f.")
	}
	return s, nil
}
