// Package mail sends e-mail.
//
// A command that has something to tell a person queues a message: a row of the
// outbox, written with everything else the command writes. So nothing is sent
// of what was not committed, and nothing is forgotten of what was. The process
// that leads drains the outbox: it hands each message that is due to the mail
// server and then marks it by a command of its own. A message that is not
// taken is tried again, ever more slowly, and at last given up.
//
// A crash between sending and marking sends a message twice. Both have the same
// Message-ID, by which mail programs show one of them.
package mail

import (
	"fmt"
	netmail "net/mail"
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// State is what became of a message.
type State string

const (
	Waiting State = "waiting" // to be sent when it is due
	Sent    State = "sent"    // the mail server has taken it
	Failed  State = "failed"  // given up
)

// Message is one mail in the outbox. What was sent or given up has neither Text
// nor Letter any more, because they may hold a password; a demo keeps them.
type Message struct {
	ID         int64
	About      int64  // the member whom it is about; 0 for none
	To         string // one bare address
	Subject    string
	Text, HTML string // HTML is made of Letter when it is sent
	Letter     string // what it tells, see keep
	CreatedAt  time.Time
	DueAt      time.Time
	Tries      int
	State      State
	Error      string // why the last try failed
	SentAt     time.Time
	Forged     bool // its row is not what was queued: it goes to nobody
}

// TextForged is why a letter is not sent whose row was changed past the product.
const TextForged = "its row is not what was queued: it was changed past the product"

// Outcome is what a try left of a message.
type Outcome struct {
	ID     int64
	State  State
	Tries  int
	DueAt  time.Time
	Error  string
	SentAt time.Time
	Empty  bool // what it tells goes
}

const (
	maxAddress = 254 // RFC 5321, 4.5.3.1.3
	maxSubject = 200
	maxError   = 300
)

// Compose makes a message that is ready to be queued.
//
// Errors: Invalid if to is not one bare address, or if the subject is empty, too
// long or holds control characters: either could smuggle in another header.
func Compose(to, subject, text string) (Message, error) {
	var wrong []errs.Field
	if !bareAddress(to) {
		wrong = append(wrong, errs.NewField("to", "mail.address_invalid", "This is not one e-mail address."))
	}
	if strings.TrimSpace(subject) == "" || len(subject) > maxSubject || !utf8.ValidString(subject) || strings.ContainsFunc(subject, breaksLine) {
		wrong = append(wrong, errs.NewField("subject", "mail.subject_lines", "A subject is one line of text."))
	}
	if err := errs.Fields(wrong); err != nil {
		return Message{}, err
	}
	return Message{To: to, Subject: subject, Text: storable(text), State: Waiting}, nil
}

// bareAddress reports whether to is what stands between < and >, and no more.
func bareAddress(to string) bool {
	if len(to) > maxAddress || !utf8.ValidString(to) || strings.ContainsFunc(to, breaksLine) {
		return false
	}
	a, err := netmail.ParseAddress(to)
	return err == nil && a.Name == "" && a.Address == to
}

// breaksLine: control characters, and what some programs take for line ends.
func breaksLine(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// storable is text as both databases take it.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// reason is an error as the outbox keeps it: one short line. Servers write what
// they like into their replies.
func reason(err error) string {
	text := strings.Join(strings.Fields(storable(err.Error())), " ")
	for len(text) > maxError {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

const (
	firstRetry = 30 * time.Second
	lastRetry  = time.Hour
	maxTries   = 12 // over about five hours
)

// backoff is how long to wait after so many failures: doubling, up to most.
func backoff(failures int, most time.Duration) time.Duration {
	wait := firstRetry
	for range failures - 1 {
		if wait *= 2; wait >= most {
			return most
		}
	}
	return wait
}

// messageID names a message for ever, whoever sends it and however often. The
// time keeps an outbox that was restored from a backup, and so hands out the
// same numbers again, from naming two messages alike.
func (m *Message) messageID(host string) string {
	return fmt.Sprintf("%d.%d@%s", m.ID, m.CreatedAt.UnixMicro(), host)
}

// mailHost is a host name as mail protocols write it: an address in brackets.
func mailHost(host string) string {
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		return host
	case ip.Is4():
		return "[" + host + "]"
	}
	return "[IPv6:" + host + "]"
}
