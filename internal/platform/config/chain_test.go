package config

import (
	"fmt"
	"strings"
	"testing"
)

const (
	aKey   = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
	aNode  = "BIFOLIA_CHAIN_RPC_URLS=https://node.example/v3/SECRET"
	anXpub = "xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt"
	keyVar = "BIFOLIA_HOT_WALLET_KEY=" + aKey
)

func TestTheHotWalletKeyComesFromTheEnvironmentOrAFile(t *testing.T) {
	onTerminal = func() bool { return false }
	c, err := load(t, "", []string{aNode, keyVar}, nil)
	if err != nil || c.HotWalletKey != aKey {
		t.Fatal(err)
	}
	for _, shown := range []string{c.String(), fmt.Sprintf("%+v %#v", c, c), fmt.Sprint(c.LogValue()), fmt.Sprint(c.Redacted().HotWalletKey, c.Redacted().ChainURLs)} {
		if strings.Contains(shown, aKey) || strings.Contains(shown, "SECRET") {
			t.Errorf("it shows what is secret: %s", shown)
		}
	}
	for name, in := range map[string]struct {
		file, says    string
		environ, args []string
	}{
		"a flag":        {args: []string{"--hot-wallet-key", aKey}, environ: []string{aNode}, says: "in the environment or in a separate file"},
		"the config":    {file: "hot_wallet_key = \"" + aKey + "\"\n", environ: []string{aNode}, says: "in the environment or in a separate file"},
		"both":          {args: []string{"--hot-wallet-key-file", "f"}, environ: []string{aNode, keyVar}, says: "give one of them"},
		"no chain":      {environ: []string{keyVar}, says: "chain_rpc_urls is missing"},
		"no key":        {environ: []string{aNode, "BIFOLIA_HOT_WALLET_KEY=" + aKey[1:]}, says: "not a key"},
		"a bad address": {args: []string{"--chain-token", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"}, says: "its checksum is wrong"},
		"a bad node":    {args: []string{"--chain-rpc-urls", "ftp://SECRET"}, says: "not a list of addresses"},
		"no depth":      {args: []string{"--chain-confirmations", "0"}, says: "from 1 to"},
	} {
		_, err := load(t, in.file, in.environ, in.args)
		if err == nil || !strings.Contains(err.Error(), in.says) || strings.Contains(err.Error(), aKey[1:]) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A key pasted into the wrong place must not appear in a log or on a screen.
func TestAPrivateKeyForDepositAddressesIsRefusedAndNeverShown(t *testing.T) {
	onTerminal = func() bool { return false }
	private := "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM"
	for says, in := range map[string]struct{ file, flag string }{
		"private key (xprv)":        {flag: private},
		"an extended public":        {flag: anXpub[:80]},
		"chain_rpc_urls is missing": {flag: anXpub},
		"private key":               {file: "deposit_xpub = \"" + anXpub + "," + private + "\"\n"},
	} {
		var args []string
		if in.flag != "" {
			args = []string{"--deposit-xpub", in.flag}
		}
		_, err := load(t, in.file, nil, args)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), private[6:20]) || strings.Contains(err.Error(), anXpub[6:20]) {
			t.Errorf("%s: %v", says, err)
		}
	}
	c, err := load(t, "", []string{aNode}, []string{"--deposit-xpub", anXpub})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{c.String(), fmt.Sprintf("%+v %#v", c, c), fmt.Sprint(c.Redacted().DepositXpub)} {
		if strings.Contains(shown, anXpub[4:]) {
			t.Errorf("the key that shows every deposit is in %s", shown)
		}
	}
}
