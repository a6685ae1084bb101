// Package seal keeps values in a database that who reads or writes it can neither
// read nor exchange: sealed with a key that the database does not hold, and bound to
// where they stand.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// Box seals and opens under one key.
type Box struct {
	aead        cipher.AEAD
	nonces, mac []byte
}

// New makes a box of a key of 32 bytes.
func New(key []byte) (*Box, error) {
	part := func(purpose string) ([]byte, error) {
		return hkdf.Expand(sha256.New, key, "bifolia seal "+purpose, sha256.Size)
	}
	secret, err := part("values")
	if err != nil {
		return nil, err
	}
	b := &Box{}
	if b.nonces, err = part("nonces"); err != nil {
		return nil, err
	}
	if b.mac, err = part("marks"); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	b.aead, err = cipher.NewGCM(block)
	return b, err
}

// mark begins every sealed text, with the way of sealing.
const mark = "s1:"

// Seal makes a text of one that opens only about the same things; "" stays "". The
// same text about the same things is sealed alike, so that writing a row again
// changes nothing: its nonce is made of both.
func (b *Box) Seal(text string, about ...any) string {
	if text == "" {
		return ""
	}
	context := encode(about)
	sum := sumOf(b.nonces, binary.AppendUvarint(nil, uint64(len(context))), context, []byte(text))
	nonce := sum[:b.aead.NonceSize()]
	return mark + base64.RawURLEncoding.EncodeToString(b.aead.Seal(nonce, nonce, []byte(text), context))
}

// Open is what was sealed; false if it was sealed about something else, by another
// key, or not at all.
func (b *Box) Open(sealed string, about ...any) (text string, ok bool) {
	if sealed == "" {
		return "", true
	}
	rest, ok := strings.CutPrefix(sealed, mark)
	raw, err := base64.RawURLEncoding.DecodeString(rest)
	if n := b.aead.NonceSize(); ok && err == nil && len(raw) > n {
		out, err := b.aead.Open(nil, raw[:n], raw[n:], encode(about))
		return string(out), err == nil
	}
	return "", false
}

// Mark is a keyed hash: of a value that must be found by it, or of a row that must
// not be changed.
func (b *Box) Mark(about ...any) string {
	return base64.RawURLEncoding.EncodeToString(sumOf(b.mac, encode(about))[:16])
}

// Marked tells whether a mark is of these things. The time it takes says nothing.
func (b *Box) Marked(mark string, about ...any) bool {
	return hmac.Equal([]byte(mark), []byte(b.Mark(about...)))
}

func sumOf(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		_, _ = h.Write(p) // a hash takes everything
	}
	return h.Sum(nil)
}

// encode gives no two lists the same bytes.
func encode(about []any) (out []byte) {
	for _, v := range about {
		switch x := v.(type) {
		case int64:
			out = binary.AppendVarint(append(out, 'i'), x)
		case string:
			out = append(binary.AppendUvarint(append(out, 't'), uint64(len(x))), x...)
		default:
			panic("seal: a value that has no bytes")
		}
	}
	return out
}
