package mail

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Sample is a mail with invented data.
type Sample struct{ Name, Subject, Text, HTML string }

// Samples are all kinds of mails with invented data, in a language and the brand in force.
func (s *Service) Samples(language string) ([]Sample, error) {
	var all []Sample
	for _, m := range samples() {
		l, err := render(languageOf(language), s.opt.Brand(), s.opt.PublicURL, s.opt.Clock.Now(), m)
		if err != nil {
			return nil, err
		}
		text, err := l.plain()
		if err != nil {
			return nil, err
		}
		page, err := l.page()
		if err != nil {
			return nil, err
		}
		name := strings.Trim(strings.NewReplacer("_", "-", " ", "-").Replace(kindOf(m)+"-"+strings.ToLower(l.as)), "-")
		if slices.ContainsFunc(all, func(other Sample) bool { return other.Name == name }) {
			name = fmt.Sprintf("%s-%d", name, len(all))
		}
		all = append(all, Sample{name, l.Subject, text, page})
	}
	return all, nil
}

// InTheme makes a mail's HTML dark or light wherever it is shown.
func InTheme(html string, dark bool) string {
	media := "@media not all"
	if dark {
		media = "@media all"
	}
	return strings.ReplaceAll(html, "@media (prefers-color-scheme: dark)", media)
}

// samples are mails of every kind.
func samples() []Mail { return append(accountSamples(), moneySamples()...) }

func accountSamples() []Mail {
	const (
		ann, bob       = "Ann Alpha", "Bob Bravo"
		uid            = 123456
		address, token = "203.0.113.9", "c2FtcGxl"
		wallet         = "0x52908400098527886E0F7030069857D2E4169EE7"
	)
	until := time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)
	all := []Mail{
		Welcome{ann, uid, "k7Qm2xTz", token, 72 * time.Hour},
		Password{ann, uid, "r4Wn8vBc", token, 30 * time.Minute},
		PasswordCode{ann, uid, "042137", 10 * time.Minute},
		PasswordChanged{ann, uid},
		PasswordChanged{ann, 0},
		TransactionPasswordChanged{ann, uid},
		TransactionPasswordReset{ann, uid, "k7Qm2xTz", true, false},
		TransactionPasswordReset{ann, uid, "k7Qm2xTz", false, true},
		SignedIn{ann, uid, address, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/128.0"},
		SignedIn{ann, 0, address, "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15"},
		SessionEnded{ann, uid, address},
		SessionEnded{ann, 0, address},
		EmailConfirm{ann, uid, token, 72 * time.Hour, false},
		EmailConfirm{ann, uid, token, 72 * time.Hour, true},
		EmailAsked{ann, uid, "new.ann@mail.example"},
		EmailChanged{ann, uid, "new.ann@mail.example", token, 168 * time.Hour},
		EmailChanged{ann, uid, "new.ann@mail.example", "", 0},
		EmailUndone{ann, uid, true},
		EmailUndone{ann, uid, false},
		WalletChanged{ann, uid, wallet},
		BankChanged{ann, uid},
		NewsletterConfirm{"ann@mail.example", "/api/newsletter/confirm#" + token, "/api/newsletter/unsubscribe#" + token, 48 * time.Hour},
		OperatorInvited{ann, bob, 7, token, 72 * time.Hour},
		SecondNeeded{ann, "Payout batch 7 of 1,240.50 USDT", bob, "/payouts"},
		DepositAddress{ann, false, wallet, "0x8617E340B3D01FA5F11F306F4090FD50E238070D", until, bob, "Cora Charlie", ""},
		DepositAddress{ann, true, "First Bank, Corp Ltd, 111222333", "First Bank, Corp Ltd, 111222333\nSecond Bank, Corp Ltd, 444555666", until, bob, "Cora Charlie", "Dan Delta"},
		FactorSet{ann},
		FactorReset{ann, bob, "The phone is lost.", true},
		PasskeyChanged{ann, "Laptop", true},
		PasskeyChanged{ann, "Laptop", false},
		PasskeyRefused{ann, "Laptop", address},
	}
	for _, event := range []FactorEvent{FactorAppSet, FactorRecovery, FactorOff, FactorSupport, FactorPasskeyAdded, FactorPasskeyRemoved, FactorLocked, FactorCopied} {
		all = append(all, SecondFactor{ann, uid, event, "Phone", "The phone is lost", until, address})
	}
	return all
}

func moneySamples() []Mail {
	const (
		ann, bob   = "Ann Alpha", "Bob Bravo"
		uid, other = 123456, 654321
		wallet     = "0x52908400098527886E0F7030069857D2E4169EE7"
		hash       = "0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd"
		robot      = "Robot Fund"
	)
	usd := money.MustParse
	until := time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)
	terms := Terms{"FOREX", "Forex Basic", usd("1250"), 180, time.Date(2027, 5, 14, 0, 0, 0, 0, time.UTC), "60", "30", "10"}
	all := []Mail{
		TicketAnswered{ann, uid, 100042, "My deposit of $50 is missing.", "It arrived this morning.\nPlease look at your Robot Fund."},
		FundReceived{ann, uid, 101743, usd("300"), robot, hash, true},
		FundDecided{ann, uid, 101743, usd("300"), robot, true, "", true},
		FundDecided{ann, uid, 101744, usd("50"), robot, false, "No such transaction on the bank statement.", false},
		WithdrawalCode{ann, uid, "042137", usd("12"), "Level Income", wallet, 10 * time.Minute},
		TransferSent{ann, uid, other, bob, usd("20"), robot},
		TransferReceived{bob, other, uid, ann, usd("20"), robot},
		PackageBought{ann, uid, 0, "", "Starter", false, usd("100"), robot, 14},
		PackageBought{ann, uid, other, bob, "Starter", true, usd("50"), robot, 14},
		PackageGiven{bob, other, uid, ann, "Starter", true, usd("50")},
		PackageReturned{ann, uid, "Starter", usd("100"), robot},
		PackageReturned{bob, other, "Starter", usd("50"), ""},
		InvestmentMade{ann, uid, 0, "", "Forex Fund", terms},
		InvestmentMade{ann, uid, other, bob, "Forex Fund", terms},
		InvestmentGiven{bob, other, uid, ann, terms},
		ClaimReady{ann, uid, "FOREX", usd("1250"), usd("1310.37")},
		ClaimPaid{ann, uid, "FOREX", usd("1250"), usd("1310.37"), "Forex Income"},
	}
	for _, state := range []string{"Pending", "Approved", "Sent", "Confirmed", "Rejected", "Cancelled"} {
		w := Withdrawal{Name: ann, UserID: uid, ID: 100226, State: state, Amount: usd("12"), Fee: usd("0.24"), Net: usd("11.76"), From: "Level Income", Address: wallet}
		switch state {
		case "Pending":
			w.Waits = until
		case "Sent", "Confirmed":
			w.Hash = hash
		case "Rejected":
			w.Remark = "The address belongs to an exchange that we can't pay to."
		}
		all = append(all, w)
	}
	return all
}
