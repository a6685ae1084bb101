package ledger

import (
	"bufio"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Signer signs the head of the chain with a key that the database does not hold.
type Signer struct {
	id  string
	key ed25519.PrivateKey
}

func (s *Signer) KeyID() string { return s.id }

// Public returns the public key, which verifies signatures.
func (s *Signer) Public() ed25519.PublicKey { return s.key.Public().(ed25519.PublicKey) }

// Derive derives a key for another purpose that, like the signing key, must not
// be in the database. Every process of an installation derives the same key.
func (s *Signer) Derive(purpose string) ([]byte, error) {
	return hkdf.Key(sha256.New, s.key.Seed(), nil, "bifolia "+purpose, sha256.Size)
}

func (s *Signer) sign(h Hash) []byte { return ed25519.Sign(s.key, h[:]) }

// keyID returns the first 8 bytes of the public key's hash, in hex.
func keyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

// LoadSigner reads the private key at path. fs.ErrNotExist if there is none.
func LoadSigner(path string) (*Signer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("other users can read %s (mode %04o): run chmod 600 on it, and treat the key as compromised", path, mode)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, fmt.Errorf("ledger key %s is not a PEM file", path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("ledger key %s: %w", path, err)
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("ledger key %s is not an Ed25519 key", path)
	}
	return &Signer{keyID(key.Public().(ed25519.PublicKey)), key}, nil
}

// CreateSigner makes a new key at path, readable by its owner only, and appends
// the public key to the list beside it. It never overwrites a key.
func CreateSigner(path string) (*Signer, error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	// The public key is written first: without it, no signature can be verified.
	line := keyID(public) + " " + base64.StdEncoding.EncodeToString(public) + "\n"
	if err := appendSynced(PublicKeyFile(path), line, 0o644); err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	if err := writeNew(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil {
		return nil, fmt.Errorf("ledger key: %w", err)
	}
	return &Signer{keyID(public), key}, nil
}

// writeNew creates path atomically and durably.
func writeNew(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil { // fails if path exists
		return err
	}
	return syncDir(filepath.Dir(path))
}

func appendSynced(path, line string, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// PublicKeyFile is the path of the list of all public keys ever used at keyPath:
// one "id base64" per line, and a line that names their ledger.
func PublicKeyFile(keyPath string) string {
	return strings.TrimSuffix(keyPath, filepath.Ext(keyPath)) + ".pub"
}

// ownerWord begins the line of a list of public keys that names their ledger.
const ownerWord = "ledger"

// Claim records in the list of public keys at path which ledger they belong to.
func Claim(path, ledgerID string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("public keys: %w", err)
	}
	if err := appendSynced(path, ownerWord+" "+ledgerID+"\n", 0o644); err != nil {
		return fmt.Errorf("public keys: %w", err)
	}
	return nil
}

// Owner returns the ledger that a list of public keys belongs to; "" if the list
// names none. fs.ErrNotExist if there is no list.
func Owner(path string) (ledgerID string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("public keys: %w", err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if id, ok := ownerOf(lines.Text()); ok && ledgerID != "" && id != ledgerID {
			return "", fmt.Errorf("public keys: %s names two ledgers, %s and %s", path, ledgerID, id)
		} else if ok {
			ledgerID = id
		}
	}
	return ledgerID, lines.Err()
}

func ownerOf(line string) (ledgerID string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 2 || fields[0] != ownerWord || !IsID(fields[1]) {
		return "", false
	}
	return fields[1], true
}

// ReadPublicKeys reads the list of public keys at path, by id.
func ReadPublicKeys(path string) (map[string]ed25519.PublicKey, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("public keys: %w", err)
	}
	defer func() { _ = f.Close() }()
	return ParsePublicKeys(f, path)
}

// ParsePublicKeys reads a list of public keys, by id; errors refer to it as name.
func ParsePublicKeys(from io.Reader, name string) (map[string]ed25519.PublicKey, error) {
	keys := map[string]ed25519.PublicKey{}
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if _, owner := ownerOf(lines.Text()); len(fields) == 0 || owner {
			continue
		}
		var public []byte
		var err error
		if len(fields) == 2 {
			public, err = base64.StdEncoding.DecodeString(fields[1])
		}
		if len(fields) != 2 || err != nil || len(public) != ed25519.PublicKeySize || keyID(public) != fields[0] {
			return nil, fmt.Errorf("public keys: %s line %d is not \"id base64-key\"", name, n)
		}
		keys[fields[0]] = public
	}
	return keys, lines.Err()
}
