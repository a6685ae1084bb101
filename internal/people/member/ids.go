package member

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
)

// Ids do not disclose the number of members. The n-th member's id is a keyed permutation
// of n within the ids of the same length: the first 900,000 members have six digits, the
// next 9,000,000 seven, and so on. The permutation is a balanced Feistel network over the
// next larger even power of two, repeated until the result is in range; it never repeats
// an id and needs no record of used ones. The key never changes (see IDKey).

// IDKeySize is the length of the key that ids are drawn by.
const IDKeySize = 16

// feistelRounds is NIST's number of rounds for such small ranges (FF1).
const feistelRounds = 10

// IDs draws members' ids.
type IDs struct{ block cipher.Block }

// NewIDs draws ids by key. Internal if key is not IDKeySize bytes long.
func NewIDs(key []byte) (*IDs, error) {
	if len(key) != IDKeySize {
		return nil, fmt.Errorf("member: the key of ids has %d bytes, not %d", len(key), IDKeySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("member: the key of ids does not work: %w", err)
	}
	return &IDs{block}, nil
}

// At is the id of member number no, counted from 1. It is 0, which is no id, if no is
// less or if ids of ten digits are used up.
func (ids *IDs) At(no int64) int64 {
	n := no - 1
	first := int64(100_000)
	for length := minIDDigits; n >= 0 && length <= maxIDDigits; length++ {
		size := 9 * first
		if n < size {
			return first + ids.permute(length, size, n)
		}
		n -= size
		first *= 10
	}
	return 0
}

// permute maps 0…size-1 onto itself.
func (ids *IDs) permute(length int, size, n int64) int64 {
	half := uint(1)
	for int64(1)<<(2*half) < size {
		half++
	}
	for {
		n = ids.feistel(length, half, n)
		if n < size {
			return n
		}
	}
}

// feistel permutes the numbers of 2×half bits. The length of the id is part of the
// cipher's input, so that ranges do not resemble each other.
func (ids *IDs) feistel(length int, half uint, n int64) int64 {
	mask := uint64(1)<<half - 1
	left, right := uint64(n)>>half, uint64(n)&mask
	var in, out [aes.BlockSize]byte
	in[0] = byte(length)
	for round := range feistelRounds {
		in[1] = byte(round)
		binary.BigEndian.PutUint64(in[8:], right)
		ids.block.Encrypt(out[:], in[:])
		left, right = right, left^binary.BigEndian.Uint64(out[:])&mask
	}
	return int64(left<<half | right)
}
