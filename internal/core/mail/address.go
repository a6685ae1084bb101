package mail

import "time"

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
