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
	Language string
	Subject  string
	Greeting string
	Blocks   []block
	Footer   string
	Product  string

	base  string   // the server's public URL
	group string   // of the kind's texts
	as    string   // the group in it that has other texts; "" for none
	lacks []string // keys of texts that are in no message file
	args  messages.Args
}

// block is a paragraph, a link below it, or a list of facts.
type block struct {
	Text, Link string
	Quote      bool // a text as a person wrote it
	Facts      []fact
}

type fact struct{ Label, Value string }

// Where links lead, within the web app.
const (
	loginPath    = "/Login"
	forgotPath   = "/ForgotPassword"
	askPath      = "/Support"
	addressPath  = "/ConfirmEmail"
	securityPath = "/Security"
	adminPath    = "/admin"
)

var (
	//go:embed layout.txt layout.html
	layouts embed.FS

	plainLayout = texttemplate.Must(texttemplate.ParseFS(layouts, "layout.txt"))
	pageLayout  = htmltemplate.Must(htmltemplate.ParseFS(layouts, "layout.html"))
)

// render writes a mail of the server at base in a language. at is when what it tells of
// happened.
func render(language, product, base string, at time.Time, m Mail) (*letter, error) {
	l := &letter{Language: language, Product: product, base: base, group: kindOf(m), args: messages.Args{}}
	fields := reflect.ValueOf(m)
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		if value, ok := fields.Field(i).Interface().(time.Duration); ok {
			l.args[argument(name)] = l.span(value)
		} else {
			l.args[argument(name)] = fields.Field(i).Interface()
		}
	}
	_, host, _ := strings.Cut(base, "://")
	at = at.UTC()
	l.args["product"], l.args["domain"] = product, host
	l.args["day"], l.args["month"], l.args["year"], l.args["time"] = at.Day(), int(at.Month()), at.Year(), at.Format("15:04")
	l.args["when"] = l.text("when")
	m.write(l)
	l.Subject, l.Greeting, l.Footer = l.text("subject"), l.text("greeting"), l.text("footer")
	if len(l.lacks) > 0 {
		return nil, fmt.Errorf("mail: %s has no text %s", l.group, strings.Join(l.lacks, ", "))
	}
	return l, nil
}

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

// owner takes the texts for a member, or with 0 those for an operator, and returns where they
// ask for help.
func (l *letter) owner(uid int64) (path string) {
	if l.choose(uid == 0, "operator", "member"); uid == 0 {
		return adminPath
	}
	return forgotPath
}

func (l *letter) say(keys ...string) {
	for _, key := range keys {
		l.Blocks = append(l.Blocks, block{Text: l.text(key)})
	}
}

func (l *letter) quote(text string) { l.Blocks = append(l.Blocks, block{Text: text, Quote: true}) }

// facts lists texts that are "label: value".
func (l *letter) facts(keys ...string) {
	var b block
	for _, key := range keys {
		label, value, _ := strings.Cut(l.text(key), ": ")
		b.Facts = append(b.Facts, fact{label, value})
	}
	l.Blocks = append(l.Blocks, b)
}

// link adds a text, unless its key is "", and below it a link to a path of the server.
func (l *letter) link(key, path string) {
	b := block{Link: l.base + "/" + strings.TrimPrefix(strings.TrimPrefix(path, l.base), "/")}
	if key != "" {
		b.Text = l.text(key)
	}
	l.Blocks = append(l.Blocks, b)
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
