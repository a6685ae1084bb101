// Package eip55 reads addresses of Ethereum and of chains that took its form,
// such as BEP-20's. The capital letters of EIP-55 show most slips of the pen.
package eip55

import (
	"encoding/hex"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Parse gives an address its capitals. False if it is no address, if its
// capitals are there and wrong, or if it is the zero address, from which nothing
// comes back. Written in one case, an address carries no checksum to be wrong.
func Parse(s string) (address string, ok bool) {
	body, prefixed := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(body)
	if !prefixed || err != nil || len(raw) != 20 || strings.Trim(body, "0") == "" {
		return "", false
	}
	sum := checksummed(body)
	if body != strings.ToLower(body) && body != strings.ToUpper(body) && body != sum {
		return "", false
	}
	return "0x" + sum, true
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
