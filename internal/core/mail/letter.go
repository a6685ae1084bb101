package mail

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"
	"unicode/utf8"
)

// Mail is one kind of mail with its data. Each kind has two templates, a plain
// and an HTML one; the first line of the plain one is the subject.
type Mail interface{ template() string }

// Welcome greets a new member.
type Welcome struct {
	Name                string
	UserID              int64
	TransactionPassword string
	Token               string // of the link for confirming the address
	Valid               time.Duration
}

// Password lets a member choose a new password. The old one works until the link is
// used.
type Password struct {
	Name      string
	UserID    int64
	Temporary string
	Token     string // of the one-time link
	Valid     time.Duration
}

// PasswordChanged tells a member, or an operator, that the password has changed.
type PasswordChanged struct {
	Name   string
	UserID int64 // 0: an operator's
}

// SignedIn tells a member, or an operator, of a sign-in from a new address.
type SignedIn struct {
	Name    string
	UserID  int64 // 0: an operator's
	Address string
	Agent   string // the browser's User-Agent
}

// SessionEnded tells a member, or an operator, that a session ended because a proof of
// identity failed in it.
type SessionEnded struct {
	Name    string
	UserID  int64 // 0: an operator's
	Address string
}

func (SessionEnded) template() string { return "session_ended" }

// TransactionPasswordChanged tells that the transaction password has changed.
type TransactionPasswordChanged struct {
	Name   string
	UserID int64
}

// TransactionPasswordReset contains a new transaction password, if the first one
// never arrived, was forgotten, or was not changed in time.
type TransactionPasswordReset struct {
	Name                string
	UserID              int64
	TransactionPassword string
	Asked               bool // by the member, signed in; otherwise support has sent it
	AtOnce              bool // its owner never chose one before: what they choose now is accepted at once
}

// EmailChanged goes to the address that was replaced.
type EmailChanged struct {
	Name     string
	UserID   int64
	NewEmail string // in full; the mail shows it masked
	Token    string // of the link that undoes the change; "" where there is none
	Valid    time.Duration
}

// WalletChanged tells that the payout address has changed, and that payouts pause first.
type WalletChanged struct {
	Name   string
	UserID int64
	Wallet string // in full; the mail shows it shortened
}

// BankChanged tells that the bank details have changed.
type BankChanged struct {
	Name   string
	UserID int64
}

// NewsletterConfirm asks the owner of an address to confirm a subscription.
type NewsletterConfirm struct {
	Email        string // the address that was given
	Confirm, End string // links
	Valid        time.Duration
}

// FactorSet tells an operator that a second factor was set up.
type FactorSet struct{ Name string }

// FactorReset tells an operator that an owner removed the second factor and any
// passkeys.
type FactorReset struct {
	Name, By, Reason string
	Passkeys         bool
}

// SecondNeeded tells an operator that a proposal needs an approval.
type SecondNeeded struct {
	Name   string
	What   string // the proposal in words, with its number
	By     string // the proposer
	Screen string // of the console, such as /payouts
}

func (SecondNeeded) template() string { return "second_needed" }

// PasskeyChanged tells an operator that a passkey was added or removed.
type PasskeyChanged struct {
	Name, Passkey string
	Added         bool
}

// PasskeyRefused tells an operator that a passkey may have been copied.
type PasskeyRefused struct{ Name, Passkey, Address string }

// SecondFactor tells a member what happened to their second factor.
type SecondFactor struct {
	Name    string
	UserID  int64
	Event   FactorEvent
	Passkey string // of FactorPasskeyAdded, FactorPasskeyRemoved and FactorCopied
	Reason  string // of FactorSupport
	Until   string // of FactorLocked: in words
	Address string // of FactorCopied
}

// FactorEvent is what happened to a second factor.
type FactorEvent string

// The events. After each but the last two, payouts pause.
const (
	FactorAppSet         FactorEvent = "app set"
	FactorRecovery       FactorEvent = "recovery codes"
	FactorOff            FactorEvent = "off"
	FactorSupport        FactorEvent = "removed by support"
	FactorPasskeyAdded   FactorEvent = "passkey added"
	FactorPasskeyRemoved FactorEvent = "passkey removed"
	FactorLocked         FactorEvent = "locked"
	FactorCopied         FactorEvent = "copied"
)

// Waits reports whether payouts pause after the event.
func (m SecondFactor) Waits() bool { return m.Event != FactorLocked && m.Event != FactorCopied }

func (SecondFactor) template() string { return "second_factor" }

func (PasskeyChanged) template() string { return "passkey_changed" }
func (PasskeyRefused) template() string { return "passkey_refused" }

// OperatorInvited invites a person to become an operator, or an operator to choose a
// new password.
type OperatorInvited struct {
	Name     string
	By       string
	Operator int64
	Token    string // of the one-time link
	Valid    time.Duration
}

func (OperatorInvited) template() string { return "operator_invited" }

// TicketAnswered contains an operator's answer to a member's ticket.
type TicketAnswered struct {
	Name   string
	UserID int64
	Ticket int64
	Query  string
	Answer string
}

func (TicketAnswered) template() string { return "ticket_answered" }

// PasswordCode contains the one-time code needed to reset or change a password.
type PasswordCode struct {
	Name   string
	UserID int64
	Code   string
	Valid  time.Duration
}

// DepositAddress tells an operator that the address or bank accounts for deposits will
// change, or that the change was cancelled.
type DepositAddress struct {
	Name         string
	Banks        bool   // bank accounts, one per line, not the USDT address
	Was, Wanted  string // in full, so that the reader can compare them
	Holds        string // when it takes effect, in words
	By, Approved string
	CalledOff    string // the operator who cancelled it; "" if it was not
}

func (DepositAddress) template() string { return "deposit_address" }

func (PasswordCode) template() string               { return "password_code" }
func (FactorSet) template() string                  { return "factor_set" }
func (FactorReset) template() string                { return "factor_reset" }
func (Welcome) template() string                    { return "welcome" }
func (Password) template() string                   { return "password" }
func (SignedIn) template() string                   { return "signed_in" }
func (PasswordChanged) template() string            { return "password_changed" }
func (TransactionPasswordChanged) template() string { return "transaction_password_changed" }
func (TransactionPasswordReset) template() string   { return "transaction_password_reset" }
func (EmailChanged) template() string               { return "email_changed" }
func (WalletChanged) template() string              { return "wallet_changed" }
func (BankChanged) template() string                { return "bank_changed" }
func (NewsletterConfirm) template() string          { return "newsletter_confirm" }

// The targets of links within the web app.
const (
	loginPath  = "/Login"
	forgotPath = "/ForgotPassword"
	askPath    = "/Support"
	adminPath  = "/admin"
)

//go:embed templates
var files embed.FS

var (
	helpers = map[string]any{"mask": mask, "shorten": shorten, "span": span}
	texts   = texttemplate.Must(texttemplate.New("").Funcs(helpers).ParseFS(files, "templates/*.txt"))
	// The layout is parsed once per mail, because each fills its "body".
	pages = parsePages()
)

func parsePages() map[string]*htmltemplate.Template {
	out := map[string]*htmltemplate.Template{}
	for _, t := range texts.Templates() {
		name, ok := strings.CutSuffix(t.Name(), ".txt")
		if !ok {
			continue
		}
		out[name] = htmltemplate.Must(htmltemplate.New("layout.html").Funcs(helpers).
			ParseFS(files, "templates/layout.html", "templates/"+name+".html"))
	}
	return out
}

// letter is the data of the templates.
type letter struct {
	Product string
	At      time.Time // of the event
	Mail    Mail
	base    string
}

// LoginLink is the link to the login.
func (l letter) LoginLink() string { return l.base + loginPath }

// ForgotLink is the link for requesting a new password.
func (l letter) ForgotLink() string { return l.base + forgotPath }

// SupportLink is the link to the help desk.
func (l letter) SupportLink() string { return l.base + askPath }

// AdminLink is the link to the operators' console.
func (l letter) AdminLink() string { return l.base + adminPath }

// One-time secrets follow the # of a link: browsers do not send that part, so that no
// proxy log and no Referer header contains them.

// AcceptLink is the link on which an invited operator chooses a password.
func (l letter) AcceptLink(operator int64, token string) string {
	return l.base + adminPath + "/accept#" + url.Values{"operator": {strconv.FormatInt(operator, 10)}, "token": {token}}.Encode()
}

// ResetLink is the link on which the owner of token chooses a password.
func (l letter) ResetLink(uid int64, token string) string {
	return l.base + forgotPath + "#" + url.Values{"userid": {strconv.FormatInt(uid, 10)}, "reset": {token}}.Encode()
}

// Domain is the domain of the site, which a reader can compare with the address bar.
func (l letter) Domain() string {
	_, host, _ := strings.Cut(l.base, "://")
	return host
}

// When is At in words.
func (l letter) When() string { return l.At.UTC().Format("2 January 2006 at 15:04 UTC") }

const subjectMark = "Subject: "

// plain fills the plain template of a mail.
func (l letter) plain() (subject, text string, err error) {
	var plain strings.Builder
	if err := texts.ExecuteTemplate(&plain, l.Mail.template()+".txt", l); err != nil {
		return "", "", fmt.Errorf("mail: %w", err)
	}
	first, rest, _ := strings.Cut(plain.String(), "\n")
	subject, ok := strings.CutPrefix(first, subjectMark)
	if !ok {
		return "", "", fmt.Errorf("mail: %s.txt does not begin with its subject", l.Mail.template())
	}
	return subject, strings.TrimLeft(rest, "\n"), nil
}

// mask shows just enough of an address for its owner to recognize it.
func mask(address string) string {
	at := strings.LastIndex(address, "@")
	if at < 0 {
		return "***"
	}
	local, domain := address[:at], address[at:]
	if utf8.RuneCountInString(local) < 2 {
		return "***" + domain
	}
	_, size := utf8.DecodeRuneInString(local)
	return local[:size] + "***" + domain
}

// shorten shows both ends of a wallet's address.
func shorten(wallet string) string {
	const front, back = 6, 4
	r := []rune(wallet)
	if len(r) <= front+back {
		return wallet
	}
	return string(r[:front]) + "…" + string(r[len(r)-back:])
}

// span returns a duration in words: in hours if it is whole hours, else in minutes.
func span(d time.Duration) string {
	n, unit := int64(d/time.Minute), "minute"
	if n >= 60 && n%60 == 0 {
		n, unit = n/60, "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
