// Package mail sends e-mail.
//
// A command queues a message as a row of the outbox, in the same transaction as its
// other rows, so a message is sent if and only if the command was committed. The
// leading process drains the outbox: it sends each due message to the mail server and
// marks it with another command. A message that is not accepted is retried with
// growing pauses and finally given up.
//
// A crash between sending and marking sends a message twice. Both copies have the same
// Message-ID, so that mail programs show only one.
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

type State string

const (
	Waiting State = "waiting" // to be sent when due
	Sent    State = "sent"    // accepted by the mail server
	Failed  State = "failed"  // given up
)

// Message is a mail in the outbox. Text and Letter are removed once it is sent or given
// up, because they may contain a password; a demo keeps them.
type Message struct {
	ID         int64
	About      int64  // the member concerned; 0 for none
	To         string // one bare address
	Subject    string
	Text, HTML string // HTML is written from Letter when the message is sent
	Letter     string // the mail's data, see encode
	CreatedAt  time.Time
	DueAt      time.Time
	Tries      int
	State      State
	Error      string // why the last try failed
	SentAt     time.Time
	Forged     bool // its row was changed after it was queued: it is not sent
}

// TextForged is the error of a message whose row was changed outside Bifolia.
const TextForged = "the row differs from the queued mail: it was changed outside Bifolia"

// Outcome is the outcome of a try to send a message.
type Outcome struct {
	ID     int64
	State  State
	Tries  int
	DueAt  time.Time
	Error  string
	SentAt time.Time
	Empty  bool // Text and Letter are removed
}

const (
	maxAddress = 254 // RFC 5321, 4.5.3.1.3
	maxSubject = 200
	maxError   = 300
)

// Compose makes a message that is ready to be queued.
//
// Errors: Invalid if to is not one bare address, or if the subject is empty, too long
// or contains control characters: both prevent header injection.
func Compose(to, subject, text string) (Message, error) {
	var wrong []errs.Field
	if !bareAddress(to) {
		wrong = append(wrong, errs.NewField("to", "mail.address_invalid", "This is not one e-mail address."))
	}
	if strings.TrimSpace(subject) == "" || utf8.RuneCountInString(subject) > maxSubject || !utf8.ValidString(subject) || strings.ContainsFunc(subject, breaksLine) {
		wrong = append(wrong, errs.NewField("subject", "mail.subject_lines", "A subject is one line of text."))
	}
	if err := errs.Fields(wrong); err != nil {
		return Message{}, err
	}
	return Message{To: to, Subject: subject, Text: storable(text), State: Waiting}, nil
}

// bareAddress reports whether to is an address without a name or brackets.
func bareAddress(to string) bool {
	if len(to) > maxAddress || !utf8.ValidString(to) || strings.ContainsFunc(to, breaksLine) {
		return false
	}
	a, err := netmail.ParseAddress(to)
	return err == nil && a.Name == "" && a.Address == to
}

// breaksLine reports whether r is a control character or a line end for some programs.
func breaksLine(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// storable returns text that both databases can store.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// reason returns an error as the outbox stores it: one short line, because replies of
// servers can contain anything.
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

// backoff returns the pause after a number of failures: it doubles, up to most.
func backoff(failures int, most time.Duration) time.Duration {
	wait := firstRetry
	for range failures - 1 {
		if wait *= 2; wait >= most {
			return most
		}
	}
	return wait
}

// messageID returns a message's Message-ID, which is the same for every try and every
// process. It includes the time, because an outbox restored from a backup assigns the
// same numbers again.
func (m *Message) messageID(host string) string {
	return fmt.Sprintf("%d.%d@%s", m.ID, m.CreatedAt.UnixMicro(), host)
}

// mailHost returns a host name as mail protocols write it: an IP address in brackets.
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
