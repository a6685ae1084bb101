package member

import (
	"strings"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Wallet is the USDT (BEP-20) address that a member is paid at, with the capitals of
// EIP-55, which detect most typing errors; "" for none.
type Wallet string

// fieldWallet is the address's name in forms.
const fieldWallet = "accountaddress"

// WalletForm is a member's unparsed wallet.
type WalletForm struct{ Address, TransactionPassword string }

// ParseWallet parses an address. Invalid as for ParseProfile if it is no address, if its
// capitals are wrong, or if it is the zero address, which nobody can spend from.
func ParseWallet(f WalletForm) (Wallet, error) {
	var c checks
	address, wrong := parseAddress(f.Address)
	c.note(fieldWallet, wrong)
	c.transactionPassword(f.TransactionPassword)
	if err := c.first(); err != nil {
		return "", err
	}
	return address, nil
}

func parseAddress(s string) (address Wallet, wrong errs.Text) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", TextWalletRequired
	}
	sum, ok := eip55.Parse(s)
	if !ok {
		return "", TextWalletInvalid
	}
	return Wallet(sum), errs.Text{}
}
