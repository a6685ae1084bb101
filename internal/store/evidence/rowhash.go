package evidence

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
)

// RowHash is the beginning of the SHA-256 of a row's values.
type RowHash [16]byte

// deletedHash is in the line of a row that a command has deleted: no row has it.
var deletedHash RowHash

func (h RowHash) String() string { return hex.EncodeToString(h[:]) }

// RowHasher computes the hash of values in an order.
type RowHasher struct {
	hash hash.Hash
	buf  []byte
}

// NewRowHasher starts an empty hash.
func NewRowHasher() *RowHasher { return &RowHasher{hash: sha256.New()} }

// Add takes values as databases give them: whole numbers, texts and bytes. No
// two lists of values have the same bytes.
func (h *RowHasher) Add(vals ...any) {
	for _, v := range vals {
		switch x := v.(type) {
		case int64:
			h.buf = binary.AppendVarint(append(h.buf, 'i'), x)
		case int:
			h.buf = binary.AppendVarint(append(h.buf, 'i'), int64(x))
		case string:
			h.buf = append(binary.AppendUvarint(append(h.buf, 't'), uint64(len(x))), x...)
		case []byte:
			h.buf = append(binary.AppendUvarint(append(h.buf, 'b'), uint64(len(x))), x...)
		default: // verify meets nulls and numbers of other kinds where somebody has put them
			text := fmt.Sprintf("%T %v", x, x)
			h.buf = append(binary.AppendUvarint(append(h.buf, '?'), uint64(len(text))), text...)
		}
	}
	if len(h.buf) > 32<<10 {
		h.flush()
	}
}

func (h *RowHasher) flush() {
	_, _ = h.hash.Write(h.buf) // a hash takes everything
	h.buf = h.buf[:0]
}

// Sum is the hash of the values that were added.
func (h *RowHasher) Sum() (out RowHash) {
	h.flush()
	copy(out[:], h.hash.Sum(nil))
	return out
}
