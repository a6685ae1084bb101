package httpapi

import "github.com/bifolia/bifolia/internal/platform/errs"

// Said tells which sentence an answer carries, for clients that have it in another
// language. It stands beside the sentence.
type Said struct {
	Code   string            `json:"code,omitempty" doc:"Which sentence it is, for programs and translations."`
	Params map[string]string `json:"params,omitempty" doc:"The values in the sentence, by name."`
}

func codeOf(t errs.Text) Said { return Said{t.Code, t.Params} }

// sentenceAnswer is an answer that is a sentence.
type sentenceAnswer struct {
	Data string `json:"data"`
	Said
}

type sentence struct{ Body sentenceAnswer }

func say(t errs.Text) *sentence { return &sentence{sentenceAnswer{t.Message, codeOf(t)}} }

// The sentences of what was done, on which clients match.
var (
	successful          = errs.Say("result.successful", "Successfull")
	textDone            = errs.Say("result.done", "success")
	passwordSent        = errs.Say("result.password_sent", "Password sent to Email Id")
	codeSent            = errs.Say("result.code_sent", "OTP sent successfully!")
	querySent           = errs.Say("result.query_sent", "Successfully send query")
	activated           = errs.Say("result.activated", "Successfully Activated...!!!")
	upgraded            = errs.Say("result.upgraded", "Successfully Upgrade...!!!")
	claimed             = errs.Say("result.claimed", "Claim Successfully...!!!")
	refunded            = errs.Say("result.refunded", "Refunded Successfully")
	profileDone         = errs.Say("result.profile_updated", "Profile Update Successfully")
	passwordDone        = errs.Say("result.password_changed", "Changes Password Update Successfully")
	walletDone          = errs.Say("result.wallet_updated", "Wallet Address Update Successfully")
	bankDone            = errs.Say("result.bank_updated", "Bank Update Successfully")
	withdrawalDone      = errs.Say("result.withdrawal_sent", "Withdrawal request has been sent !!")
	withdrawalCancelled = errs.Say("result.withdrawal_cancelled", "Withdrawal has been cancelled !!")
	closeProposedAlone  = errs.Say("result.close_proposed_alone", "Proposed: you may commit it yourself.")
	closeProposed       = errs.Say("result.close_proposed", "Proposed: another operator may commit it.")
)

// What forms say of what is missing, before anything else is looked at.
var (
	secondWanted  = errs.Say("auth.second_step_wanted", "Enter a code of your authenticator app or use a passkey to sign in.")
	allRequired   = errs.Say("profile.all_required", "All the fields are required !!")
	pinMissing    = errs.Say("profile.transaction_password_required", "Transction Password is required")
	noSponsor     = errs.Say("member.sponsor_unknown", "Sponsor Id doesnot exists !!")
	amountMissing = errs.Say("withdrawal.amount_required", "Enter Amount !!")
	walletMissing = errs.Say("withdrawal.wallet_required", "Select Income Type !!")
	typeMissing   = errs.Say("withdrawal.type_required", "Select Withdrawal Type!!")
	codeMissing   = errs.Say("withdrawal.otp_required", "Please Enter Otp")
)
