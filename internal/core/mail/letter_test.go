package mail

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/messages"
)

const hostile = `Ann<b onload="x">& 'Bob' {{.}}`

// every kind of mail, with data that each letter must show.
func every() map[Mail][]string {
	const when, wallet = "15 November 2026 at 03:00 UTC", "0x52908400098527886E0F7030069857D2"
	holds := time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)
	usd := money.MustParse
	terms := Terms{"FOREX", "Forex<13>", usd("1250"), 180, time.Date(2027, 5, 14, 0, 0, 0, 0, time.UTC), "60", "27.5", "12.5"}
	factor := func(event FactorEvent) SecondFactor {
		return SecondFactor{Name: hostile, UserID: 123456, Event: event, Passkey: "Phone<4>", Reason: "lost<11>", Until: holds, Address: "203.0.113.9"}
	}
	withdrawal := func(state, hash string, waits time.Time) Withdrawal {
		return Withdrawal{hostile, 123456, 100007, state, usd("25"), usd("0.5"), usd("24.5"), "LevelIncome<2>", wallet, hash, "ok<7>", waits}
	}
	return map[Mail][]string{
		Welcome{hostile, 123456, "tp-Secret<1>", "to+k/en=", 72 * time.Hour}:                                     {"123456", "tp-Secret<1>", "https://b.example/Login", "https://b.example/TransactionPassword", "https://b.example/ConfirmEmail#confirm=to%2Bk%2Fen%3D&userid=123456", "72 hours"},
		Password{hostile, 123456, "tmp-Secret<2>", "to+k/en=", time.Hour}:                                        {"123456", "tmp-Secret<2>", "https://b.example/ForgotPassword#reset=to%2Bk%2Fen%3D&userid=123456", "1 hour", "If you didn't request this, ignore this email: your password still works. Signing in with your current password cancels both."},
		PasswordChanged{hostile, 123456}:                                                                         {"123456", when, "https://b.example/Security", "https://b.example/ForgotPassword", "https://b.example/Support"},
		PasswordChanged{hostile, 0}:                                                                              {"operator's account", when, "https://b.example/admin"},
		PasswordCode{hostile, 123456, "042137", 10 * time.Minute}:                                                {"123456", "042137", "10 minutes"},
		TransactionPasswordChanged{hostile, 123456}:                                                              {"123456", "transaction password", when},
		TransactionPasswordReset{hostile, 123456, "tp-Secret<3>", false, false}:                                  {"123456", "tp-Secret<3>", "Our support team set", "24 hours from now", "https://b.example/TransactionPassword"},
		TransactionPasswordReset{hostile, 123456, "tp-Secret<3>", true, true}:                                    {"123456", "tp-Secret<3>", "you requested", "https://b.example/ForgotPassword"},
		SignedIn{hostile, 123456, "203.0.113.9", "Agent<1>"}:                                                     {"123456", "203.0.113.9", "Agent<1>", when, "https://b.example/ForgotPassword"},
		SignedIn{hostile, 0, "203.0.113.9", "Agent<1>"}:                                                          {"operator's account", "203.0.113.9", "Agent<1>", "https://b.example/admin"},
		SessionEnded{hostile, 123456, "203.0.113.9"}:                                                             {"123456", "203.0.113.9", "We ended that session", "https://b.example/ForgotPassword"},
		SessionEnded{hostile, 0, "203.0.113.9"}:                                                                  {"operator's account", "203.0.113.9", "https://b.example/admin"},
		EmailChanged{hostile, 123456, "newest.person@new.example", "", 0}:                                        {"123456", "n***@new.example", "https://b.example/Login"},
		EmailChanged{hostile, 123456, "newest.person@new.example", "to+k/en=", 168 * time.Hour}:                  {"123456", "n***@new.example", "https://b.example/ConfirmEmail#undo=to%2Bk%2Fen%3D&userid=123456", "168 hours"},
		EmailConfirm{hostile, 123456, "to+k/en=", 72 * time.Hour, false}:                                         {"123456", "https://b.example/ConfirmEmail#confirm=to%2Bk%2Fen%3D&userid=123456", "72 hours"},
		EmailConfirm{hostile, 123456, "to+k/en=", 72 * time.Hour, true}:                                          {"new password", "https://b.example/ConfirmEmail#confirm=to%2Bk%2Fen%3D&userid=123456", "https://b.example/ForgotPassword"},
		EmailAsked{hostile, 123456, "newest.person@new.example"}:                                                 {"123456", "n***@new.example", "https://b.example/Security", "https://b.example/ForgotPassword"},
		EmailUndone{hostile, 123456, false}:                                                                      {"123456", "https://b.example/ForgotPassword", "https://b.example/Support"},
		EmailUndone{hostile, 123456, true}:                                                                       {"123456", "https://b.example/Support", "removed from account"},
		WalletChanged{hostile, 123456, wallet}:                                                                   {"123456", "0x5290…57D2", "48 hours", "https://b.example/ECurrencyDetails"},
		BankChanged{hostile, 123456}:                                                                             {"123456", when, "https://b.example/ProfileSetting"},
		NewsletterConfirm{hostile, "https://b.example/c?token=x", "https://b.example/e?token=y", 48 * time.Hour}: {"https://b.example/c?token=x", "https://b.example/e?token=y", "48 hours"},
		DepositAddress{hostile, false, "0xOld<1>", "0xNew<2>", holds, "Fay", "Olga", ""}:                         {"0xOld<1>", "0xNew<2>", "17 November 2026 at 03:00 UTC", "Fay", "Olga", "https://b.example/admin/settings"},
		DepositAddress{hostile, true, "Old Bank, 1", "Old Bank, 1\n  New <Bank>, 2", holds, "Fay", "Olga", ""}:   {"Old Bank, 1", "New <Bank>, 2", "other bank accounts", "Fay", "Olga"},
		DepositAddress{hostile, false, "0xOld<1>", "0xNew<2>", holds, "Fay", "Olga", "Cora<4>"}:                  {"0xOld<1>", "0xNew<2>", "Cora<4>", "cancelled"},
		FactorSet{hostile}: {when, "https://b.example/admin"},
		FactorReset{hostile, "Olga Owner", "the phone is lost", true}:     {"Olga Owner", "the phone is lost", "https://b.example/admin", "Your passkeys were removed"},
		SecondNeeded{hostile, "Payout <7> of 40 USDT", "fay", "/payouts"}: {"Payout <7> of 40 USDT", "fay", "https://b.example/admin/payouts"},
		PasskeyChanged{hostile, "Laptop<4>", true}:                        {"Laptop<4>", "added", when, "https://b.example/admin"},
		PasskeyChanged{hostile, "Laptop<4>", false}:                       {"Laptop<4>", "removed", when, "https://b.example/admin"},
		PasskeyRefused{hostile, "Laptop<4>", "203.0.113.9"}:               {"Laptop<4>", "203.0.113.9", "counter went", "https://b.example/admin"},
		factor(FactorAppSet):         {"123456", "authenticator app", "24 hours", "https://b.example/ForgotPassword"},
		factor(FactorRecovery):       {"123456", "recovery codes", "24 hours"},
		factor(FactorOff):            {"123456", "turned off", "24 hours"},
		factor(FactorSupport):        {"123456", "lost<11>", "24 hours"},
		factor(FactorPasskeyAdded):   {"123456", "Phone<4>", "added"},
		factor(FactorPasskeyRemoved): {"123456", "Phone<4>", "removed"},
		factor(FactorLocked):         {"123456", "17 November 2026 at 03:00 UTC"},
		factor(FactorCopied):         {"123456", "Phone<4>", "203.0.113.9"},
		OperatorInvited{hostile, "Olga Owner", 7, "to+k/en=", 72 * time.Hour}:                             {"Olga Owner", "https://b.example/admin/accept#operator=7&token=to%2Bk%2Fen%3D", "72 hours"},
		TicketAnswered{hostile, 123456, 100001, "Where<9>\nis it?", "It is<10>\nhere."}:                   {"123456", "100001", "Where<9>\nis it?", "It is<10>\nhere.", "https://b.example/Support"},
		FundReceived{hostile, 123456, 100001, usd("1000"), "Robot Fund", "UTR<4>", false}:                 {"123456", "100001", "$1,000.00", "Robot Fund", "UTR<4>", "https://b.example/FundrequestBank"},
		FundReceived{hostile, 123456, 100001, usd("50.5"), "Robot Fund", "0x<4>", true}:                   {"$50.50", "https://b.example/FundRequestECurrency"},
		FundDecided{hostile, 123456, 100001, usd("50"), "Robot Fund", true, "seen<5>", true}:              {"123456", "100001", "$50.00 has been added to your Robot Fund.", "seen<5>", "https://b.example/FundRequestECurrency"},
		FundDecided{hostile, 123456, 100001, usd("50"), "Robot Fund", false, "not<5>", false}:             {"123456", "100001", "$50.00", "No money was added", "not<5>", "https://b.example/FundrequestBank"},
		withdrawal("Pending", "", holds):                                                                  {"123456", "100007", "$25.00", "$0.50", "You'll receive 24.50 USDT", "0x5290…57D2", "is sent after 17 November 2026 at 03:00 UTC", "https://b.example/WithdrawLog", "https://b.example/WithdrawalRequest"},
		withdrawal("Approved", "", holds):                                                                 {"100007", "24.50 USDT", "sent after", "https://b.example/Support"},
		withdrawal("Sent", "0xhash<6>", time.Time{}):                                                      {"100007", "24.50 USDT", "0xhash<6>"},
		withdrawal("Confirmed", "0xhash<6>", time.Time{}):                                                 {"100007", "24.50 USDT", "0xhash<6>", "has arrived in your wallet"},
		withdrawal("Rejected", "", time.Time{}):                                                           {"100007", "We returned $25.00 to your LevelIncome<2>", "ok<7>"},
		withdrawal("Cancelled", "", time.Time{}):                                                          {"100007", "We returned $25.00 to your LevelIncome<2>"},
		WithdrawalCode{hostile, 123456, "042042", usd("25"), "LevelIncome<3>", wallet, 10 * time.Minute}:  {"123456", "042042", "$25.00", "LevelIncome<3>", "0x5290…57D2", "10 minutes", "https://b.example/WithdrawalRequest"},
		WithdrawalCode{hostile, 123456, "042042", money.Amount{}, "", "", 10 * time.Minute}:               {"123456", "042042", "10 minutes"},
		TransferSent{hostile, 123456, 654321, "Bob<1>", usd("25"), "Robot<9> Fund"}:                       {"123456", "Bob<1> (user ID 654321)", "$25.00", "Robot<9> Fund", when, "https://b.example/FundTransfer", "https://b.example/ForgotPassword", "https://b.example/Support"},
		TransferReceived{hostile, 123456, 654321, "Bob<1>", usd("25"), "Robot<9> Fund"}:                   {"123456", "Bob<1> (user ID 654321)", "$25.00", "Robot<9> Fund", when, "https://b.example/FundReceived"},
		PackageBought{hostile, 123456, 0, "", "Starter<2>", true, usd("50"), "Robot Fund", 14}:            {"Starter<2>", "$50.00", "Robot Fund", "within 14 days", "Your upgrade to Starter<2>", "https://b.example/RobotActivationHistory", "https://b.example/ForgotPassword"},
		PackageBought{hostile, 123456, 654321, "Bob<1>", "Starter<2>", false, usd("50"), "Robot Fund", 0}: {"Starter<2>", "$50.00", "Bob<1> (user ID 654321)", "https://b.example/ForgotPassword"},
		PackageGiven{hostile, 123456, 654321, "Bob<1>", "Starter<2>", false, usd("50")}:                   {"123456", "Bob<1> (user ID 654321)", "$50.00", "Starter<2>", "https://b.example/RobotActivationHistory"},
		PackageReturned{hostile, 123456, "Starter<2>", usd("50"), "Robot Fund"}:                           {"Starter<2>", "$50.00 has been added to your Robot Fund", "https://b.example/ForgotPassword"},
		PackageReturned{hostile, 123456, "Starter<2>", usd("50"), ""}:                                     {"Starter<2>", "$50.00", "The refund goes to the member who paid"},
		InvestmentMade{hostile, 123456, 0, "", "Forex Fund", terms}:                                       {"Forex<13> (Forex)", "$1,250.00", "180 days", "14 May 2027", "60% investor, 27.5% sponsors, 12.5% fee", "https://b.example/ForexActHistory", "https://b.example/ForgotPassword"},
		InvestmentMade{hostile, 123456, 654321, "Bob<1>", "Forex Fund", terms}:                            {"Bob<1> (user ID 654321)", "$1,250.00", "180 days", "14 May 2027"},
		InvestmentGiven{hostile, 123456, 654321, "Bob<1>", terms}:                                         {"123456", "Bob<1> (user ID 654321)", "$1,250.00", "180 days", "14 May 2027", "https://b.example/ForexActHistory"},
		ClaimReady{hostile, 123456, "CRYPTO", usd("1000"), usd("1210.376520")}:                            {"Crypto", "$1,000.00", "$1,210.38", "https://b.example/WithdrawalClaimCrypto"},
		ClaimPaid{hostile, 123456, "FOREX", usd("1000"), usd("990"), "Forex Income"}:                      {"Forex", "$1,000.00", "$990.00", "Forex Income", "https://b.example/WithdrawalRequest"},
	}
}

// at is when the mails were queued.
var at = time.Date(2026, 11, 15, 8, 30, 0, 0, time.FixedZone("IST", 330*60))

func write(t *testing.T, m Mail) (subject, text, html string) {
	t.Helper()
	return written(t, messages.English, m)
}

func written(t *testing.T, language string, m Mail) (subject, text, html string) {
	t.Helper()
	outboxed, err := encode(m)
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	back, err := decode(outboxed)
	if err != nil || back != m {
		t.Fatalf("%T: kept as %s, read as %v, %v", m, outboxed, back, err)
	}
	l, err := render(language, DefaultBrand(), "https://b.example", at, back)
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	if text, err = l.plain(); err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	if html, err = l.page(); err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	return l.Subject, text, html
}

// unescape undoes what HTML does to text, to compare what a reader sees.
var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&")

func TestEveryMailHasItsContentInBothForms(t *testing.T) {
	for m, parts := range every() {
		subject, text, html := write(t, m)
		if subject == "" || !strings.Contains(subject, "Bifolia") {
			t.Errorf("%T: the subject is %q", m, subject)
		}
		for _, part := range append(parts, hostile, "Bifolia", "b.example") {
			if !strings.Contains(text, part) {
				t.Errorf("%T: the text lacks %q:\n%s", m, part, text)
			}
			if !strings.Contains(unescape.Replace(html), part) {
				t.Errorf("%T: the HTML lacks %q:\n%s", m, part, html)
			}
		}
		if _, err := Compose("a@b.example", subject, text); err != nil {
			t.Errorf("%T: %v", m, err)
		}
	}
}

func TestNothingIsLeftUnrendered(t *testing.T) {
	for m := range every() {
		_, text, html := write(t, m)
		for form, body := range map[string]string{"text": text, "HTML": html} {
			body = strings.ReplaceAll(unescape.Replace(body), hostile, "")
			for _, mark := range []string{"{{", "}}", "<no value>", "%!", "ZgotmplZ", "Subject:", "<nil>"} {
				if strings.Contains(body, mark) {
					t.Errorf("%T: the %s holds %q:\n%s", m, form, mark, body)
				}
			}
		}
	}
}

func TestDataCannotBecomeMarkup(t *testing.T) {
	tag := regexp.MustCompile(`<[^>]*>?`)
	for m := range every() {
		_, _, ours := write(t, harmless(m))
		_, _, html := write(t, m)
		before, after := tag.FindAllString(ours, -1), tag.FindAllString(html, -1)
		if len(before) != len(after) {
			t.Errorf("%T: hostile data changes the tags from %q to %q", m, before, after)
		}
		for _, part := range after {
			if strings.Contains(part, "Ann") || strings.Contains(part, "onload") || strings.Contains(part, "Secret") {
				t.Errorf("%T: data became a tag: %q", m, part)
			}
		}
	}
}

// harmless is the same mail with texts that mean nothing to anybody. States stay:
// letters go by them.
func harmless(m Mail) Mail {
	out := reflect.New(reflect.TypeOf(m)).Elem()
	out.Set(reflect.ValueOf(m))
	for i := range out.NumField() {
		if f := out.Field(i); f.Kind() == reflect.String && f.String() != "" && out.Type().Field(i).Name != "State" && out.Type().Field(i).Name != "Event" {
			f.SetString("word")
		}
	}
	return out.Interface().(Mail)
}

func TestHTMLLoadsNothingAndLeadsOnlyHome(t *testing.T) {
	for m := range every() {
		_, _, html := write(t, m)
		for _, outside := range []string{"<img", "<link", "<script", "<iframe", "src=", "url(", "@import", "background=", "background:", "background-image"} {
			if strings.Contains(strings.ToLower(html), outside) {
				t.Errorf("%T: the HTML holds %q", m, outside)
			}
		}
		for _, link := range regexp.MustCompile(`https?://[^"<\s]*`).FindAllString(html, -1) {
			if u, err := url.Parse(link); err != nil || u.Host != "b.example" {
				t.Errorf("%T: a link leads to %s", m, link)
			}
		}
		if !strings.Contains(html, `<meta name="color-scheme" content="light dark">`) {
			t.Errorf("%T: the HTML does not say that it can be dark", m)
		}
	}
}

func TestEveryGroupOfTextsBelongsToAMail(t *testing.T) {
	raw, err := os.ReadFile("../../../messages/en/mail/letters.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]any
	if err := json.Unmarshal(raw, &groups); err != nil {
		t.Fatal(err)
	}
	delete(groups, "common")
	for m := range every() {
		delete(groups, kindOf(m))
	}
	if len(groups) > 0 {
		t.Errorf("these belong to no mail: %v", groups)
	}
}

func TestEveryMailIsWrittenInEveryLanguage(t *testing.T) {
	for m := range every() {
		subject, text, html := write(t, m)
		other, theirs, page := written(t, "hi", m)
		if other == subject || theirs == text || page == html || !strings.Contains(page, `<html lang="hi">`) {
			t.Errorf("%T: it is not translated:\n%s\n%s", m, other, theirs)
		}
		links := regexp.MustCompile(`https://[^"<\s]+`)
		if ours, got := links.FindAllString(html, -1), links.FindAllString(page, -1); !slices.Equal(ours, got) {
			t.Errorf("%T: the links of the translation are %q, not %q", m, got, ours)
		}
	}
}

func TestTheSubjectIsNotRepeatedInTheText(t *testing.T) {
	for m := range every() {
		if _, text, _ := write(t, m); !strings.HasPrefix(text, "Hello ") || !strings.HasSuffix(text, "\n") {
			t.Errorf("%T: the text begins or ends oddly: %q", m, text)
		}
	}
}

func TestALetterHasAtMostOneButtonAndOnePreheader(t *testing.T) {
	for m := range every() {
		for _, language := range messages.Languages() {
			_, text, page := written(t, language, m)
			_, code := m.(PasswordCode)
			if n := strings.Count(page, "mso-padding-alt"); n > 1 || (n == 0 && !code) {
				t.Errorf("%T: %d buttons", m, n)
			}
			l, err := render(language, DefaultBrand(), "https://b.example", at, m)
			if err != nil || l.Preheader == "" || strings.Contains(l.Preheader, "ecret") || !strings.Contains(text, l.Preheader) {
				t.Errorf("%T: the preheader is %q, %v", m, l.Preheader, err)
			}
		}
	}
}

// A sentence that begins with a name or an address is as its owner writes it.
func TestSentencesBeginWithACapitalLetter(t *testing.T) {
	for m := range every() {
		l, err := render(messages.English, DefaultBrand(), "https://b.example", at, m)
		if err != nil {
			t.Fatal(err)
		}
		sentences := []string{l.Subject, l.Heading, l.Reason, l.Warning}
		for _, b := range l.Blocks {
			if !b.Quote {
				sentences = append(sentences, b.Text, b.Label)
			}
			for _, f := range b.Facts {
				sentences = append(sentences, f.Label)
			}
		}
		for _, s := range sentences {
			if r, _ := utf8.DecodeRuneInString(s); unicode.IsLower(r) {
				t.Errorf("%T: %q", m, s)
			}
		}
	}
}

func TestAWithdrawalIsCalledPaidAndCancellableOnlyWhileItIs(t *testing.T) {
	for state, want := range map[string]struct{ paid, cancel bool }{
		"Pending": {false, true}, "Approved": {}, "Sent": {}, "Confirmed": {true, false}, "Rejected": {}, "Cancelled": {},
	} {
		l, err := render(messages.English, DefaultBrand(), "https://b.example", at, Withdrawal{Name: "Ann", UserID: 123456, State: state, Net: money.MustParse("11.76")})
		if err != nil {
			t.Fatal(err)
		}
		text, err := l.plain()
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?i)you received|has arrived`).MatchString(text) != want.paid || strings.Contains(text, "You can cancel") != want.cancel {
			t.Errorf("%s:\n%s", state, text)
		}
	}
}

func TestMoneyIsWrittenAsPeopleReadIt(t *testing.T) {
	for in, want := range map[string][2]string{
		"0": {"$0.00", "0.00 USDT"}, "50": {"$50.00", "50.00 USDT"}, "1234567.5": {"$1,234,567.50", "1,234,567.50 USDT"},
		"0.005": {"$0.01", "0.005 USDT"}, "-12.345678": {"-$12.35", "-12.345678 USDT"}, "999.999": {"$1,000.00", "999.999 USDT"},
	} {
		a := money.MustParse(in)
		if got := Dollars(a); got != want[0] {
			t.Errorf("%s: got %s, want %s", in, got, want[0])
		}
		if got := USDT(a); got != want[1] {
			t.Errorf("%s: got %s, want %s", in, got, want[1])
		}
	}
}

func TestAMailShowsTheBrandInForce(t *testing.T) {
	corp := Brand{Name: "Corp", Logo: "Corp Trading", Copyright: "© Corp Ltd", Light: Colours{"#112233", "#fefefe", "#445566"}, Dark: Colours{"#aabbcc", "#010203", "#ddeeff"}}
	for m := range every() {
		for _, language := range messages.Languages() {
			l, err := render(language, corp, "https://corp.example", at, m)
			if err != nil {
				t.Fatal(err)
			}
			text, textErr := l.plain()
			page, pageErr := l.page()
			if textErr != nil || pageErr != nil || strings.Contains(text+page+l.Subject, "Bifolia") || strings.Contains(page, "#0b5f4c") {
				t.Errorf("%T: another brand's mail says\n%s\n%v, %v", m, text, textErr, pageErr)
			}
			for _, part := range []string{">C</td>", "Corp Trading", "© Corp Ltd", "#112233", "#fefefe", "#aabbcc"} {
				if !strings.Contains(page, part) {
					t.Errorf("%T: the HTML lacks %q", m, part)
				}
			}
		}
	}
}

func TestOnlyOneBareAddressIsTaken(t *testing.T) {
	for to, want := range map[string]bool{
		"ann@example.org":                  true,
		"ann+tag@mail.example.org":         true,
		"o'brien@example.org":              true,
		"":                                 false,
		"ann":                              false,
		"ann@":                             false,
		"@example.org":                     false,
		"Ann <ann@example.org>":            false,
		"<ann@example.org>":                false,
		"ann@example.org, bob@example.org": false,
		"ann@example.org (Ann)":            false,
		" ann@example.org":                 false,
		"ann@example.org ":                 false,
		"ann@example.org\n":                false,
		"ann@example.org\r\nBcc: eve@example.org":    false,
		"ann\n@example.org":                          false,
		"\"ann\r\nBcc: eve\"@example.org":            false,
		"ann@example.org\u2028":                      false,
		"ann@exa\x00mple.org":                        false,
		"ann@exam\xffple.org":                        false,
		strings.Repeat("a", 250) + "@example.org":    false,
		"undisclosed: ann@example.org;":              false,
		"ann@example.org> SIZE=1\r\nRCPT TO:<eve@x>": false,
	} {
		_, err := Compose(to, "Hello", "text")
		if (err == nil) != want {
			t.Errorf("%q: got %v, want taken %t", to, err, want)
		}
		if err != nil && !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: the code is %s", to, errs.KindOf(err))
		}
	}
}

func TestASubjectIsOneLine(t *testing.T) {
	for subject, want := range map[string]bool{
		"Hello": true, "Grüße — 你好": true,
		"": false, "  ": false, "a\nb": false, "a\r\nBcc: eve@example.org": false, "a\x00": false, "a\tb": false,
		"a\u0085b": false, "a\u2028b": false, "a\xff": false, strings.Repeat("a", 201): false,
	} {
		if _, err := Compose("ann@example.org", subject, ""); (err == nil) != want {
			t.Errorf("%q: got %v, want taken %t", subject, err, want)
		}
	}
}

func TestTextIsMadeStorable(t *testing.T) {
	m, err := Compose("ann@example.org", "Hello", "a\x00b\xff")
	if err != nil || m.Text != "a\uFFFDb\uFFFD" {
		t.Errorf("got %q, %v", m.Text, err)
	}
	outboxed, err := encode(FactorSet{"a\x00b\xff"})
	if err != nil || outboxed != storable(outboxed) {
		t.Errorf("kept as %q, %v", outboxed, err)
	}
}

// Every kind of mail needs a way to be read back; without it the mail could be queued and
// never sent.
func TestEveryMailIsReadBack(t *testing.T) {
	for m := range every() {
		if kinds[kindOf(m)] == nil {
			t.Errorf("nothing reads the mail %T", m)
		}
	}
	for _, wrong := range []string{"", "{", `{"Kind":"nothing","Mail":{}}`, `{"Kind":"welcome","Mail":[]}`} {
		if m, err := decode(wrong); err == nil {
			t.Errorf("%q was read as %v", wrong, m)
		}
	}
}

func TestRetriesDoubleUpToTheirLimit(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		1: 30 * time.Second, 2: time.Minute, 3: 2 * time.Minute, 7: 32 * time.Minute, 8: time.Hour, 12: time.Hour, 1000: time.Hour,
	} {
		if got := backoff(failures, lastRetry); got != want {
			t.Errorf("%d: got %s, want %s", failures, got, want)
		}
	}
}

func TestAddressesAreShownOnlyInPart(t *testing.T) {
	for in, want := range map[string]string{
		"ann@example.org": "a***@example.org", "a@example.org": "***@example.org", "élan@x.y": "é***@x.y", "nonsense": "***", "": "***",
	} {
		if got := mask(in); got != want {
			t.Errorf("mask %q: got %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"0x52908400098527886E": "0x5290…886E", "short": "short", "": ""} {
		if got := shorten(in); got != want {
			t.Errorf("shorten %q: got %q, want %q", in, got, want)
		}
	}
}

func TestSpansAreSaidInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Minute: "1 minute", 30 * time.Minute: "30 minutes", time.Hour: "1 hour", 90 * time.Minute: "90 minutes", 24 * time.Hour: "24 hours",
	} {
		l := letter{Language: messages.English, args: messages.Args{}}
		if got := l.span(d); got != want {
			t.Errorf("%s: got %q, want %q", d, got, want)
		}
	}
}

func TestHostsAreWrittenAsMailProtocolsDo(t *testing.T) {
	for publicURL, want := range map[string]string{
		"https://b.example": "b.example", "http://b.example:8080": "b.example", "http://127.0.0.1:1": "[127.0.0.1]",
		"http://[::1]:80": "[IPv6:::1]", "http://[::1]": "[IPv6:::1]", "": "localhost",
	} {
		if got := helloName(publicURL); got != want {
			t.Errorf("%s: got %s, want %s", publicURL, got, want)
		}
	}
}

func TestAnErrorIsKeptAsOneShortLine(t *testing.T) {
	long := fmt.Errorf("550 no\r\n\x00such\tuser %s", strings.Repeat("é", 400))
	got := reason(long)
	if len(got) > maxError || strings.ContainsFunc(got, breaksLine) || !strings.HasPrefix(got, "550 no \uFFFDsuch user é") {
		t.Errorf("got %q", got)
	}
}
