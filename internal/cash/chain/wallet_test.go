package chain_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestAddressesWithAWrongChecksumAreRefused(t *testing.T) {
	t.Parallel()
	// The examples of EIP-55.
	for _, right := range []string{
		"0x52908400098527886E0F7030069857D2E4169EE7", "0xde709f2102306220921060314715629080e2fb77",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
	} {
		for _, spelling := range []string{right, " " + right + "\n", strings.ToLower(right), "0x" + strings.ToUpper(right[2:])} {
			if got, err := evm.ParseAddress(spelling); err != nil || !strings.EqualFold(got, right) {
				t.Errorf("%q: %q, %v", spelling, got, err)
			}
		}
	}
	for wrong, text := range map[string]string{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed":  "wrong checksum",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee":  "wrong checksum",
		"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":    "0x and 40 digits",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe":   "0x and 40 digits",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd": "0x and 40 digits",
		"0x0000000000000000000000000000000000000000":  "0x and 40 digits",
		"": "0x and 40 digits",
	} {
		if _, err := evm.ParseAddress(wrong); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestTheKeyFileMustBePrivate(t *testing.T) {
	t.Parallel()
	text, address := chaintest.Wallet(t)
	path := filepath.Join(t.TempDir(), "wallet.key")
	write := func(content string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, content := range []string{text, "0x" + text + "\n"} {
		write(content, 0o600)
		if k, err := chain.ReadKey(path); err != nil || k.Address() != address {
			t.Errorf("%v, %v", k, err)
		}
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o602} {
		write(text, mode)
		if _, err := chain.ReadKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	for _, content := range []string{"", "words", text[1:], text + "00", strings.Repeat("0", 64), strings.Repeat("x", 5000)} {
		write(content, 0o600)
		if _, err := chain.ReadKey(path); err == nil || (len(content) > 10 && strings.Contains(err.Error(), content[:10])) {
			t.Errorf("%.20q: %v", content, err)
		}
	}
	if _, err := chain.ReadKey(t.TempDir()); err == nil {
		t.Error("a folder is a key")
	}
}

func TestTheKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	text, _ := chaintest.Wallet(t)
	k, err := chain.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", k, "options", chain.Options{Key: k})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", k, "options", chain.Options{Key: k})
	raw, err := json.Marshal(map[string]any{"key": k})
	if err != nil {
		t.Fatal(err)
	}
	all := log.String() + string(raw) + fmt.Sprintf("%v %+v %#v %s %x %q", k, k, k, k, k, k) + fmt.Sprintf("%+v %v", chain.Options{Key: k}, []*chain.Key{k})
	if strings.Contains(strings.ToLower(all), text[:16]) || strings.Contains(all, fmt.Sprintf("%x", []byte(text[:8]))) {
		t.Errorf("the key shows: %s", all)
	}
}

// A key that is no key is refused, and never repeated.
func FuzzParseKey(f *testing.F) {
	f.Add("0x" + strings.Repeat("12", 32))
	f.Add(strings.Repeat("f", 64))
	f.Add(" 0x00 ")
	f.Fuzz(func(t *testing.T, s string) {
		k, err := chain.ParseKey(s)
		if err == nil {
			if _, err := evm.ParseAddress(k.Address()); err != nil {
				t.Errorf("a key of %d characters has the address %q", len(s), k.Address())
			}
			return
		}
		if said := errs.MessageOf(err); said != "The hot wallet's key is not 64 digits from 0 to f." {
			t.Errorf("what is no key is answered by %q", said)
		}
	})
}
