// Package xpub derives addresses from a BIP-32 extended public key, in the layout of
// BIP-44. The key allows deriving and watching addresses, but no spending.
package xpub

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"golang.org/x/crypto/sha3"

	"github.com/bifolia/bifolia/internal/platform/eip55"
)

const (
	hardened = 1 << 31
	// accountDepth is the depth of an account's key: m/44'/60'/account'.
	accountDepth = 3
	rawSize      = 78
	checkSize    = 4
)

var (
	publicVersion = []byte{0x04, 0x88, 0xb2, 0x1e} // "xpub"

	errPrivate = errors.New("the value is a private key (xprv), which no server may see: give the xpub of the account, and treat this key as exposed")
	errNone    = errors.New("the value is not an extended public key (xpub and 107 more characters)")
	errDepth   = errors.New("the key is not that of an account, such as m/44'/60'/0': wallets would not find what is paid to its addresses")
	errNoChild = errors.New("xpub: this index has no key")
)

// Key is the extended public key of an account.
type Key struct {
	text  string
	child uint32 // the account's number, hardened
	node  node
}

// node is a point of the curve with its chain code.
type node struct {
	point secp256k1.PublicKey
	code  [32]byte
}

// Parse reads the key of an account. The error never repeats the value.
func Parse(text string) (*Key, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(strings.ToLower(text[:min(len(text), 8)]), "prv") {
		return nil, errPrivate
	}
	raw, ok := decode58(text)
	if !ok || len(raw) != rawSize || !bytes.Equal(raw[:4], publicVersion) {
		return nil, errNone
	}
	point, err := secp256k1.ParsePubKey(raw[45:])
	if err != nil {
		return nil, errNone
	}
	k := &Key{text: text, child: binary.BigEndian.Uint32(raw[9:13]), node: node{*point, [32]byte(raw[13:45])}}
	if raw[4] != accountDepth || k.child < hardened {
		return nil, errDepth
	}
	return k, nil
}

// ID identifies the key in rows and logs. No address can be derived from it.
func (k *Key) ID() string {
	sum := sha256.Sum256([]byte(k.text))
	return hex.EncodeToString(sum[:8])
}

// String returns ID only, so that no log reveals the company's addresses.
func (k *Key) String() string { return "xpub " + k.ID() }

// GoString is like String.
func (k *Key) GoString() string { return k.String() }

// Path is the derivation path of an address's private key in a wallet.
func (k *Key) Path(branch, index int64) string {
	return fmt.Sprintf("m/44'/60'/%d'/%d/%d", k.child-hardened, branch, index)
}

// Address returns the address with an index in a branch of the account, with its checksum.
// Branch 0 has the addresses that wallets show.
func (k *Key) Address(branch, index int64) (string, error) {
	if branch < 0 || branch >= hardened || index < 0 || index >= hardened {
		return "", errNoChild
	}
	b, err := k.node.derive(uint32(branch))
	if err != nil {
		return "", err
	}
	leaf, err := b.derive(uint32(index))
	if err != nil {
		return "", err
	}
	return leaf.address()
}

// derive is CKDpub of BIP-32.
func (n node) derive(index uint32) (out node, err error) {
	mac := hmac.New(sha512.New, n.code[:])
	mac.Write(n.point.SerializeCompressed())
	mac.Write(binary.BigEndian.AppendUint32(nil, index))
	sum := mac.Sum(nil)
	var tweak secp256k1.ModNScalar
	if tweak.SetByteSlice(sum[:32]) {
		return out, errNoChild
	}
	var parent, step, child secp256k1.JacobianPoint
	n.point.AsJacobian(&parent)
	secp256k1.ScalarBaseMultNonConst(&tweak, &step)
	secp256k1.AddNonConst(&step, &parent, &child)
	if (child.X.IsZero() && child.Y.IsZero()) || child.Z.IsZero() {
		return out, errNoChild
	}
	child.ToAffine()
	copy(out.code[:], sum[32:])
	out.point = *secp256k1.NewPublicKey(&child.X, &child.Y)
	return out, nil
}

func (n node) address() (string, error) {
	hash := sha3.NewLegacyKeccak256()
	hash.Write(n.point.SerializeUncompressed()[1:])
	address, ok := eip55.Parse("0x" + hex.EncodeToString(hash.Sum(nil)[12:]))
	if !ok {
		return "", errNoChild
	}
	return address, nil
}

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// decode58 reads Base58Check.
func decode58(text string) (payload []byte, ok bool) {
	if len(text) > 2*rawSize {
		return nil, false
	}
	n, base := new(big.Int), big.NewInt(int64(len(alphabet)))
	for _, c := range []byte(text) {
		digit := strings.IndexByte(alphabet, c)
		if digit < 0 {
			return nil, false
		}
		n.Mul(n, base).Add(n, big.NewInt(int64(digit)))
	}
	zeros := len(text) - len(strings.TrimLeft(text, alphabet[:1]))
	raw := append(make([]byte, zeros), n.Bytes()...)
	if len(raw) < checkSize {
		return nil, false
	}
	payload, check := raw[:len(raw)-checkSize], raw[len(raw)-checkSize:]
	once := sha256.Sum256(payload)
	twice := sha256.Sum256(once[:])
	return payload, bytes.Equal(twice[:checkSize], check)
}
