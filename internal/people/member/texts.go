package member

import "github.com/bifolia/bifolia/internal/platform/errs"

// Messages about input. Screens and scripts match on these texts, misspellings included,
// so each is written once.
var (
	TextSponsorRequired = errs.Say("member.sponsor_required", "Sponsor ID is required")
	TextSponsorLong     = errs.Say("member.sponsor_long", "Sponsor Id should not be greater than 15 characters")
	TextSponsorInvalid  = errs.Say("member.sponsor_invalid", "Invalid Sponsor Id")

	TextUserNameRequired = errs.Say("member.user_name_required", "User Name is required")
	TextUserNameShort    = errs.Say("member.user_name_short", "User Name must be at least 4 characters")
	TextUserNameLong     = errs.Say("member.user_name_long", "User Name should not be greater than 20 characters")
	TextUserNameLetters  = errs.Say("member.user_name_letters", "User Name must have letters and spaces only")

	TextLastNameRequired = errs.Say("profile.last_name_required", "Last Name is required")
	TextLastNameShort    = errs.Say("profile.last_name_short", "Last Name must be at least 4 characters")
	TextLastNameLong     = errs.Say("profile.last_name_long", "Last Name should not be greater than 20 characters")
	TextLastNameLetters  = errs.Say("profile.last_name_letters", "Last Name must have letters and spaces only")

	TextFatherRequired = errs.Say("profile.father_required", "Father/Husband Name is required")
	TextFatherShort    = errs.Say("profile.father_short", "Father/Husband Name must be at least 4 characters")
	TextFatherLong     = errs.Say("profile.father_long", "Father/Husband Name should not be greater than 20 characters")
	TextFatherLetters  = errs.Say("profile.father_letters", "Father/Husband Name must have letters and spaces only")

	TextNomineeRequired = errs.Say("profile.nominee_required", "Nominee Name is required")
	TextNomineeShort    = errs.Say("profile.nominee_short", "Nominee Name must be at least 4 characters")
	TextNomineeLong     = errs.Say("profile.nominee_long", "Nominee Name should not be greater than 20 characters")
	TextNomineeLetters  = errs.Say("profile.nominee_letters", "Nominee Name must have letters and spaces only")

	TextPositionRequired = errs.Say("member.position_required", "Position is required")
	TextCountryRequired  = errs.Say("member.country_required", "Country is required")

	TextEmailRequired = errs.Say("email.required", "Please enter email address")
	TextEmailInvalid  = errs.Say("email.invalid", "Please enter a valid email address")
	TextEmailSame     = errs.Say("email.same", "This is the address that we wrote to. Choose Send again to get another link.")

	TextPasswordRequired = errs.Say("auth.password_required", "Password is required")
	TextPasswordShort    = errs.Say("auth.password_short", "Password must be at least 6 characters")
	TextPasswordLong     = errs.Say("member.password_long", "Password should not be greater than 20 characters")
	TextPasswordControl  = errs.Say("member.password_control", "Password must not have control characters")

	TextMobileRequired = errs.Say("member.mobile_required", "Mobile Number is required")
	TextMobileInvalid  = errs.Say("member.mobile_invalid", "Enter Valid Mobile Number !!")

	TextBirthdayRequired = errs.Say("profile.birthday_required", "Date of Birth is required")
	TextBirthdayInvalid  = errs.Say("profile.birthday_invalid", "Enter a valid Date of Birth")
	TextBirthdayYoung    = errs.Say("profile.too_young", "You must be at least 18 years old")

	TextGenderRequired = errs.Say("profile.gender_required", "Gender is required")

	TextAddressRequired = errs.Say("profile.address_required", "Address is required")
	TextAddressLong     = errs.Say("profile.address_long", "Address should not be greater than 100 characters")
	TextAddressControl  = errs.Say("profile.address_control", "Address must not have control characters")

	TextAboutRequired = errs.Say("profile.about_required", "About Us is required")
	TextAboutLong     = errs.Say("profile.about_long", "About Us should not be greater than 100 characters")
	TextAboutControl  = errs.Say("profile.about_control", "About Us must not have control characters")

	TextRelationRequired = errs.Say("profile.relation_required", "Nominee Relation is required")

	TextTransactionPasswordRequired = errs.Say("profile.transaction_password_required", "Transction Password is required")
	TextTransactionPasswordLong     = errs.Say("profile.transaction_password_long", "Transction Password should not be greater than 10 characters")

	TextWalletRequired = errs.Say("wallet.required", "Please enter ecurrency address !!")
	TextWalletInvalid  = errs.Say("wallet.invalid", "Enter a valid USDT (BEP-20) address")
	// TextWalletTaken does not tell whose it is.

	TextHolderRequired = errs.Say("bank.holder_required", "Holder Name is required")
	TextHolderLong     = errs.Say("bank.holder_long", "Holder Name should not be greater than 30 characters")
	TextHolderLetters  = errs.Say("bank.holder_letters", "Holder Name must have letters and spaces only")

	TextAccountRequired = errs.Say("bank.account_required", "Account No. is required")
	TextAccountInvalid  = errs.Say("bank.account_invalid", "Enter a valid Account No.")
	TextIFSCRequired    = errs.Say("bank.ifsc_required", "Ifsc is required")
	TextIFSCInvalid     = errs.Say("bank.ifsc_invalid", "Enter a valid Ifsc")
	TextBankLong        = errs.Say("bank.name_long", "Bank Name should not be greater than 100 characters")
	TextBankControl     = errs.Say("bank.name_control", "Bank Name must not have control characters")
	TextBranchLong      = errs.Say("bank.branch_long", "Branch should not be greater than 100 characters")
	TextBranchControl   = errs.Say("bank.branch_control", "Branch must not have control characters")
	TextPANRequired     = errs.Say("bank.pan_required", "Pan No. is required")
	TextPANInvalid      = errs.Say("bank.pan_invalid", "Enter a valid Pan No.")
	TextAadharRequired  = errs.Say("bank.aadhar_required", "Aadhar no. is required")
	TextAadharInvalid   = errs.Say("bank.aadhar_invalid", "Enter a valid Aadhar no.")
)

const (
	TextWalletTaken    = "This wallet address cannot be used: it belongs to another account. If it is your own, contact support."
	textUserIDInvalid  = "A user id has 6 to 10 digits and does not begin with 0."
	textNoMember       = "There is no member with this id."
	textIDTaken        = "A member with this id is there already."
	textBlocked        = "This member is blocked: nothing can be changed."
	textBlockedBefore  = "This member is blocked already."
	textNotBlocked     = "This member is not blocked."
	textTampered       = "The data of this account was changed by somebody who may not. Nothing is done until that is cleared up: contact support."
	textErased         = "The personal data of this member was erased."
	textBlockFirst     = "Block the member first: nothing may be under way while personal data is erased."
	textReasonRequired = "Say in up to 500 characters why the member is blocked."
)
