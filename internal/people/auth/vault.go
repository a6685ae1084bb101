package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// vault seals secrets and hashes recovery codes, with keys outside of the database.
type vault struct {
	aead cipher.AEAD
	mac  []byte
}

func newVault(secret []byte) (*vault, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "bifolia second factors", sha256.Size)
	if err != nil {
		return nil, err
	}
	mac, err := hkdf.Key(sha256.New, secret, nil, "bifolia recovery codes", sha256.Size)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &vault{aead, mac}, err
}

func (v *vault) seal(o Owner, raw []byte) ([]byte, error) { return v.sealAbout(o.about(), raw) }

// sealAbout seals raw with what as its associated data.
func (v *vault) sealAbout(what, raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return nil, errors.New("auth: an empty secret")
	}
	nonce := make([]byte, v.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return v.aead.Seal(nonce, nonce, raw, what), nil
}

func (v *vault) open(o Owner, sealed []byte) ([]byte, error) { return v.openAbout(o.about(), sealed) }

func (v *vault) openAbout(what, sealed []byte) ([]byte, error) {
	n := v.aead.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("auth: a sealed secret is too short")
	}
	raw, err := v.aead.Open(nil, sealed[:n], sealed[n:], what)
	if err != nil {
		return nil, fmt.Errorf("auth: a secret was sealed with another key: %w", err)
	}
	return raw, nil
}

// recovery is the stored hash of a typed code.
func (v *vault) recovery(o Owner, code string) []byte {
	mac := hmac.New(sha256.New, v.mac)
	mac.Write(o.about())
	mac.Write([]byte(strings.ToLower(strings.ReplaceAll(digitsOnly(code), "-", ""))))
	return mac.Sum(nil)
}

// invitation is the keyed hash of a link, so that database access alone cannot make one.
func (v *vault) invitation(raw []byte) []byte {
	mac := hmac.New(sha256.New, v.mac)
	_, _ = mac.Write([]byte("invitation "))
	_, _ = mac.Write(raw)
	return mac.Sum(nil)
}

func (v *vault) recoveries(o Owner, codes []string) (hashes [][]byte) {
	for _, c := range codes {
		hashes = append(hashes, v.recovery(o, c))
	}
	return hashes
}

// binding is the keyed hash of a challenge's row and subject, so that database access
// alone cannot change them.
func (v *vault) binding(c ChallengeRow, subject []byte) []byte {
	mac := hmac.New(sha256.New, v.mac)
	mac.Write([]byte("challenge "))
	number := func(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }
	for _, part := range [][]byte{
		[]byte(c.ID), []byte(c.Flow), c.Challenge, []byte(c.Kind), number(c.Owner.ID), []byte(c.Session), c.Handle, []byte(c.Name),
		number(c.Expires.UnixMicro()), subject,
	} {
		mac.Write(number(int64(len(part))))
		mac.Write(part)
	}
	return mac.Sum(nil)
}
