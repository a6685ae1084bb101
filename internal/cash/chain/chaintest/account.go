package chaintest

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Account is a treasury's: the server has its extended public key, and the treasury
// the private keys of what is derived from it.
type Account struct {
	Xpub string
	key  *big.Int
	code []byte
}

// NewAccount makes one, as m/44'/60'/0' of a seed of its own.
func NewAccount(t testing.TB) *Account {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	a := &Account{key: new(big.Int).SetBytes(crypto.FromECDSA(key)), code: make([]byte, 32)}
	_, _ = rand.Read(a.code) // never fails
	raw := []byte{0x04, 0x88, 0xb2, 0x1e, 3, 0, 0, 0, 0, 0x80, 0, 0, 0}
	raw = append(append(raw, a.code...), crypto.CompressPubkey(&key.PublicKey)...)
	once := sha256.Sum256(raw)
	twice := sha256.Sum256(once[:])
	n, digits := new(big.Int).SetBytes(append(raw, twice[:4]...)), []byte{}
	for n.Sign() > 0 {
		rest := new(big.Int)
		n.QuoRem(n, big.NewInt(58), rest)
		digits = append(digits, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[rest.Int64()])
	}
	for i := range len(digits) / 2 {
		digits[i], digits[len(digits)-1-i] = digits[len(digits)-1-i], digits[i]
	}
	a.Xpub = string(digits)
	return a
}

// Key is the private key of the address at m/44'/60'/0'/branch/index.
func (a *Account) Key(t testing.TB, branch, index int64) string {
	t.Helper()
	key, code := a.key, a.code
	for _, i := range []uint32{uint32(branch), uint32(index)} {
		parent, err := crypto.ToECDSA(key.FillBytes(make([]byte, 32)))
		if err != nil {
			t.Fatal(err)
		}
		mac := hmac.New(sha512.New, code)
		mac.Write(crypto.CompressPubkey(&parent.PublicKey))
		mac.Write(binary.BigEndian.AppendUint32(nil, i))
		sum := mac.Sum(nil)
		key = new(big.Int).Add(key, new(big.Int).SetBytes(sum[:32]))
		key.Mod(key, crypto.S256().Params().N)
		code = bytes.Clone(sum[32:])
	}
	return hex.EncodeToString(key.FillBytes(make([]byte, 32)))
}

// TransferAs pays units of a token from a key, which needs gas; nonce is the
// caller's to count.
func (c *Chain) TransferAs(t testing.TB, key string, nonce uint64, token, to string, units *big.Int) (hash string) {
	t.Helper()
	secret, err := crypto.HexToECDSA(key)
	if err != nil {
		t.Fatal(err)
	}
	data, err := Token(t).ABI.Pack("transfer", common.HexToAddress(to), units)
	if err != nil {
		t.Fatal(err)
	}
	contract := common.HexToAddress(token)
	return c.sendAs(t, secret, nonce, &contract, nil, data, 400_000)
}

// AddressOf is the address of a key.
func AddressOf(t testing.TB, key string) string {
	t.Helper()
	secret, err := crypto.HexToECDSA(key)
	if err != nil {
		t.Fatal(err)
	}
	return crypto.PubkeyToAddress(secret.PublicKey).Hex()
}
