package httpx

import "github.com/bifolia/bifolia/internal/platform/errs"

// MessageCode accompanies a message with its code and parameters, so that clients can
// translate it.
type MessageCode struct {
	Code   string            `json:"code,omitempty" doc:"The code of the message, for programs and translations."`
	Params map[string]string `json:"params,omitempty" doc:"The parameters of the message, by name."`
}

func CodeOf(t errs.Text) MessageCode { return MessageCode{t.Code, t.Params} }

// Coded returns a text for a field beside its message; nil if it has no code.
func Coded(t errs.Text) *errs.Text {
	if t.Code == "" {
		return nil
	}
	return &t
}

// sentenceAnswer is a response that is a message.
type sentenceAnswer struct {
	Data string `json:"data"`
	MessageCode
}

type MessageReply struct{ Body sentenceAnswer }

func NewMessage(t errs.Text) *MessageReply {
	return &MessageReply{sentenceAnswer{t.Message, CodeOf(t)}}
}

// Messages of success, which clients match.
var (
	Successful          = errs.Say("result.successful", "Successfull")
	Success             = errs.Say("result.done", "success")
	PasswordSent        = errs.Say("result.password_sent", "Password sent to Email Id")
	CodeSent            = errs.Say("result.code_sent", "OTP sent successfully!")
	QuerySent           = errs.Say("result.query_sent", "Successfully send query")
	Activated           = errs.Say("result.activated", "Successfully Activated...!!!")
	Upgraded            = errs.Say("result.upgraded", "Successfully Upgrade...!!!")
	Claimed             = errs.Say("result.claimed", "Claim Successfully...!!!")
	Refunded            = errs.Say("result.refunded", "Refunded Successfully")
	ProfileDone         = errs.Say("result.profile_updated", "Profile Update Successfully")
	PasswordDone        = errs.Say("result.password_changed", "Changes Password Update Successfully")
	WalletDone          = errs.Say("result.wallet_updated", "Wallet Address Update Successfully")
	BankDone            = errs.Say("result.bank_updated", "Bank Update Successfully")
	WithdrawalDone      = errs.Say("result.withdrawal_sent", "Withdrawal request has been sent !!")
	WithdrawalCancelled = errs.Say("result.withdrawal_cancelled", "Withdrawal has been cancelled !!")
	CloseProposedAlone  = errs.Say("result.close_proposed_alone", "Proposed: you may commit it yourself.")
	CloseProposed       = errs.Say("result.close_proposed", "Proposed: another operator may commit it.")
)

// Messages about missing input, which are checked before anything else.
var (
	SecondWanted  = errs.Say("auth.second_step_wanted", "Enter a code of your authenticator app or use a passkey to sign in.")
	AllRequired   = errs.Say("profile.all_required", "All the fields are required !!")
	PinMissing    = errs.Say("profile.transaction_password_required", "Transction Password is required")
	NoSponsor     = errs.Say("member.sponsor_unknown", "Sponsor Id doesnot exists !!")
	AmountMissing = errs.Say("withdrawal.amount_required", "Enter Amount !!")
	WalletMissing = errs.Say("withdrawal.wallet_required", "Select Income Type !!")
	TypeMissing   = errs.Say("withdrawal.type_required", "Select Withdrawal Type!!")
	CodeMissing   = errs.Say("withdrawal.otp_required", "Please Enter Otp")
)
