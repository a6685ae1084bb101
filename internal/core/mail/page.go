package mail

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bifolia/bifolia/messages"
)

// The HTML of a mail is about ten times as long as its data and is needed only when it
// is sent. So the outbox stores the data, and the sender writes the mail from it, in the
// brand in force then.

// encoded is a mail as the outbox stores it.
type encoded struct {
	Kind string
	Mail json.RawMessage
}

// encode returns a mail's data for the outbox.
func encode(m Mail) (string, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	out, err := json.Marshal(encoded{kindOf(m), data})
	return string(out), err
}

// kinds decode a mail, by its name.
var kinds = map[string]func([]byte) (Mail, error){}

func kind[M Mail]() bool {
	var none M
	kinds[kindOf(none)] = func(data []byte) (Mail, error) {
		var m M
		err := json.Unmarshal(data, &m)
		return m, err
	}
	return true
}

var _ = kind[Welcome]() && kind[SignedIn]() && kind[Password]() && kind[PasswordChanged]() && kind[PasswordCode]() &&
	kind[TransactionPasswordChanged]() && kind[TransactionPasswordReset]() && kind[EmailChanged]() && kind[EmailConfirm]() && kind[EmailAsked]() && kind[EmailUndone]() &&
	kind[WalletChanged]() && kind[BankChanged]() && kind[NewsletterConfirm]() && kind[DepositAddress]() &&
	kind[FactorSet]() && kind[FactorReset]() && kind[PasskeyChanged]() && kind[PasskeyRefused]() && kind[SessionEnded]() && kind[SecondFactor]() && kind[OperatorInvited]() && kind[SecondNeeded]() &&
	kind[TicketAnswered]() && kind[FundReceived]() && kind[FundDecided]() && kind[Withdrawal]() && kind[WithdrawalCode]() && kind[TransferSent]() && kind[TransferReceived]() &&
	kind[PackageBought]() && kind[PackageGiven]() && kind[PackageReturned]() && kind[InvestmentMade]() && kind[InvestmentGiven]() && kind[ClaimReady]() && kind[ClaimPaid]()

// about returns the member concerned, from the field UserID of an encoded mail; 0 for
// none.
func about(text string) (int64, error) {
	var k struct{ Mail struct{ UserID int64 } }
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return 0, fmt.Errorf("mail: %w", err)
	}
	return k.Mail.UserID, nil
}

// decode decodes the result of encode.
func decode(text string) (Mail, error) {
	var k encoded
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	read, known := kinds[k.Kind]
	if !known {
		return nil, fmt.Errorf("mail: there is no mail %q", k.Kind)
	}
	return read(k.Mail)
}

// write writes subject, text and HTML of a message from its data. Without data, or if that
// fails, the subject and the text stay as they were queued.
func (s *Service) write(m *Message) error {
	if m.Letter == "" {
		return nil
	}
	data, err := decode(m.Letter)
	if err != nil {
		return err
	}
	l, err := render(messages.English, s.opt.Brand(), s.opt.PublicURL, m.CreatedAt, data)
	if err != nil {
		return err
	}
	text, err := l.plain()
	if err != nil {
		return err
	}
	html, err := l.page()
	if err != nil {
		return err
	}
	m.Subject, m.Text, m.HTML = l.Subject, storable(text), storable(html)
	return nil
}

// languageOf is a language that mails are written in.
func languageOf(language string) string {
	if slices.Contains(messages.Languages(), language) {
		return language
	}
	return messages.English
}
