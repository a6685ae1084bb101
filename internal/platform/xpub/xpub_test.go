package xpub

import (
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// account is m/44'/60'/0' of the published mnemonic "abandon … about".
const account = "xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt"

func TestAddressesAreThoseThatWalletsShowForTheSameAccount(t *testing.T) {
	t.Parallel()
	k, err := Parse(" " + account + "\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0x9858EfFD232B4033E47d90003D41EC34EcaEda94", "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0"} {
		if got, err := k.Address(0, int64(i)); err != nil || got != want {
			t.Errorf("address %d is %s, %v; want %s", i, got, err, want)
		}
	}
	if got := k.Path(3, 7); got != "m/44'/60'/0'/3/7" {
		t.Errorf("the path is %s", got)
	}
	for _, index := range []int64{-1, hardened, 1 << 40} {
		if got, err := k.Address(0, index); err == nil {
			t.Errorf("index %d has the address %s", index, got)
		}
		if got, err := k.Address(index, 0); err == nil {
			t.Errorf("branch %d has the address %s", index, got)
		}
	}
	if strings.Contains(k.String()+k.GoString()+k.ID(), account[8:40]) {
		t.Error("a log would show the key")
	}
}

// The vectors of BIP-32 itself: each pair is a key and its child by an index that is
// not hardened.
func TestChildrenAreThoseOfThePublishedVectors(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		parent, child string
		index         uint32
	}{
		{
			"xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
			"xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ", 1,
		},
		{
			"xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
			"xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV", 2,
		},
		{
			"xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
			"xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH", 0,
		},
	} {
		parent, child := read(t, v.parent), read(t, v.child)
		if got, err := parent.derive(v.index); err != nil || got.code != child.code || !got.point.IsEqual(&child.point) {
			t.Errorf("child %d of %s…: %v", v.index, v.parent[:12], err)
		}
	}
}

// read takes a key of any depth.
func read(t *testing.T, text string) node {
	t.Helper()
	raw, ok := decode58(text)
	if !ok || len(raw) != rawSize {
		t.Fatalf("%s cannot be read", text)
	}
	point, err := secp256k1.ParsePubKey(raw[45:])
	if err != nil {
		t.Fatal(err)
	}
	return node{*point, [32]byte(raw[13:45])}
}

func TestAPrivateOrMistypedKeyIsRefusedWithoutBeingRepeated(t *testing.T) {
	t.Parallel()
	// m/44'/60'/0' of BIP-32's first vector, as a private key.
	private := "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM"
	for text, want := range map[string]string{
		private: "private key", strings.ToUpper(private): "private key", "tprv8ZgxMBicQKsPd": "private key", "": "not an extended", "xpub": "not an extended",
		account[:60]: "not an extended", strings.Replace(account, "C", "D", 1): "not an extended", account + account: "not an extended", "0OIl" + account[4:]: "not an extended",
		"abandon abandon abandon about": "not an extended",
		// of depth 0: a wallet looks for m/44'/60'/0'
		"xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB": "not that of an account",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.8s…: %v, want %q", text, err, want)
		} else if len(text) > 12 && strings.Contains(err.Error(), text[5:12]) {
			t.Errorf("the value is repeated: %v", err)
		}
	}
}

func FuzzKeysAreReadOrRefused(f *testing.F) {
	f.Add(account, int64(0), int64(0))
	f.Fuzz(func(t *testing.T, text string, branch, index int64) {
		k, err := Parse(text)
		if err != nil {
			return
		}
		if a, err := k.Address(branch, index); err == nil && len(a) != 42 {
			t.Errorf("the address is %q", a)
		}
	})
}
