package mail

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// WithdrawalCode contains the one-time code for a withdrawal, with the withdrawal's
// details if they are known, so that the member sees what the code allows.
type WithdrawalCode struct {
	Name    string
	UserID  int64
	Code    string
	Amount  money.Amount // zero if the details are not known
	From    string       // the wallet
	Address string       // in full; the mail shows it shortened
	Valid   time.Duration
}

// FundReceived tells that a fund request was received.
type FundReceived struct {
	Name    string
	UserID  int64
	Request int64
	Amount  money.Amount
	Fund    string
	Number  string
	USDT    bool // sent on the chain, not by bank
}

// FundDecided tells the decision about a fund request.
type FundDecided struct {
	Name     string
	UserID   int64
	Request  int64
	Amount   money.Amount
	Fund     string
	Approved bool
	Remark   string
	USDT     bool
}

// Withdrawal tells the new state of a withdrawal.
type Withdrawal struct {
	Name    string
	UserID  int64
	ID      int64
	State   string // Pending, Approved, Sent, Confirmed, Rejected, Cancelled
	Amount  money.Amount
	Fee     money.Amount
	Net     money.Amount
	From    string
	Address string // in full; the mail shows it shortened
	Hash    string // once it is sent
	Remark  string
	Waits   time.Time // the end of its pause; zero if there is none
}

// TransferSent is the payer's receipt for a transfer to another member.
type TransferSent struct {
	Name   string
	UserID int64
	To     int64
	ToName string
	Amount money.Amount
	Fund   string
}

// TransferReceived tells a member that another one sent money.
type TransferReceived struct {
	Name     string
	UserID   int64
	From     int64
	FromName string
	Amount   money.Amount
	Fund     string
}

// PackageBought is the payer's receipt for a package, for themselves or for another member.
type PackageBought struct {
	Name    string
	UserID  int64
	For     int64 // the other member; 0 for the payer
	ForName string
	Package string
	Upgrade bool
	Amount  money.Amount
	Fund    string
	Days    int64 // of the cooling-off; 0 for none
}

// PackageGiven tells a member that another one bought a package for them.
type PackageGiven struct {
	Name     string
	UserID   int64
	From     int64
	FromName string
	Package  string
	Upgrade  bool
	Amount   money.Amount
}

// PackageReturned tells the payer, and the owner, that a package was returned.
type PackageReturned struct {
	Name    string
	UserID  int64
	Package string
	Amount  money.Amount
	Fund    string // that got the money back; "" for an owner who did not pay
}

// Terms are the terms of an investment. The shares of booked profit are percentages.
type Terms struct {
	Line, Package         string
	Amount                money.Amount
	Days                  int64
	Ends                  time.Time
	Member, Sponsors, Fee string
}

// InvestmentMade is the payer's receipt for an investment, for themselves or for another
// member.
type InvestmentMade struct {
	Name    string
	UserID  int64
	For     int64 // the other member; 0 for the payer
	ForName string
	Fund    string
	Terms
}

// InvestmentGiven tells a member that another one invested for them.
type InvestmentGiven struct {
	Name     string
	UserID   int64
	From     int64
	FromName string
	Terms
}

// ClaimReady tells that the cash for a matured investment can be collected.
type ClaimReady struct {
	Name   string
	UserID int64
	Line   string
	Amount money.Amount // the principal
	Net    money.Amount
}

// ClaimPaid tells that a matured investment was paid out.
type ClaimPaid struct {
	Name   string
	UserID int64
	Line   string
	Amount money.Amount // the principal
	Net    money.Amount
	Wallet string
}
