package chain

import (
	"crypto/ecdsa"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Key is the private key of the hot wallet. It is never printed, logged or encoded.
type Key struct {
	secret  *ecdsa.PrivateKey
	address string
}

// ParseKey reads a key: 64 hexadecimal digits, with or without 0x. The error never
// contains it.
func ParseKey(text string) (*Key, error) {
	secret, err := crypto.HexToECDSA(strings.TrimPrefix(strings.TrimSpace(text), "0x"))
	if err != nil {
		return nil, errs.New(errs.Invalid, "chain.key_invalid", "The hot wallet's key is not 64 digits from 0 to f.")
	}
	return &Key{secret, crypto.PubkeyToAddress(secret.PublicKey).Hex()}, nil
}

// ReadKey reads a key from a file that only its owner may read.
func ReadKey(path string) (_ *Key, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.New(errs.Refused, "chain.key_unreadable", "The hot wallet's key file cannot be read: {reason}.", "reason", err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 256 {
		return nil, errs.New(errs.Refused, "chain.key_file_lines", "The hot wallet's key file {path} is not a file of one line.", "path", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, errs.New(errs.Refused, "chain.key_file_not_private", "Others may read the hot wallet's key file {path} ({mode}): run chmod 600 on it, and think of the key as known.", "path", path, "mode", info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, 256))
	if err != nil {
		return nil, errs.New(errs.Refused, "chain.key_unreadable", "The hot wallet's key file cannot be read: {reason}.", "reason", err)
	}
	return ParseKey(string(text))
}

// Address returns the wallet's address with its checksum.
func (k *Key) Address() string { return k.address }

// String, GoString, LogValue and MarshalText return the address in place of the key.
func (k *Key) String() string { return "key of " + k.address }

// GoString returns the address.
func (k *Key) GoString() string { return k.String() }

// LogValue returns the address.
func (k *Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText returns the address.
func (k *Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
