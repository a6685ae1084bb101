// Package seal encrypts values for a database with a key that is not in the database, and
// binds them to their place. Someone with access to the database can neither read the
// values nor move one to another row.
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

// Box encrypts and decrypts with one key.
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

// mark begins every encrypted text, with the version of the method.
const mark = "s1:"

// Seal encrypts a text that Open decrypts only with the same about; "" stays "". The
// result is deterministic, so that writing a row again changes nothing: the nonce is
// derived from text and about.
func (b *Box) Seal(text string, about ...any) string {
	if text == "" {
		return ""
	}
	context := encode(about)
	sum := sumOf(b.nonces, binary.AppendUvarint(nil, uint64(len(context))), context, []byte(text))
	nonce := sum[:b.aead.NonceSize()]
	return mark + base64.RawURLEncoding.EncodeToString(b.aead.Seal(nonce, nonce, []byte(text), context))
}

// Open returns the decrypted text; false if it was encrypted with another about or
// another key, or not at all.
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

// Mark returns a keyed hash: of a value, for finding it, or of a row, for detecting a
// change.
func (b *Box) Mark(about ...any) string {
	return base64.RawURLEncoding.EncodeToString(sumOf(b.mac, encode(about))[:16])
}

// Marked reports whether mark is the Mark of about, in constant time.
func (b *Box) Marked(mark string, about ...any) bool {
	return hmac.Equal([]byte(mark), []byte(b.Mark(about...)))
}

func sumOf(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		_, _ = h.Write(p) // a hash never fails
	}
	return h.Sum(nil)
}

// encode encodes a list unambiguously.
func encode(about []any) (out []byte) {
	for _, v := range about {
		switch x := v.(type) {
		case int64:
			out = binary.AppendVarint(append(out, 'i'), x)
		case string:
			out = append(binary.AppendUvarint(append(out, 't'), uint64(len(x))), x...)
		default:
			panic("seal: a value of an unsupported type")
		}
	}
	return out
}
