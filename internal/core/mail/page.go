package mail

import (
	"encoding/json"
	"fmt"

	"github.com/bifolia/bifolia/messages"
)

// A mail's page, its HTML, is some ten times as long as what it tells, and is
// wanted only when it is sent. So a command keeps what it tells, and whoever sends
// it makes the page.

// kept is a mail as the outbox keeps it.
type kept struct {
	Kind string
	Mail json.RawMessage
}

// keep is a mail for the outbox.
func keep(m Mail) (string, error) {
	what, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	out, err := json.Marshal(kept{kindOf(m), what})
	return string(out), err
}

// kinds read a mail back, by its name.
var kinds = map[string]func([]byte) (Mail, error){}

func kind[M Mail]() bool {
	var none M
	kinds[kindOf(none)] = func(what []byte) (Mail, error) {
		var m M
		err := json.Unmarshal(what, &m)
		return m, err
	}
	return true
}

var _ = kind[Welcome]() && kind[SignedIn]() && kind[Password]() && kind[PasswordChanged]() && kind[PasswordCode]() &&
	kind[TransactionPasswordChanged]() && kind[TransactionPasswordReset]() && kind[EmailChanged]() && kind[EmailConfirm]() && kind[EmailAsked]() && kind[EmailUndone]() &&
	kind[WalletChanged]() && kind[BankChanged]() && kind[NewsletterConfirm]() && kind[DepositAddress]() &&
	kind[FactorSet]() && kind[FactorReset]() && kind[PasskeyChanged]() && kind[PasskeyRefused]() && kind[SessionEnded]() && kind[SecondFactor]() && kind[OperatorInvited]() && kind[SecondNeeded]() &&
	kind[TicketAnswered]() && kind[FundReceived]() && kind[FundDecided]() && kind[Withdrawal]() && kind[WithdrawalCode]() && kind[TransferSent]()

// about is the member whom a kept mail is about; 0 for none. It is in the kinds' field
// UserID.
func about(text string) (int64, error) {
	var k struct{ Mail struct{ UserID int64 } }
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return 0, fmt.Errorf("mail: %w", err)
	}
	return k.Mail.UserID, nil
}

// unkeep reads what keep made.
func unkeep(text string) (Mail, error) {
	var k kept
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	read, known := kinds[k.Kind]
	if !known {
		return nil, fmt.Errorf("mail: there is no mail %q", k.Kind)
	}
	return read(k.Mail)
}

// page makes the HTML of a message that is about to leave.
func (s *Service) page(m *Message) error {
	if m.Letter == "" {
		return nil
	}
	what, err := unkeep(m.Letter)
	if err != nil {
		return err
	}
	l, err := render(messages.English, s.opt.Product, s.opt.PublicURL, m.CreatedAt, what)
	if err != nil {
		return err
	}
	html, err := l.page()
	m.HTML = storable(html)
	return err
}
