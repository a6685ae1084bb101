package mail

import (
	"net/url"
	"strconv"
	"time"
)

// EmailConfirm contains the link that confirms an address.
type EmailConfirm struct {
	Name      string
	UserID    int64
	Token     string // of the one-time link
	Valid     time.Duration
	Forgotten bool // a new password was requested in the meantime
}

// EmailAsked tells the current address that another one is to replace it.
type EmailAsked struct {
	Name     string
	UserID   int64
	NewEmail string // in full; the mail shows it masked
}

// EmailUndone goes to the restored address and to the removed one.
type EmailUndone struct {
	Name   string
	UserID int64
	Gone   bool // the mail goes to the removed address
}

func (EmailConfirm) template() string { return "email_confirm" }
func (EmailAsked) template() string   { return "email_asked" }
func (EmailUndone) template() string  { return "email_undone" }

const addressPath = "/ConfirmEmail"

// ConfirmLink is the link on which the owner of token confirms an address.
func (l letter) ConfirmLink(uid int64, token string) string {
	return l.addressLink("confirm", uid, token)
}

// UndoLink is the link on which the owner of token restores an address.
func (l letter) UndoLink(uid int64, token string) string { return l.addressLink("undo", uid, token) }

// SecurityLink is the link on which a signed-in member sees and cancels a change of
// the address.
func (l letter) SecurityLink() string { return l.base + "/Security" }

func (l letter) addressLink(what string, uid int64, token string) string {
	return l.base + addressPath + "#" + url.Values{"userid": {strconv.FormatInt(uid, 10)}, what: {token}}.Encode()
}
