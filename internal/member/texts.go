package member

// What people are told about their input. Screens and scripts match on these
// texts, misspellings included, so each stands here once and nowhere else.
const (
	TextSponsorRequired = "Sponsor ID is required"
	TextSponsorLong     = "Sponsor Id should not be greater than 15 characters"
	TextSponsorInvalid  = "Invalid Sponsor Id"

	TextUserNameRequired = "User Name is required"
	TextUserNameShort    = "User Name must be at least 4 characters"
	TextUserNameLong     = "User Name should not be greater than 20 characters"
	TextUserNameLetters  = "User Name must have letters and spaces only"

	TextLastNameRequired = "Last Name is required"
	TextLastNameShort    = "Last Name must be at least 4 characters"
	TextLastNameLong     = "Last Name should not be greater than 20 characters"
	TextLastNameLetters  = "Last Name must have letters and spaces only"

	TextFatherRequired = "Father/Husband Name is required"
	TextFatherShort    = "Father/Husband Name must be at least 4 characters"
	TextFatherLong     = "Father/Husband Name should not be greater than 20 characters"
	TextFatherLetters  = "Father/Husband Name must have letters and spaces only"

	TextNomineeRequired = "Nominee Name is required"
	TextNomineeShort    = "Nominee Name must be at least 4 characters"
	TextNomineeLong     = "Nominee Name should not be greater than 20 characters"
	TextNomineeLetters  = "Nominee Name must have letters and spaces only"

	TextPositionRequired = "Position is required"
	TextCountryRequired  = "Country is required"

	TextEmailRequired = "Please enter email address"
	TextEmailInvalid  = "Please enter a valid email address"
	TextEmailSame     = "This is the address that we wrote to. Choose Send again to get another link."

	TextPasswordRequired = "Password is required"
	TextPasswordShort    = "Password must be at least 6 characters"
	TextPasswordLong     = "Password should not be greater than 20 characters"
	TextPasswordControl  = "Password must not have control characters"

	TextMobileRequired = "Mobile Number is required"
	TextMobileInvalid  = "Enter Valid Mobile Number !!"

	TextBirthdayRequired = "Date of Birth is required"
	TextBirthdayInvalid  = "Enter a valid Date of Birth"
	TextBirthdayYoung    = "You must be at least 18 years old"

	TextGenderRequired = "Gender is required"

	TextAddressRequired = "Address is required"
	TextAddressLong     = "Address should not be greater than 100 characters"
	TextAddressControl  = "Address must not have control characters"

	TextAboutRequired = "About Us is required"
	TextAboutLong     = "About Us should not be greater than 100 characters"
	TextAboutControl  = "About Us must not have control characters"

	TextRelationRequired = "Nominee Relation is required"

	TextTransactionPasswordRequired = "Transction Password is required"
	TextTransactionPasswordLong     = "Transction Password should not be greater than 10 characters"

	TextWalletRequired = "Please enter ecurrency address !!"
	TextWalletInvalid  = "Enter a valid USDT (BEP-20) address"
	// TextWalletTaken does not tell whose it is.
	TextWalletTaken = "This wallet address cannot be used: it belongs to another account. If it is your own, contact support."

	TextHolderRequired = "Holder Name is required"
	TextHolderLong     = "Holder Name should not be greater than 30 characters"
	TextHolderLetters  = "Holder Name must have letters and spaces only"

	TextAccountRequired = "Account No. is required"
	TextAccountInvalid  = "Enter a valid Account No."
	TextIFSCRequired    = "Ifsc is required"
	TextIFSCInvalid     = "Enter a valid Ifsc"
	TextBankLong        = "Bank Name should not be greater than 100 characters"
	TextBankControl     = "Bank Name must not have control characters"
	TextBranchLong      = "Branch should not be greater than 100 characters"
	TextBranchControl   = "Branch must not have control characters"
	TextPANRequired     = "Pan No. is required"
	TextPANInvalid      = "Enter a valid Pan No."
	TextAadharRequired  = "Aadhar no. is required"
	TextAadharInvalid   = "Enter a valid Aadhar no."

	textUserIDInvalid = "A user id has 6 to 10 digits and does not begin with 0."
	textNoMember      = "There is no member with this id."
	textIDTaken       = "A member with this id is there already."
	textBlocked       = "This member is blocked: nothing can be changed."
	textBlockedBefore = "This member is blocked already."
	textNotBlocked    = "This member is not blocked."
	textSwapped       = "The data of this account was changed by somebody who may not. Nothing is done until that is cleared up: contact support."
	textErased        = "The personal data of this member was erased."
	textBlockFirst    = "Block the member first: nothing may be under way while personal data is erased."
	textWhyRequired   = "Say in up to 500 characters why the member is blocked."
)
