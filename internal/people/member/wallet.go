package member

import (
	"strings"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Wallet is the USDT (BEP-20) address that a member is paid to, with the
// capital letters of EIP-55, which show most slips of the pen; "" for none.
type Wallet string

// fieldWallet is what forms call the address.
const fieldWallet = "accountaddress"

// WalletForm is what a member sent to change the wallet, unread.
type WalletForm struct{ Address, TransactionPassword string }

// ParseWallet reads an address. Invalid, in the way of ParseProfile, if it is
// no address, if its capitals are there and wrong, or if it is the zero
// address, from which nothing comes back.
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
