package mail

import "time"

// WithdrawalCode contains the one-time code for a withdrawal, with the withdrawal's
// details if they are known, so that the member sees what the code allows.
type WithdrawalCode struct {
	Name    string
	UserID  int64
	Code    string
	Amount  string // "" if the details are not known
	From    string // the wallet
	Address string // in full; the mail shows it shortened
	Valid   time.Duration
}

// FundReceived tells that a fund request was received.
type FundReceived struct {
	Name    string
	UserID  int64
	Request int64
	Amount  string
	Fund    string
	Number  string
}

// FundDecided tells the decision about a fund request.
type FundDecided struct {
	Name     string
	UserID   int64
	Request  int64
	Amount   string
	Fund     string
	Approved bool
	Remark   string
}

// Withdrawal tells the new state of a withdrawal.
type Withdrawal struct {
	Name    string
	UserID  int64
	ID      int64
	State   string // Pending, Approved, Sent, Confirmed, Rejected, Cancelled
	Amount  string
	Net     string
	From    string
	Address string // in full; the mail shows it shortened
	Hash    string // once it is sent
	Remark  string
	Waits   string // the end of its pause; "" if there is none
}

// TransferSent is the payer's receipt for a transfer to another member, or for a
// purchase made for one.
type TransferSent struct {
	Name   string
	UserID int64
	To     int64
	Amount string
	Fund   string
	Bought bool // it paid for a purchase
}
