import type { Terms } from '../../serverText.ts'

/**
 * The server's answers to members, in Hindi. A key is the English sentence with `{}` for its
 * variable parts.
 */
export const answers: Terms = {
  Successfull: 'सफल',
  'This idempotency key was used before with another request.':
    'यह अनुरोध संख्या पहले किसी और काम में लग चुकी है।',
  success: 'सफल',
  'Password is easy to guess: avoid common words, dates and patterns':
    'इस पासवर्ड का अंदाज़ा लगाना आसान है: आम शब्द, तारीख़ और पैटर्न न रखें',
  'Transaction password is easy to guess: avoid common words, dates and patterns':
    'इस लेनदेन पासवर्ड का अंदाज़ा लगाना आसान है: आम शब्द, तारीख़ और पैटर्न न रखें',
  'Password sent to Email Id': 'पासवर्ड ईमेल पर भेजा गया',
  'OTP sent successfully!': 'OTP भेज दिया गया!',
  'Profile Update Successfully': 'प्रोफ़ाइल बदल दी गई',
  'Changes Password Update Successfully': 'पासवर्ड बदल दिया गया',
  'Wallet Address Update Successfully': 'वॉलेट पता बदल दिया गया',
  'Bank Update Successfully': 'बैंक विवरण बदल दिया गया',
  'Successfully Activated...!!!': 'सक्रियण हो गया...!!!',
  'Successfully Upgrade...!!!': 'अपग्रेड हो गया...!!!',
  'Claim Successfully...!!!': 'दावा हो गया...!!!',
  'Refunded Successfully': 'राशि वापस कर दी गई',
  'Withdrawal request has been sent !!': 'निकासी का अनुरोध भेज दिया गया !!',
  'Withdrawal has been cancelled !!': 'निकासी रद्द कर दी गई !!',
  'Successfully send query': 'प्रश्न भेज दिया गया',
  'Sponsor Id doesnot exists !!': 'यह प्रायोजक आईडी नहीं है !!',
  'Invalid User Id!!': 'यूज़र आईडी ग़लत है!!',
  'The data of this account was changed without authorization, so the account is locked. Contact support.':
    'इस खाते का डेटा किसी ऐसे व्यक्ति ने बदला है जिसे अनुमति नहीं है। इसके स्पष्ट होने तक कुछ नहीं किया जाता: सहायता से संपर्क करें।',
  'The record of this purchase was tampered with. Contact support.':
    'इस ख़रीद को किसी ऐसे व्यक्ति ने बदला है जिसे इसका अधिकार नहीं है। मामला सुलझने तक कुछ भी भुगतान नहीं होगा: सहायता से संपर्क करें।',
  'Your password or transaction password was changed without authorization, so your account is locked. Contact support.':
    'आपका पासवर्ड या लेनदेन पासवर्ड किसी ऐसे ने बदला जिसे अधिकार नहीं। यह साफ़ होने तक कुछ नहीं होगा: सहायता से संपर्क करें।',
  'The password, the code or the passkey is wrong. Each code works once; after five wrong tries this session ends.':
    'पासवर्ड, कोड या पासकी ग़लत है। हर कोड एक बार ही चलता है; पाँच ग़लत कोशिशों के बाद यह सत्र समाप्त हो जाता है।',
  'This code or passkey is wrong. Each code works once; after five wrong codes, no code is accepted for 15 minutes.':
    'यह कोड या पासकी ग़लत है। हर कोड एक बार ही चलता है; पाँच ग़लत कोड के बाद 15 मिनट तक कोई नहीं लिया जाता।',
  'This sign-in has run out. Enter your user id and password again.':
    'इस साइन-इन का समय समाप्त हो गया। यूज़र आईडी और पासवर्ड फिर से भरें।',
  'Enter a code of your authenticator app or use a passkey to sign in.':
    'साइन इन करने के लिए ऑथेंटिकेटर ऐप का कोड भरें या पासकी इस्तेमाल करें।',
  'Too many wrong codes. Try again in {} minutes, or use a passkey.':
    'बहुत बार ग़लत कोड भरा गया। {1} मिनट बाद फिर कोशिश करें, या पासकी इस्तेमाल करें।',
  'This code or passkey does not confirm the request. Each code works once, and each passkey answer for one request only; after five wrong tries this session ends.':
    'यह कोड या पासकी इसकी पुष्टि नहीं करती। हर कोड एक बार चलता है, और पासकी का उत्तर केवल उसी काम के लिए जिसके लिए माँगा गया; पाँच ग़लत कोशिशों के बाद यह सत्र समाप्त हो जाता है।',
  'Your second factor was changed in the meantime. Try again.':
    'इस बीच आपका दूसरा कारक बदल गया। फिर कोशिश करें।',
  'You confirm withdrawals with your second factor, so no OTP is mailed. Enter a code from your authenticator app, or use a passkey.':
    'आप निकासी की पुष्टि दूसरे चरण से करते हैं, इसलिए OTP नहीं भेजा जाता। अपने ऑथेंटिकेटर ऐप का कोड भरें, या पासकी इस्तेमाल करें।',
  'Withdrawals above {} USDT take a second factor. Set one up and try again.':
    '{1} USDT से अधिक की निकासी के लिए दूसरा चरण चाहिए। उसे सेट करें और फिर कोशिश करें।',
  'No amounts of {} dollars and some cents are left. Announce another amount.':
    '{1} डॉलर और कुछ सेंट की सभी राशियाँ अभी सूचित हैं। कोई और राशि बताएँ।',
  'You have {} announced payments that are still open. Pay them, or wait until they end.':
    'आपके {1} सूचित भुगतान अभी खुले हैं। उन्हें करें, या उनके समाप्त होने तक रुकें।',
  'You have announced {} payments within 24 hours. Try again tomorrow.':
    'आपने 24 घंटों में {1} भुगतानों की सूचना दी है। कल फिर कोशिश करें।',
  'This announced payment has ended already.': 'यह सूचित भुगतान पहले ही समाप्त हो चुका है।',
  'There is no announced payment {}.': 'सूचित भुगतान {1} नहीं है।',
  "Payments cannot be announced here: send the transaction's hash once you have paid.":
    'यहाँ भुगतान की सूचना नहीं दी जा सकती: भुगतान के बाद लेनदेन का हैश भेजें।',
  'The least amount is {}.': 'न्यूनतम राशि {1} है।',
  'It came from an address of the company: an operator decides.':
    'यह कंपनी के किसी पते से आया: ऑपरेटर निर्णय करेगा।',
  'It came out of a wallet that several members have registered: an operator decides.':
    'यह ऐसे वॉलेट से आया जिसे कई सदस्यों ने दर्ज किया है: ऑपरेटर निर्णय करेगा।',
  'It came out of a wallet that another member has registered: an operator decides.':
    'यह ऐसे वॉलेट से आया जिसे किसी और सदस्य ने दर्ज किया है: ऑपरेटर निर्णय करेगा।',
  'It arrived after the announced time had ended: an operator decides.':
    'यह सूचित समय समाप्त होने के बाद आया: ऑपरेटर निर्णय करेगा।',
  'The transaction paid withdrawal {}: an operator decides.':
    'इस लेनदेन से निकासी {1} चुकाई गई: ऑपरेटर निर्णय करेगा।',
  'You have no second factor.': 'आपका कोई दूसरा कारक नहीं है।',
  'You have no passkey.': 'आपकी कोई पासकी नहीं है।',
  "An operator's visit cannot change a second factor.":
    'ऑपरेटर की विज़िट में दूसरा कारक नहीं बदला जा सकता।',
  "The passkey was not added: the device's answer was late or invalid. Start again.":
    'पासकी नहीं जोड़ी गई: उसका उत्तर देर से आया या मान्य नहीं है। फिर से आरंभ करें।',
  'This device has a passkey here already.': 'इस डिवाइस की पासकी यहाँ पहले से है।',
  "Passkeys cannot be used here: the site's public URL must begin with https:// and name a host.":
    'यहाँ पासकी इस्तेमाल नहीं हो सकतीं: साइट का पता https:// से शुरू होना चाहिए और उसमें होस्ट का नाम होना चाहिए।',
  'You have chosen a transaction password: change your e-mail address in your profile, with that password.':
    'आपने लेनदेन पासवर्ड चुन लिया है: अपना ईमेल पता प्रोफ़ाइल में, उस पासवर्ड से बदलें।',
  'This is the address that we wrote to. Choose Send again to get another link.':
    'हमने इसी पते पर लिखा था। दूसरा लिंक पाने के लिए फिर भेजें चुनें।',
  'The old password is wrong.': 'पुराना पासवर्ड ग़लत है।',
  'Invalid username or password.': 'यूज़र आईडी या पासवर्ड ग़लत है।',
  'Invalid transaction password.': 'लेनदेन पासवर्ड ग़लत है।',
  'Invalid OTP !!': 'OTP ग़लत है !!',
  'Invalid OTP. Ask for a new one after five wrong tries or ten minutes.':
    'OTP ग़लत है। पाँच ग़लत प्रयासों या दस मिनट के बाद नया माँगें।',
  'This OTP is no longer valid. Send a new OTP.': 'यह OTP अब मान्य नहीं है। नया OTP भेजें।',
  'This OTP was sent for another withdrawal. Send a new OTP.':
    'यह OTP किसी और निकासी के लिए था। नया OTP भेजें।',
  'Too many wrong OTPs. Try again in {} minutes.':
    'बहुत बार ग़लत OTP भरा गया। {1} मिनट बाद फिर कोशिश करें।',
  'This transaction password was mailed to you. Choose your own first, under Settings, Transaction Password. The mailed one ends on {}.':
    'यह लेनदेन पासवर्ड आपको ईमेल से भेजा गया था। पहले सेटिंग्स, लेनदेन पासवर्ड में अपना चुनें। भेजा गया पासवर्ड {1} को समाप्त होता है।',
  'This transaction password was mailed to you and ended after 24 hours. Ask for a new one under Settings, Transaction Password.':
    'यह लेनदेन पासवर्ड आपको ईमेल से भेजा गया था और 24 घंटे बाद समाप्त हो गया। सेटिंग्स, लेनदेन पासवर्ड में नया मँगाएँ।',
  'A new transaction password was mailed to you. To protect you, none is accepted before {}. If you did not ask for it, contact support now.':
    'आपको नया लेनदेन पासवर्ड ईमेल से भेजा गया है। आपकी सुरक्षा के लिए {1} से पहले कोई स्वीकार नहीं होगा। अगर आपने नहीं माँगा, तो तुरंत सहायता से संपर्क करें।',
  'Too many wrong transaction passwords. Try again in {} minutes.':
    'बहुत बार ग़लत लेनदेन पासवर्ड भरा गया। {1} मिनट बाद फिर कोशिश करें।',
  'Too many tries. Wait a little and try again.': 'बहुत बार कोशिश हुई। थोड़ा रुककर फिर कोशिश करें।',
  'You have signed in too often. Try again in {} seconds.':
    'आपने बहुत बार साइन इन किया है। {1} सेकंड बाद फिर कोशिश करें।',
  'Too many people have signed in from your network. Try again in {} seconds.':
    'आपके नेटवर्क से बहुत लोगों ने साइन इन किया है। {1} सेकंड बाद फिर कोशिश करें।',
  'Too many requests for this account at the moment. Try again in a few seconds.':
    'इस खाते के लिए अभी बहुत कुछ माँगा जा रहा है। कुछ सेकंड बाद फिर कोशिश करें।',
  'Too many people are signing in at this moment. Try again in a few seconds.':
    'अभी बहुत लोग साइन इन कर रहे हैं। कुछ सेकंड बाद फिर कोशिश करें।',
  'Too many files are being made at the moment. Wait until one is done.':
    'अभी बहुत सी फ़ाइलें बन रही हैं। एक के पूरा होने तक रुकें।',
  'Too many writes are queued. Try again in a moment.':
    'अभी बहुत कुछ लिखा जाना बाकी है। थोड़ी देर में फिर कोशिश करें।',
  'The server is stopping. Try again in a moment.': 'सर्वर रुक रहा है। थोड़ी देर में फिर कोशिश करें।',
  'Please login to access this resource': 'इसे देखने के लिए लॉगिन करें',
  'Change your temporary password first.': 'पहले अपना अस्थायी पासवर्ड बदलें।',
  'This link is not valid any more. Sign in to ask for a new one, or contact support.':
    'यह लिंक अब मान्य नहीं है। नया माँगने के लिए साइन इन करें, या सहायता से संपर्क करें।',
  'Your e-mail address changed within the last 48 hours: no transaction password is mailed there yet.':
    'आपका ईमेल पता पिछले 48 घंटों में बदला है: वहाँ अभी कोई लेनदेन पासवर्ड नहीं भेजा जाता।',
  'Confirm your e-mail address first: open the link that we mailed you, or have it sent again at the top of the page.':
    'पहले अपने ईमेल पते की पुष्टि करें: भेजा गया लिंक खोलें, या पृष्ठ के ऊपर से उसे फिर मँगाएँ।',
  'This link can be removed from {} on. Until then the owner of the former address can undo the change: this protects you if somebody else changed it.':
    'यह लिंक {1} से हटाया जा सकता है। तब तक पुराने पते के स्वामी बदलाव वापस ले सकते हैं: यदि किसी और ने पता बदला हो, तो यह आपकी रक्षा करता है।',
  'No former e-mail address can undo a change any more.':
    'अब किसी पुराने ईमेल पते से बदलाव वापस नहीं लिया जा सकता।',
  'Enter your password to confirm your e-mail address.':
    'अपने ईमेल पते की पुष्टि के लिए अपना पासवर्ड डालें।',
  'You can ask for a new e-mail address {} times a day. Please try again in {} hours.':
    'आप दिन में {1} बार नया ईमेल पता माँग सकते हैं। कृपया {2} घंटे बाद फिर कोशिश करें।',
  'You can change your security settings {} times within 24 hours. Please try again in {} hours. If you did not make these changes, contact support.':
    'आप 24 घंटों में {1} बार वह बदल सकते हैं जो आपके खाते की रक्षा करता है। कृपया {2} घंटे बाद फिर कोशिश करें। यदि ये बदलाव आपने नहीं किए, तो सहायता से संपर्क करें।',
  'Your e-mail address is confirmed already.': 'आपके ईमेल पते की पुष्टि हो चुकी है।',
  'This link is not valid any more. Ask for a new one.': 'यह लिंक अब मान्य नहीं है। नया माँगें।',
  'This sponsor is blocked and cannot invite. Please ask for another sponsor id.':
    'यह प्रायोजक रोका गया है और किसी को नहीं बुला सकता। कृपया दूसरी प्रायोजक आईडी माँगें।',
  'Your account is under review, so its money is frozen.':
    'आपका खाता समीक्षा में है: उसका पैसा रुका हुआ है।',
  "This member's account is under review and cannot receive funds.":
    'इस सदस्य का खाता समीक्षा में है और फ़ंड नहीं ले सकता।',
  "This member's account is under review, so nothing can be bought for it.":
    'इस सदस्य का खाता समीक्षा में है: उसके लिए कुछ नहीं खरीदा जा सकता।',
  'This member is blocked: nothing can be changed.': 'यह सदस्य रोका गया है: कुछ नहीं बदला जा सकता।',
  'This is not your e-mail address.': 'यह आपका ईमेल पता नहीं है।',
  'This is not your own address: enter that of your wallet.':
    'यह आपका अपना पता नहीं है: अपने वॉलेट का पता भरें।',
  'Enter a valid USDT (BEP-20) address': 'सही USDT (BEP-20) पता भरें',
  'Please enter ecurrency address !! It is missing in your E-Currency Details.':
    'कृपया ई-मुद्रा पता भरें !! वह आपके ई-मुद्रा विवरण में नहीं है।',
  'There is no member with this id.': 'इस आईडी का कोई सदस्य नहीं है।',
  'A user id has 6 to 10 digits and does not begin with 0.':
    'यूज़र आईडी में 6 से 10 अंक होते हैं और वह 0 से आरंभ नहीं होती।',
  'You cannot transfer to yourself.': 'आप अपने आप को ट्रांसफ़र नहीं कर सकते।',
  'Sender and receiver are the same.': 'भेजने वाला और पाने वाला एक ही है।',
  'Insufficient balance: the {} has {} available, and {} are needed.':
    'शेष राशि कम है: {2} उपलब्ध हैं और {3} चाहिए।',
  'Insufficient balance: {} are available, and {} are needed.':
    'शेष राशि कम है: {1} उपलब्ध हैं और {2} चाहिए।',
  'The amount must be more than zero.': 'राशि शून्य से अधिक होनी चाहिए।',
  'The amount is whole dollars above zero, up to {} digits.':
    'राशि शून्य से अधिक पूरे डॉलर में हो, अधिकतम {1} अंक।',
  'A withdrawal is whole dollars, of incomes at least {}.':
    'निकासी पूरे डॉलर में होती है, आय में से कम से कम {1}।',
  'below the minimum of {}': 'न्यूनतम {1} से कम',
  'whole dollars only': 'केवल पूरे डॉलर',
  'This is more than the {} that you may withdraw on one day.':
    'आप एक दिन में {1} तक ही निकाल सकते हैं।',
  "Today's limit for withdrawals of all members is reached. Try again tomorrow, or with less.":
    'सभी सदस्यों की निकासी की आज की सीमा पूरी हो गई। कल फिर, या कम राशि से कोशिश करें।',
  'With this withdrawal of {}, approvals would exceed {} per day (withdraw_total_daily). Approve it tomorrow.':
    '{1} की इस निकासी के साथ एक दिन में {2} से अधिक स्वीकृत हो जाएगा (withdraw_total_daily)। इसे कल स्वीकृत करें।',
  'Withdrawal {} is {} and can no longer be cancelled.':
    'निकासी {1} की स्थिति "{2}" है, वह अब रद्द नहीं हो सकती।',
  'There is no withdrawal {}.': 'निकासी {1} नहीं है।',
  'not funded yet': 'अभी नकद उपलब्ध नहीं',
  'already claimed': 'दावा पहले ही हो चुका है',
  'There is no claim {}.': 'दावा {1} नहीं है।',
  'You have no such purchase.': 'आपकी ऐसी कोई खरीद नहीं है।',
  'sale is not cooling off': 'खरीद वापस करने की अवधि समाप्त हो चुकी है',
  '{} is not offered here.': '{1} यहाँ उपलब्ध नहीं है।',
  'An activation is for members without a package, an upgrade for those with one.':
    'सक्रियण उनके लिए है जिनके पास पैकेज नहीं, अपग्रेड उनके लिए जिनके पास है।',
  'An upgrade is for members with an investment on {}: activate first.':
    'अपग्रेड उनके लिए है जिनका {1} में निवेश है: पहले सक्रिय करें।',
  'The member has this package or a larger one.': 'सदस्य के पास यह या इससे बड़ा पैकेज है।',
  'The package takes {} to {}.': 'इस पैकेज में {1} से {2} तक लगते हैं।',
  'There is no package {}.': 'पैकेज {1} नहीं है।',
  'There is no package {} on {}.': '{2} में पैकेज {1} नहीं है।',
  'This transaction number was used before.': 'यह लेनदेन संख्या पहले उपयोग हो चुकी है।',
  'This is not a transaction hash. A hash is 0x and 64 digits from 0-9 and a-f.':
    'यह लेनदेन का हैश नहीं है: उसमें 0x और 0-9 तथा a-f के 64 अक्षर होते हैं।',
  'This is not a UTR number. A UTR number has 6 to 30 letters and digits.':
    'यह UTR संख्या नहीं है: उसमें 6 से 30 अक्षर और अंक होते हैं।',
  'You have {} pending requests. Wait until they are decided.':
    'आपके {1} अनुरोध प्रतीक्षा में हैं। उन पर निर्णय होने तक रुकें।',
  'Select the bank that you have paid into.': 'वह बैंक चुनें जिसमें आपने भुगतान किया है।',
  'There is no bank {}.': 'बैंक {1} नहीं है।',
  'USDT cannot be sent at the moment, because there is no address for it.':
    'अभी USDT नहीं भेजा जा सकता: उसके लिए पता नहीं है।',
  'You have 20 open queries. Please wait for a reply before you send another.':
    'आपके 20 प्रश्न उत्तर की प्रतीक्षा में हैं। नया भेजने से पहले किसी एक के उत्तर तक रुकें।',
  'Query should not be greater than 1000 characters': 'प्रश्न 1000 अक्षरों से अधिक न हो',
  'You must be at least 18 years old': 'आपकी आयु कम से कम 18 वर्ष होनी चाहिए',
  'Enter a valid Date of Birth': 'सही जन्म तिथि भरें',
  'Enter a valid Aadhar no.': 'सही आधार संख्या भरें',
  'Enter a valid Account No.': 'सही खाता संख्या भरें',
  'Enter a valid Ifsc': 'सही IFSC भरें',
  'Enter a valid Pan No.': 'सही पैन संख्या भरें',
  'Mobile Number is required': 'मोबाइल नंबर आवश्यक है',
  'Password should not be greater than 20 characters': 'पासवर्ड 20 अक्षरों से अधिक न हो',
  'Transction Password should not be greater than 10 characters':
    'लेनदेन पासवर्ड 10 अक्षरों से अधिक न हो',
  'User Name must have letters and spaces only': 'नाम में केवल अक्षर और रिक्त स्थान हों',
  'Last Name must have letters and spaces only': 'उपनाम में केवल अक्षर और रिक्त स्थान हों',
  'Father/Husband Name must have letters and spaces only':
    'पिता/पति के नाम में केवल अक्षर और रिक्त स्थान हों',
  'Nominee Name must have letters and spaces only': 'नामित व्यक्ति के नाम में केवल अक्षर और रिक्त स्थान हों',
  'Holder Name must have letters and spaces only': 'खाताधारक के नाम में केवल अक्षर और रिक्त स्थान हों',
  'Last Name should not be greater than 20 characters': 'उपनाम 20 अक्षरों से अधिक न हो',
  'Father/Husband Name is required': 'पिता/पति का नाम आवश्यक है',
  'Father/Husband Name must be at least 4 characters': 'पिता/पति का नाम कम से कम 4 अक्षरों का हो',
  'Father/Husband Name should not be greater than 20 characters':
    'पिता/पति का नाम 20 अक्षरों से अधिक न हो',
  'Nominee Name should not be greater than 20 characters':
    'नामित व्यक्ति का नाम 20 अक्षरों से अधिक न हो',
  'Holder Name should not be greater than 30 characters': 'खाताधारक का नाम 30 अक्षरों से अधिक न हो',
  'Address should not be greater than 100 characters': 'पता 100 अक्षरों से अधिक न हो',
  'About Us should not be greater than 100 characters': 'परिचय 100 अक्षरों से अधिक न हो',
  'Bank details are switched off here.': 'यहाँ बैंक विवरण बंद हैं।',
  'The password was changed in the meantime. Try again with the new one.':
    'इस बीच पासवर्ड बदल गया। नए पासवर्ड से फिर कोशिश करें।',
  'The transaction password was changed in the meantime. Try again with the new one.':
    'इस बीच लेनदेन पासवर्ड बदल गया। नए से फिर कोशिश करें।',
  "An operator's visit may look and not change anything.": 'ऑपरेटर केवल देख सकता है, कुछ बदल नहीं सकता।',
  "An operator's visit cannot change a member's details.": 'ऑपरेटर सदस्य का विवरण नहीं बदल सकता।',
  "An operator's visit cannot change a password.": 'ऑपरेटर पासवर्ड नहीं बदल सकता।',
  "Only the member may move the member's money.": 'सदस्य का पैसा केवल सदस्य ही आगे भेज सकता है।',
  'You may ask about your own account only.': 'आप केवल अपने खाते के बारे में पूछ सकते हैं।',
  'There is no such open session.': 'ऐसा कोई खुला सत्र नहीं है।',
  'There is no such call.': 'ऐसी कोई सेवा नहीं है।',
  'There is no day {} in the calendar.': 'कैलेंडर में {1} कोई दिन नहीं है।',
  'A day is written as 2026-01-31.': 'तिथि 2026-01-31 की तरह लिखी जाती है।',
  'The statement has {} entries and a PDF holds {}: choose a shorter period, or take csv or xlsx.':
    'विवरण में {1} प्रविष्टियाँ हैं और PDF में {2} आती हैं: छोटी अवधि चुनें, या CSV या XLSX लें।',
  'The chain does not know this transaction yet.': 'चेन पर यह लेनदेन अभी नहीं है।',
  'The block with this transaction was replaced; it has to be mined again.':
    'इस लेनदेन का ब्लॉक बदल गया; उसे फिर जुड़ना होगा।',
  'Waiting for confirmations: {} of {}.': 'पुष्टि की प्रतीक्षा: {2} में से {1}।',
  '{} arrived, with {} confirmations.': '{1} आ गए, {2} पुष्टियों के साथ।',
  'The transaction failed on the chain: no money moved.': 'चेन पर लेनदेन विफल रहा: पैसा नहीं गया।',
  'It paid in another token (contract {}), not in {}.':
    'भुगतान किसी और टोकन (अनुबंध {1}) में हुआ, {2} में नहीं।',
  'It paid nothing in the token {}.': 'टोकन {1} में कुछ नहीं आया।',
  'It paid {}, which is less than the {} of the request.':
    'भुगतान {1} का हुआ, जो अनुरोध के {2} से कम है।',
  'It paid {}, which is more than the {} of the request.':
    'भुगतान {1} का हुआ, जो अनुरोध के {2} से अधिक है।',
  'It paid {}, not {}.': 'भुगतान {1} को हुआ, {2} को नहीं।',
  'It was paid on {}, which is too early: it counts from {} on.':
    'भुगतान {1} को हुआ, जो बहुत पहले है: {2} से गिना जाता है।',
}
