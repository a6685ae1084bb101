package member

import (
	"encoding/hex"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Wallet is the USDT (BEP-20) address that a member is paid to, with the
// capital letters of EIP-55, which show most slips of the pen; "" for none.
type Wallet string

// WalletForm is what a member sent to change the wallet, unread.
type WalletForm struct{ Address, TransactionPassword string }

// ParseWallet reads an address. Invalid, in the way of ParseProfile, if it is
// no address, if its capitals are there and wrong, or if it is the zero
// address, from which nothing comes back.
func ParseWallet(f WalletForm) (Wallet, error) {
	var c checks
	address, wrong := parseAddress(f.Address)
	c.note("accountaddress", wrong)
	c.transactionPassword(f.TransactionPassword)
	if err := c.first(); err != nil {
		return "", err
	}
	return address, nil
}

func parseAddress(s string) (address Wallet, wrong string) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", TextWalletRequired
	}
	body, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(body)
	if !ok || err != nil || len(raw) != 20 || strings.Trim(body, "0") == "" {
		return "", TextWalletInvalid
	}
	sum := checksummed(body)
	// Written in one case, an address carries no checksum to be wrong.
	if body != strings.ToLower(body) && body != strings.ToUpper(body) && body != sum {
		return "", TextWalletInvalid
	}
	return Wallet("0x" + sum), ""
}

// checksummed writes 40 hex digits in the capitals of EIP-55: a letter is a
// capital where the hash of the lower-case digits has a digit of 8 or more.
func checksummed(body string) string {
	out := []byte(strings.ToLower(body))
	keccak := sha3.NewLegacyKeccak256()
	keccak.Write(out)
	hash := hex.EncodeToString(keccak.Sum(nil))
	for i, b := range out {
		if b >= 'a' && hash[i] >= '8' {
			out[i] = b - 'a' + 'A'
		}
	}
	return string(out)
}
