package mail

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"
	"unicode"

	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/messages"
)

// Mail is one kind of mail with its data. Its texts are in messages/*/mail/letters.json, in
// the group kindOf.
type Mail interface {
	// write adds what the mail says to a letter.
	write(l *letter)
}

// kindOf is the name of a kind: that of its type, as password_code for PasswordCode. The
// outbox keeps it.
func kindOf(m Mail) string {
	var out strings.Builder
	for i, r := range reflect.TypeOf(m).Name() {
		if i > 0 && unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// letter is a mail in a language, as the layouts show it. Its links lead to the server only.
type letter struct {
	Language  string
	Subject   string
	Preheader string // the line that mailboxes show beside the subject
	Heading   string
	Greeting  string
	Blocks    []block
	Reason    string // why the recipient gets the mail
	Warning   string // what the sender never asks for
	Sender    string
	Brand     Brand

	base  string   // the server's public URL
	group string   // of the kind's texts
	as    string   // the group in it that has other texts; "" for none
	lacks []string // keys of texts that are in no message file
	args  messages.Args
}

// block is a part of a letter.
type block struct {
	Text   string
	Link   string // below the text, with its label
	Label  string // of the link, or of the code
	Button bool   // the link is the letter's button
	Quote  bool   // a text as a person wrote it
	Small  bool
	Code   string // to be typed or copied
	Facts  []fact
}

type fact struct{ Label, Value string }

// Where links lead, within the web app.
const (
	loginPath       = "/Login"
	forgotPath      = "/ForgotPassword"
	askPath         = "/Support"
	addressPath     = "/ConfirmEmail"
	securityPath    = "/Security"
	pinPath         = "/TransactionPassword"
	profilePath     = "/ProfileSetting"
	walletPath      = "/ECurrencyDetails"
	bankFundsPath   = "/FundrequestBank"
	usdtFundsPath   = "/FundRequestECurrency"
	transferPath    = "/FundTransfer"
	receivedPath    = "/FundReceived"
	withdrawPath    = "/WithdrawalRequest"
	withdrawalsPath = "/WithdrawLog"
	packagesPath    = "/RobotActivationHistory"
	adminPath       = "/admin"
)

// linkLabels are the labels of links to a path.
var linkLabels = map[string]string{
	loginPath: "toLogin", forgotPath: "toReset", askPath: "toSupport", securityPath: "toSecurity", pinPath: "toTransactionPassword",
	withdrawPath: "toCancel", adminPath: "toConsole",
}

var (
	//go:embed layout.txt layout.html
	layouts embed.FS

	plainLayout = texttemplate.Must(texttemplate.ParseFS(layouts, "layout.txt"))
	pageLayout  = htmltemplate.Must(htmltemplate.ParseFS(layouts, "layout.html"))
)

// render writes a mail of the server at base in a language. at is when what it tells of
// happened.
func render(language string, brand Brand, base string, at time.Time, m Mail) (*letter, error) {
	_, host, _ := strings.Cut(base, "://")
	l := &letter{Language: language, Brand: brand, base: base, group: kindOf(m), args: messages.Args{"product": brand.Name, "domain": host}}
	l.fields(reflect.ValueOf(m))
	l.args["when"] = l.moment("when", at)
	m.write(l)
	l.Subject, l.Greeting, l.Sender = l.text("subject"), l.text("greeting"), l.text("sender")
	if l.Heading = l.Subject; l.has("heading") {
		l.Heading = l.text("heading")
	}
	if uid, _ := l.args["userID"].(int64); uid != 0 || l.has("reason") {
		l.Reason = l.text("reason")
	} else {
		l.Reason = l.text("reasonOperator")
	}
	l.Warning = l.text("warning")
	for _, b := range l.Blocks {
		if b.Text != "" && !b.Quote {
			l.Preheader = b.Text
			break
		}
	}
	if len(l.lacks) > 0 {
		return nil, fmt.Errorf("mail: %s has no text %s in %s", l.group, strings.Join(l.lacks, ", "), language)
	}
	return l, nil
}

// fields makes the arguments of messages from a mail's fields. Money is in dollars, and times
// are in words.
func (l *letter) fields(of reflect.Value) {
	for i := range of.NumField() {
		if of.Type().Field(i).Anonymous {
			l.fields(of.Field(i))
			continue
		}
		var value any
		switch v := of.Field(i).Interface().(type) {
		case time.Duration:
			value = l.span(v)
		case time.Time:
			value = l.moment("when", v)
		case money.Amount:
			value = Dollars(v)
		default:
			value = v
		}
		l.args[argument(of.Type().Field(i).Name)] = value
	}
}

// moment is a time in words, by a text with its parts; "" for no time.
func (l *letter) moment(key string, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.UTC()
	l.args["day"], l.args["month"], l.args["year"], l.args["time"] = t.Day(), int(t.Month()), t.Year(), t.Format("15:04")
	return l.text(key)
}

// Padding keeps mailboxes from showing the text after the preheader.
func (l *letter) Padding() []struct{} { return make([]struct{}, 60) }

// argument is what messages call a field: userID for UserID, id for ID.
func argument(field string) string {
	if field == strings.ToUpper(field) {
		return strings.ToLower(field)
	}
	return strings.ToLower(field[:1]) + field[1:]
}

// text is a text of the group as, of the kind, or of all kinds.
func (l *letter) text(key string) string {
	for _, group := range []string{l.group + "." + l.as, l.group, "common"} {
		if text, ok := messages.Find(l.Language, "mail."+group+"."+key, l.args); ok {
			return text
		}
	}
	l.lacks = append(l.lacks, key)
	return ""
}

// has reports whether the kind has a text, other than that of all kinds.
func (l *letter) has(key string) bool {
	_, as := messages.Find(l.Language, "mail."+l.group+"."+l.as+"."+key, nil)
	_, of := messages.Find(l.Language, "mail."+l.group+"."+key, nil)
	return as || of
}

// span is a time in words: whole hours where it is some, else minutes.
func (l *letter) span(d time.Duration) string {
	n, unit := int64(d/time.Minute), "minutes"
	if n >= 60 && n%60 == 0 {
		n, unit = n/60, "hours"
	}
	l.args["n"] = n
	return l.text(unit)
}

// choose takes the texts of one group if yes, else those of the other.
func (l *letter) choose(yes bool, group, otherwise string) {
	if l.as = otherwise; yes {
		l.as = group
	}
}

// member takes the texts for a member, or for an operator if uid is 0.
func (l *letter) member(uid int64) bool {
	l.choose(uid != 0, "member", "operator")
	return uid != 0
}

func (l *letter) say(keys ...string) {
	for _, key := range keys {
		l.Blocks = append(l.Blocks, block{Text: l.text(key)})
	}
}

// note says something in small letters.
func (l *letter) note(keys ...string) {
	for _, key := range keys {
		l.Blocks = append(l.Blocks, block{Text: l.text(key), Small: true})
	}
}

func (l *letter) quote(text string) { l.Blocks = append(l.Blocks, block{Text: text, Quote: true}) }

// code shows a text that is "label: code".
func (l *letter) code(key string) {
	label, code, _ := strings.Cut(l.text(key), ": ")
	l.Blocks = append(l.Blocks, block{Label: label, Code: code})
}

// facts lists texts that are "label: value".
func (l *letter) facts(keys ...string) {
	var b block
	for _, key := range keys {
		label, value, _ := strings.Cut(l.text(key), ": ")
		b.Facts = append(b.Facts, fact{label, value})
	}
	l.Blocks = append(l.Blocks, b)
}

// button is the letter's one button: a text that leads to a path of the server.
func (l *letter) button(key, path string) {
	l.Blocks = append(l.Blocks, block{Button: true, Label: l.text(key), Link: l.address(path)})
}

// link adds a small text, and below it a link to a path of the server.
func (l *letter) link(key, path string) {
	label := linkLabels[path]
	if l.has(key + "Link") {
		label = key + "Link"
	}
	l.Blocks = append(l.Blocks, block{Text: l.text(key), Small: true, Label: l.text(label), Link: l.address(path)})
}

func (l *letter) address(path string) string {
	return l.base + "/" + strings.TrimPrefix(strings.TrimPrefix(path, l.base), "/")
}

// notYou tells a member what to do if somebody else has acted.
func (l *letter) notYou() {
	l.link("secure", forgotPath)
	l.link("tell", askPath)
}

// secret is a path with a one-time token. It follows the #: browsers send that part to
// nobody, so that it is in no proxy's log and in no Referer header.
func secret(path, of string, id int64, name, token string) string {
	return path + "#" + url.Values{of: {strconv.FormatInt(id, 10)}, name: {token}}.Encode()
}

// plain is the letter as text.
func (l *letter) plain() (string, error) {
	var out strings.Builder
	if err := plainLayout.Execute(&out, l); err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	return out.String(), nil
}

// page is the letter as HTML.
func (l *letter) page() (string, error) {
	var out strings.Builder
	if err := pageLayout.Execute(&out, l); err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	return out.String(), nil
}

// Dollars is an amount as screens show it, such as $1,234.50: rounded to the cent.
func Dollars(a money.Amount) string { return sign(a) + "$" + grouped(magnitude(a), 2) }

// USDT is an amount as it is paid on the chain: with two places, and more only if needed.
func USDT(a money.Amount) string {
	places := 6
	for rest := magnitude(a); places > 2 && rest%10 == 0; rest /= 10 {
		places--
	}
	return sign(a) + grouped(magnitude(a), places) + " USDT"
}

func sign(a money.Amount) string {
	if a.Sign() < 0 {
		return "-"
	}
	return ""
}

func magnitude(a money.Amount) uint64 {
	if a.Sign() < 0 {
		return -uint64(a.Micros())
	}
	return uint64(a.Micros())
}

// grouped writes an amount in micro-dollars with 2 to 6 places, and commas between thousands.
func grouped(micros uint64, places int) string {
	unit := uint64(1)
	for range 6 - places {
		unit *= 10
	}
	digits := fmt.Sprintf("%0*d", places+1, (micros+unit/2)/unit)
	whole, rest := digits[:len(digits)-places], digits[len(digits)-places:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + "." + rest
}
