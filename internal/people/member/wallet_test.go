package member_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/member"
)

// The addresses of EIP-55 itself.
var eip55 = []string{
	"0x52908400098527886E0F7030069857D2E4169EE7",
	"0x8617E340B3D01FA5F11F306F4090FD50E238070D",
	"0xde709f2102306220921060314715629080e2fb77",
	"0x27b1fdb04752bbc536007a920d24acb045561c26",
	"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
	"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
	"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
	"0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
}

func wallet(address string) member.WalletForm {
	return member.WalletForm{Address: address, TransactionPassword: "1234"}
}

func TestAWalletIsKeptWithItsChecksum(t *testing.T) {
	t.Parallel()
	for _, want := range eip55 {
		for _, s := range []string{want, " " + want + " ", strings.ToLower(want), "0x" + strings.ToUpper(want[2:])} {
			if got, err := member.ParseWallet(wallet(s)); err != nil || string(got) != want {
				t.Errorf("ParseWallet(%q) = %q, %v, want %q", s, got, err, want)
			}
		}
	}
}

func TestAWalletWithASlipIsRefused(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed", // one capital is wrong
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee", // one digit is wrong
		"0x0000000000000000000000000000000000000000",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0",
		"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"0xgaaeb6053f3e94c9b9a09f33669435e7ef1beaed",
		"TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n",
		"0x", "x",
	} {
		_, err := member.ParseWallet(wallet(s))
		wantFirst(t, s, err, "accountaddress", "Enter a valid USDT (BEP-20) address")
	}
	_, err := member.ParseWallet(wallet(" "))
	wantFirst(t, "empty", err, "accountaddress", "Please enter ecurrency address !!")
	_, err = member.ParseWallet(member.WalletForm{Address: eip55[0]})
	wantFirst(t, "no password", err, "ctrans_password", "Transction Password is required")
}

// flip changes the case of the i-th character if it is a letter.
func flip(s string, i int) string {
	b := []byte(s)
	if b[i] >= 'A' {
		b[i] ^= 0x20
	}
	return string(b)
}

func TestEveryWrongCapitalOfAMixedAddressIsSeen(t *testing.T) {
	t.Parallel()
	for _, address := range eip55[4:] {
		for i := 2; i < len(address); i++ {
			if slip := flip(address, i); slip != address {
				_, err := member.ParseWallet(wallet(slip))
				wantFirst(t, slip, err, "accountaddress", "Enter a valid USDT (BEP-20) address")
			}
		}
	}
}
