// Package eip55 parses addresses of Ethereum and compatible chains, such as BNB Smart
// Chain. The capital letters of EIP-55 are a checksum that detects most typing errors.
package eip55

import (
	"encoding/hex"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Parse returns an address with its checksum. False if it is not an address, if its
// checksum is wrong, or if it is the zero address, whose funds are lost. An address in
// one case has no checksum.
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

// checksummed returns 40 hex digits with the checksum of EIP-55: a letter is a capital
// if the hash of the lower-case digits has a digit of 8 or more at its place.
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
