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

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/messages"
)

const hostile = `Ann<b onload="x">& 'Bob' {{.}}`

// every kind of mail, with data that each letter must show.
func every() map[Mail][]string {
	return map[Mail][]string{
		Welcome{hostile, 123456, "tp-Secret<1>", "to+k/en=", 72 * time.Hour}:                                                             {"123456", "tp-Secret<1>", "https://b.example/Login", "https://b.example/ConfirmEmail#confirm=to%2Bk%2Fen%3D&userid=123456", "72 hours"},
		Password{hostile, 123456, "tmp-Secret<2>", "to+k/en=", time.Hour}:                                                                {"123456", "tmp-Secret<2>", "https://b.example/ForgotPassword#reset=to%2Bk%2Fen%3D&userid=123456", "1 hour", "If you did not ask for this, ignore it: your password still works. Signing in with it ends both."},
		PasswordChanged{hostile, 123456}:                                                                                                 {"123456", "15 November 2026 at 03:00 UTC", "https://b.example/ForgotPassword"},
		PasswordChanged{hostile, 0}:                                                                                                      {"operator's account", "15 November 2026 at 03:00 UTC", "https://b.example/admin"},
		TransactionPasswordChanged{hostile, 123456}:                                                                                      {"123456", "transaction password", "15 November 2026 at 03:00 UTC"},
		SignedIn{hostile, 123456, "203.0.113.9", "Agent<1>"}:                                                                             {"123456", "203.0.113.9", "Agent<1>", "15 November 2026 at 03:00 UTC", "https://b.example/ForgotPassword"},
		SignedIn{hostile, 0, "203.0.113.9", "Agent<1>"}:                                                                                  {"operator's account", "203.0.113.9", "Agent<1>", "https://b.example/admin"},
		EmailChanged{hostile, 123456, "newest.person@new.example", "", 0}:                                                                {"123456", "n***@new.example", "https://b.example/Login"},
		EmailConfirm{hostile, 123456, "to+k/en=", 72 * time.Hour, false}:                                                                 {"123456", "https://b.example/ConfirmEmail#confirm=to%2Bk%2Fen%3D&userid=123456", "72 hours"},
		EmailConfirm{hostile, 123456, "to+k/en=", 72 * time.Hour, true}:                                                                  {"new password", "https://b.example/ConfirmEmail#confirm=to%2Bk%2Fen%3D&userid=123456", "https://b.example/ForgotPassword"},
		EmailAsked{hostile, 123456, "newest.person@new.example"}:                                                                         {"123456", "n***@new.example", "https://b.example/Security", "https://b.example/ForgotPassword"},
		EmailUndone{hostile, 123456, false}:                                                                                              {"123456", "https://b.example/ForgotPassword", "https://b.example/Support"},
		EmailChanged{hostile, 123456, "newest.person@new.example", "to+k/en=", 168 * time.Hour}:                                          {"123456", "n***@new.example", "https://b.example/ConfirmEmail#undo=to%2Bk%2Fen%3D&userid=123456", "168 hours"},
		WalletChanged{hostile, 123456, "0x52908400098527886E0F7030069857D2"}:                                                             {"123456", "0x5290…57D2", "48 hours"},
		NewsletterConfirm{hostile, "https://b.example/c?token=x", "https://b.example/e?token=y", 48 * time.Hour}:                         {"https://b.example/c?token=x", "https://b.example/e?token=y", "48 hours"},
		DepositAddress{hostile, false, "0xOld<1>", "0xNew<2>", "17 November 2026 at 03:00 UTC", "Fay", "Olga", ""}:                       {"0xOld<1>", "0xNew<2>", "17 November 2026 at 03:00 UTC", "Fay", "Olga", "https://b.example/admin/settings"},
		DepositAddress{hostile, true, "Old Bank, 1", "Old Bank, 1\n  New <Bank>, 2", "17 November 2026 at 03:00 UTC", "Fay", "Olga", ""}: {"Old Bank, 1", "New <Bank>, 2", "other bank accounts", "Fay", "Olga"},
		DepositAddress{hostile, false, "0xOld<1>", "0xNew<2>", "17 November 2026 at 03:00 UTC", "Fay", "Olga", "Cora<4>"}:                {"0xOld<1>", "0xNew<2>", "Cora<4>", "called"},
		BankChanged{hostile, 123456}:                                                                                                     {"123456", "15 November 2026 at 03:00 UTC", "https://b.example/Login"},
		WithdrawalCode{hostile, 123456, "042042", "25", "LevelIncome<3>", "0x52908400098527886E0F7030069857D2", 10 * time.Minute}:        {"123456", "042042", "25 USDT", "LevelIncome<3>", "0x5290…57D2", "10 minutes"},
		FundReceived{hostile, 123456, 100001, "100", "Robot Fund", "UTR<4>"}:                                                             {"123456", "100001", "100", "Robot Fund", "UTR<4>"},
		FundDecided{hostile, 123456, 100001, "100", "Robot Fund", true, "seen<5>"}:                                                       {"123456", "100001", "approved", "are now in your Robot Fund", "seen<5>"},
		FundDecided{hostile, 123456, 100001, "100", "Robot Fund", false, "not<5>"}:                                                       {"123456", "100001", "rejected", "Nothing was credited", "not<5>"},
		Withdrawal{hostile, 123456, 100007, "Sent", "25", "22.5", "LevelIncome", "0x52908400098527886E0F7030069857D2", "0xhash<6>", "ok<7>", "17 November 2026 at 03:00 UTC"}: {"123456", "100007", "Sent", "22.5 USDT", "0x5290…57D2", "0xhash<6>", "ok<7>", "does", "17 November 2026 at 03:00 UTC"},
		Withdrawal{hostile, 123456, 100007, "Rejected", "25", "22.5", "LevelIncome", "0x52908400098527886E0F7030069857D2", "", "why<8>", ""}:                                  {"123456", "100007", "Rejected", "back in your wallet", "why<8>"},
		TransferSent{hostile, 123456, 654321, "25 USDT", "Robot<9> Fund", false}:                                                                                              {"123456", "654321", "25 USDT", "Robot<9> Fund", "15 November 2026 at 03:00 UTC", "https://b.example/ForgotPassword", "https://b.example/Support"},
		TransferSent{hostile, 123456, 654321, "25 USDT", "Robot<9> Fund", true}:                                                                                               {"654321", "25 USDT", "Robot<9> Fund", "made a purchase for another member", "https://b.example/ForgotPassword"},
		FactorSet{hostile}: {"15 November 2026 at 03:00 UTC", "https://b.example/admin"},
		FactorReset{hostile, "Olga Owner", "the phone is lost", true}:                                                 {"Olga Owner", "the phone is lost", "https://b.example/admin", "Your passkeys were removed"},
		SecondNeeded{hostile, "Payout batch 7 <of> 40 USDT", "fay@b.example", "/payouts"}:                             {"Payout batch 7 <of> 40 USDT", "fay@b.example", "https://b.example/admin/payouts"},
		PasskeyChanged{hostile, "Laptop<4>", true}:                                                                    {"Laptop<4>", "added", "15 November 2026 at 03:00 UTC", "https://b.example/admin"},
		PasskeyChanged{hostile, "Laptop<4>", false}:                                                                   {"Laptop<4>", "removed", "15 November 2026 at 03:00 UTC", "https://b.example/admin"},
		SessionEnded{hostile, 123456, "203.0.113.9"}:                                                                  {"123456", "203.0.113.9", "That session has ended", "https://b.example/ForgotPassword"},
		SessionEnded{hostile, 0, "203.0.113.9"}:                                                                       {"operator's account", "203.0.113.9", "https://b.example/admin"},
		PasskeyRefused{hostile, "Laptop<4>", "203.0.113.9"}:                                                           {"Laptop<4>", "203.0.113.9", "counter went", "https://b.example/admin"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorAppSet}:                                              {"123456", "authenticator app", "24 hours", "https://b.example/ForgotPassword"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorRecovery}:                                            {"123456", "recovery codes", "24 hours"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorOff}:                                                 {"123456", "turned off", "24 hours"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorSupport, Reason: "lost<11>"}:                         {"123456", "lost<11>", "24 hours"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorPasskeyAdded, Passkey: "Phone<4>"}:                   {"123456", "Phone<4>", "added"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorPasskeyRemoved, Passkey: "Phone<4>"}:                 {"123456", "Phone<4>", "removed"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorLocked, Until: "15 November 2026 at 03:15 UTC"}:      {"123456", "15 November 2026 at 03:15 UTC"},
		SecondFactor{Name: hostile, UserID: 123456, Event: FactorCopied, Passkey: "Phone<4>", Address: "203.0.113.9"}: {"123456", "Phone<4>", "203.0.113.9"},
		OperatorInvited{hostile, "Olga Owner", 7, "to+k/en=", 72 * time.Hour}:                                         {"Olga Owner", "https://b.example/admin/accept#operator=7&token=to%2Bk%2Fen%3D", "72 hours"},
		TransactionPasswordReset{hostile, 123456, "tp-Secret<3>", false, false}:                                       {"123456", "tp-Secret<3>", "our support has set", "24 hours from now", "https://b.example/Login"},
		TransactionPasswordReset{hostile, 123456, "tp-Secret<3>", true, true}:                                         {"123456", "tp-Secret<3>", "asked for in your account", "https://b.example/ForgotPassword"},
		TicketAnswered{hostile, 123456, 100001, "Where<9>\nis it?", "It is<10>\nhere."}:                               {"123456", "100001", "Where<9>\nis it?", "It is<10>\nhere.", "https://b.example/Support"},
		PasswordCode{hostile, 123456, "042137", 10 * time.Minute}:                                                     {"123456", "042137", "10 minutes"},
		BankChanged{hostile, 123456}:                                                                                  {"123456", "15 November 2026 at 03:00 UTC", "https://b.example/Login"},
	}
}

func write(t *testing.T, m Mail) (subject, text, html string) {
	t.Helper()
	return written(t, messages.English, m)
}

func written(t *testing.T, language string, m Mail) (subject, text, html string) {
	t.Helper()
	at := time.Date(2026, 11, 15, 8, 30, 0, 0, time.FixedZone("IST", 330*60))
	outboxed, err := encode(m)
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	back, err := decode(outboxed)
	if err != nil || back != m {
		t.Fatalf("%T: kept as %s, read as %v, %v", m, outboxed, back, err)
	}
	l, err := render(language, "Bifolia", "https://b.example", at, back)
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
		for _, outside := range []string{"<img", "<link", "<script", "<iframe", "src=", "url(", "@import", "background"} {
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
