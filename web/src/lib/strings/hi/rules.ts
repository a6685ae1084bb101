import type { Strings } from '../index.ts'

export const rules: Pick<Strings, 'rules'> = {
  rules: {
    loginBoth: 'कृपया यूज़र आईडी और पासवर्ड दोनों भरें।',

    userIdRequired: 'यूज़र आईडी आवश्यक है',

    sponsorRequired: 'प्रायोजक आईडी आवश्यक है',
    sponsorLong: 'प्रायोजक आईडी 15 अक्षरों से अधिक नहीं होनी चाहिए',
    sponsorInvalid: 'अमान्य प्रायोजक आईडी',
    nameRequired: 'नाम आवश्यक है',
    nameShort: 'नाम कम से कम 4 अक्षरों का होना चाहिए',
    nameLong: 'नाम 20 अक्षरों से अधिक नहीं होना चाहिए',
    countryRequired: 'देश आवश्यक है',
    mobileInvalid: 'मान्य मोबाइल नंबर भरें !!',
    emailRequired: 'कृपया ईमेल पता भरें',
    emailInvalid: 'कृपया मान्य ईमेल पता भरें',
    passwordRequired: 'पासवर्ड आवश्यक है',
    passwordShort: 'पासवर्ड कम से कम 6 अक्षरों का होना चाहिए',
    passwordMismatch: 'दोनों पासवर्ड समान नहीं हैं',
    positionRequired: 'स्थान आवश्यक है',
    termsRequired: 'नियम और शर्तें चुनें',

    allRequired: 'सभी फ़ील्ड आवश्यक हैं !!',
    newPasswordMismatch: 'नया पासवर्ड और उसकी पुष्टि समान नहीं हैं !!',
    transactionPasswordRequired: 'लेनदेन पासवर्ड आवश्यक है',

    amountRequired: 'राशि आवश्यक है',
    transactionNumberRequired: 'लेनदेन संख्या आवश्यक है',
    fundTypeRequired: 'अनुरोध के लिए फ़ंड का प्रकार चुनें',
    invalidAmount: 'अमान्य राशि',
    transferAmount: 'राशि शून्य से अधिक पूरे डॉलर में हो, अधिकतम 6 अंकों की।',
    transferToSelf: 'आप अपने आप को ट्रांसफ़र नहीं कर सकते।',

    enterAmount: 'राशि भरें !!',
    selectIncomeType: 'आय का प्रकार चुनें !!',
    selectWithdrawalType: 'निकासी का प्रकार चुनें!!',
    enterOtp: 'कृपया OTP भरें',
    otpAmount: 'कृपया राशि भरें',
    otpIncomeType: 'कृपया निकासी आय का प्रकार चुनें',

    lastNameRequired: 'उपनाम आवश्यक है',
    lastNameShort: 'उपनाम कम से कम 4 अक्षरों का होना चाहिए',
    fatherRequired: 'पिता/पति का नाम आवश्यक है',
    fatherShort: 'पिता/पति का नाम कम से कम 4 अक्षरों का होना चाहिए',
    mobileRequired: 'मोबाइल नंबर आवश्यक है',
    dobRequired: 'जन्म तिथि आवश्यक है',
    genderRequired: 'लिंग आवश्यक है',
    addressRequired: 'पता आवश्यक है',
    aboutRequired: 'अपने बारे में लिखना आवश्यक है',
    nomineeRequired: 'नामांकित व्यक्ति का नाम आवश्यक है',
    nomineeShort: 'नामांकित व्यक्ति का नाम कम से कम 4 अक्षरों का होना चाहिए',
    relationRequired: 'नामांकित व्यक्ति से संबंध आवश्यक है',

    walletRequired: 'कृपया ई-मुद्रा पता भरें !!',
    holderRequired: 'खाताधारक का नाम आवश्यक है',
    accountRequired: 'खाता संख्या आवश्यक है',
    ifscRequired: 'IFSC आवश्यक है',
    panRequired: 'पैन संख्या आवश्यक है',
    aadharRequired: 'आधार संख्या आवश्यक है',
    queryRequired: 'प्रश्न आवश्यक है',

    factorCode: 'कोड में 6 अंक होते हैं',
    operatorPasswordShort: 'पासवर्ड कम से कम 10 अक्षरों का होना चाहिए',
    confirmDiffers: 'दोनों पासवर्ड अलग हैं',
  },
}
