package mail

import "time"

// WithdrawalCode is the one-time code that a withdrawal asks for. What it is
// good for is told when it is known, so that its owner sees what it allows.
type WithdrawalCode struct {
	Name    string
	UserID  int64
	Code    string
	Amount  string // "" when it was not said what the code is for
	From    string // which wallet
	Address string // in full; the mail shows it shortened
	Valid   time.Duration
}

// FundReceived tells that a fund request has come in.
type FundReceived struct {
	Name    string
	UserID  int64
	Request int64
	Amount  string
	Fund    string
	Number  string
}

// FundDecided tells what became of a fund request.
type FundDecided struct {
	Name     string
	UserID   int64
	Request  int64
	Amount   string
	Fund     string
	Approved bool
	Remark   string
}

// Withdrawal tells how far a withdrawal has come.
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
	Waits   string // until when it waits; "" when it does not
}

// TransferSent is the giver's receipt for money that went to another member, or that
// paid for what was bought for one.
type TransferSent struct {
	Name   string
	UserID int64
	To     int64
	Amount string
	Fund   string
	Bought bool // it paid for a purchase
}
