/** What the checks of the forms say. People and scripts match on these texts: spelling included. */
export const rules = {
  rules: {
    loginBoth: 'Please enter both User ID and password.',

    userIdRequired: 'User ID is required',

    sponsorRequired: 'Sponsor ID is required',
    sponsorLong: 'Sponsor Id should not be greater than 15 characters',
    sponsorInvalid: 'Invalid Sponsor Id',
    nameRequired: 'User Name is required',
    nameShort: 'User Name must be at least 4 characters',
    nameLong: 'User Name should not be greater than 20 characters',
    countryRequired: 'Country is required',
    mobileInvalid: 'Enter Valid Mobile Number !!',
    emailRequired: 'Please enter email address',
    emailInvalid: 'Please enter a valid email address',
    passwordRequired: 'Password is required',
    passwordShort: 'Password must be at least 6 characters',
    passwordMismatch: 'Confirm Password is not match',
    positionRequired: 'Position is required',
    termsRequired: 'Select Terms and Conditions',

    allRequired: 'All the fields are required !!',
    newPasswordMismatch: 'New password & cofirm password is not same !!',
    transactionPasswordRequired: 'Transction Password is required',

    amountRequired: 'Amount is required',
    transactionNumberRequired: 'Transaction No. is required',
    fundTypeRequired: 'Select Fund Type for request',
    invalidAmount: 'Invalid Amount',
    transferAmount: 'The amount is whole dollars above zero, up to 6 digits.',
    transferToSelf: 'You cannot transfer to yourself.',
    pastedAmount: 'That is no amount in whole dollars, such as 1500 or $1,500.00. Type it instead.',
    typedCents:
      'Whole dollars only: what follows a point or a comma was left out. Type 1500, not 1,500.00.',
    pastedLong: (most: number) => `What you pasted is longer than ${most} characters.`,
    insufficient: (available: string, needed: string) =>
      `Insufficient balance: ${available} are available, and ${needed} are needed.`,
    packageRange: (from: string, to: string) => `The package takes ${from} to ${to}.`,
    packageOwned: 'The member has this package or a larger one.',

    enterAmount: 'Enter Amount !!',
    selectIncomeType: 'Select Income Type !!',
    selectWithdrawalType: 'Select Withdrawal Type!!',
    codeRequired: 'Enter a code',
    deviceRequired: 'Give the device a name',
    enterOtp: 'Please Enter Otp',
    otpAmount: 'Please enter Amount',
    otpIncomeType: 'Please Withdrawal Income Type',

    withdrawAmount: 'The amount is whole dollars above zero, up to 10 digits.',
    withdrawMin: (min: string) => `A withdrawal is whole dollars, of incomes at least ${min}.`,
    withdrawFactor: (above: string) =>
      `Withdrawals above ${above} USDT take a second factor. Set one up and try again.`,
    withdrawDaily: (most: string) =>
      `This is more than the ${most} that you may withdraw on one day.`,

    lastNameRequired: 'Last Name is required',
    lastNameShort: 'Last Name must be at least 4 characters',
    fatherRequired: 'Father/Husband Name is required',
    fatherShort: 'Father/Husband Name must be at least 4 characters',
    mobileRequired: 'Mobile Number is required',
    dobRequired: 'Date of Birth is required',
    genderRequired: 'Gender is required',
    addressRequired: 'Address is required',
    aboutRequired: 'About Us is required',
    nomineeRequired: 'Nominee Name is required',
    nomineeShort: 'Nominee Name must be at least 4 characters',
    relationRequired: 'Nominee Relation is required',

    walletRequired: 'Please enter ecurrency address !!',
    holderRequired: 'Holder Name is required',
    accountRequired: 'Account No. is required',
    ifscRequired: 'Ifsc is required',
    panRequired: 'Pan No. is required',
    aadharRequired: 'Aadhar no. is required',
    queryRequired: 'Query is required',

    factorCode: 'The code has 6 digits',
    operatorPasswordShort: 'Password must be at least 10 characters',
    confirmDiffers: 'The two passwords differ',
  },
}
