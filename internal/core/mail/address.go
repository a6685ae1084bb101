package mail

import (
	"net/url"
	"strconv"
	"time"
)

// EmailConfirm brings the link that confirms an address.
type EmailConfirm struct {
	Name      string
	UserID    int64
	Token     string // of the one-time link
	Valid     time.Duration
	Forgotten bool // somebody has asked for a new password meanwhile
}

// EmailAsked tells the address in force that another one is to replace it.
type EmailAsked struct {
	Name     string
	UserID   int64
	NewEmail string // in full; the mail shows it masked
}

// EmailUndone tells the address that is in force again, and the one that is gone.
type EmailUndone struct {
	Name   string
	UserID int64
	Gone   bool // the letter goes to the address that is not the member's any more
}

func (EmailConfirm) template() string { return "email_confirm" }
func (EmailAsked) template() string   { return "email_asked" }
func (EmailUndone) template() string  { return "email_undone" }

const addressPath = "/ConfirmEmail"

// ConfirmLink leads to where the owner of token confirms an address.
func (l letter) ConfirmLink(uid int64, token string) string {
	return l.addressLink("confirm", uid, token)
}

// UndoLink leads to where the owner of token brings an address back.
func (l letter) UndoLink(uid int64, token string) string { return l.addressLink("undo", uid, token) }

// SecurityLink leads to where a member who is signed in sees and cancels a change of the
// address.
func (l letter) SecurityLink() string { return l.base + "/Security" }

func (l letter) addressLink(what string, uid int64, token string) string {
	return l.base + addressPath + "#" + url.Values{"userid": {strconv.FormatInt(uid, 10)}, what: {token}}.Encode()
}
