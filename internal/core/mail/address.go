package mail

import "time"

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
