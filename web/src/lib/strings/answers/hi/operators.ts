import type { Terms } from '../../serverText.ts'

/**
 * The server's answers to operators, in Hindi. A key is the English sentence with `{}` for its
 * variable parts.
 */
export const operatorAnswers: Terms = {
  'On {} the database was replaced by a copy of {} that ends at batch {}.':
    '{1} को डेटाबेस की जगह {2} की प्रति रखी गई, जो बैच {3} पर समाप्त होती है।',
  'The hot wallet {} has sent {} transactions, of which this database knows {}: somebody else uses its key, or the database is an older copy.':
    'हॉट वॉलेट {1} ने {2} लेनदेन भेजे हैं, जिनमें से यह डेटाबेस {3} जानता है: या तो कोई और इसकी कुंजी का उपयोग कर रहा है, या डेटाबेस पुरानी प्रति है।',
  'Invalid e-mail, password or code. After five wrong codes, no code is accepted for 15 minutes.':
    'ईमेल, पासवर्ड या कोड ग़लत है। पाँच ग़लत कोड के बाद 15 मिनट तक कोई नहीं लिया जाता।',
  'This code is wrong. Wait for the next one in the app and try again.':
    'यह कोड सही नहीं है। ऐप में अगले कोड तक रुककर फिर कोशिश करें।',
  'There is nothing to confirm any more. Start again.': 'अब पुष्टि करने को कुछ नहीं है: फिर से आरंभ करें।',
  'Set a second factor first.': 'पहले दूसरा कारक तय करें।',
  'This call is not for you.': 'यह आपके लिए नहीं है।',
  'This call is not for your role, {}.': 'यह आपकी भूमिका ({1}) के लिए नहीं है।',
  'Only an operator can do that.': 'यह केवल ऑपरेटर कर सकता है।',
  'Only owners decide about operators.': 'ऑपरेटरों के बारे में केवल स्वामी निर्णय लेते हैं।',
  "Only owners and compliance decide about people's data.":
    'लोगों के डेटा के बारे में केवल स्वामी और अनुपालन निर्णय लेते हैं।',
  "Only owners look at other operators' sessions.": 'अन्य ऑपरेटरों के सत्र केवल स्वामी देखते हैं।',
  "Your role may not enter members' sessions.": 'आपकी भूमिका सदस्यों के खाते नहीं देख सकती।',
  'You made this proposal. Another {} must approve it.':
    'यह आपका प्रस्ताव है: किसी और ({1}) को इसे स्वीकारना होगा।',
  'You have already approved fund request {}. Another operator must approve it too.':
    'आप फ़ंड अनुरोध {1} को स्वीकार कर चुके हैं: किसी और ऑपरेटर को भी करना होगा।',
  'You have already approved withdrawal {}. Another operator must approve it too.':
    'आप निकासी {1} को स्वीकार कर चुके हैं: किसी और ऑपरेटर को भी करना होगा।',
  'The first day, {}, is more than a year away. Once it is approved, no other plan can begin before it.':
    'पहला दिन {1} एक वर्ष से अधिक दूर है। स्वीकृति के बाद उससे पहले कोई और प्लान आरंभ नहीं हो सकता।',
  'A day is written as 2026-01-31, not {}.': 'तिथि 2026-01-31 की तरह लिखी जाती है, {1} की तरह नहीं।',
  'This has changed since the first approval. Review it again.':
    'पहले जो स्वीकृत हुआ उसका डाइजेस्ट अलग है: फिर से देखें।',
  'The proposal has changed. Review it again.': 'जो प्रस्तावित हुआ उसका डाइजेस्ट अलग है: फिर से देखें।',
  'Batch {} has changed. Review it again.': 'बैच {1} का डाइजेस्ट अलग है: फिर से देखें।',
  "{} was changed outside Bifolia: {}. Payments are frozen until 'bifolia verify --thaw' passes.":
    "{1}: सॉफ़्टवेयर के बाहर से बदला गया ({2})। कुछ भुगतान नहीं होता, और 'bifolia verify' के सफल होने तक पैसा नहीं चलता।",
  "Your operator account was changed directly in the database and does not match the signed chain. It is locked, and payments are frozen. Ask another owner to run 'bifolia verify'.":
    "आपका ऑपरेटर खाता सॉफ़्टवेयर के बाहर से बदला गया: वह हस्ताक्षरित शृंखला के अनुसार नहीं है। उसके लिए कुछ नहीं होता, और पैसा नहीं चलता। किसी दूसरे मालिक को बताएँ, जो 'bifolia verify' चलाए।",
  'The payout of withdrawal {} is not what the withdrawal asks for.':
    'निकासी {1} का भुगतान वह नहीं है जो निकासी में माँगा गया।',
  '{} has {} to bear this loss, and {} is missing: the company pays that out of its own money, of which it has {}. After the close it cannot be taken back.':
    '{1} के पास यह हानि उठाने को {2} है, और {3} कम है: वह कंपनी अपने पैसे से देती है, जो {4} है। क्लोज़ के बाद यह वापस नहीं होता।',
  '{} has {} to bear this loss, and {} is missing: the company pays that out of its own money, of which {} is left beside the losses of both lines that are booked or proposed: {} more than it has. After the close it cannot be taken back.':
    '{1} के पास यह हानि उठाने को {2} है, और {3} कम है: वह कंपनी अपने पैसे से देती है, जिसमें दोनों लाइनों की बुक या प्रस्तावित हानियों के बाद {4} बचता है: उसके पास से {5} अधिक। क्लोज़ के बाद यह वापस नहीं होता।',
  '{} is not offered: it has no licence and no open positions.':
    '{1} यहाँ नहीं दिया जाता: इसका लाइसेंस नहीं है, और इसमें किसी की पोज़िशन नहीं है।',
  'This data cannot be erased yet: {}.': 'यह डेटा अभी नहीं मिटाया जा सकता: {1}।',
  'the account is not blocked': 'खाता अवरुद्ध नहीं है',
  "You proposed to erase this member's data: another operator must lift the legal hold.":
    'इस सदस्य का डेटा मिटाने का प्रस्ताव आपका है: कानूनी रोक किसी और ऑपरेटर को हटानी होगी।',
  'You lifted the legal hold of this member: another operator must propose the erasure.':
    'इस सदस्य की कानूनी रोक आपने हटाई: मिटाने का प्रस्ताव किसी और ऑपरेटर को देना होगा।',
  'You proposed plan {}, and it is approved. Another operator must cancel it.':
    'प्लान {1} आपका प्रस्ताव है और स्वीकृत है: उसे किसी और ऑपरेटर को रद्द करना होगा।',
  'This operator has chosen a password, and no link can replace it. If they forgot it, end the operator and invite them under another address.':
    'इस ऑपरेटर ने पासवर्ड चुन लिया है: कोई लिंक उसे नहीं बदलता। जो भूल गया उसे समाप्त करके दूसरे पते से फिर बुलाएँ।',
  'This name stands twice.': 'यह नाम दो बार है।',
  'Fund request {} is {} already.': 'फ़ंड अनुरोध {1} की स्थिति पहले से "{2}" है।',
  'Fund request {} is not pending.': 'फ़ंड अनुरोध {1} निर्णय की प्रतीक्षा में नहीं है।',
  'Fund request {} is {}: only the number of a rejected one can be released.':
    'फ़ंड अनुरोध {1} की स्थिति "{2}" है: केवल अस्वीकृत अनुरोध की संख्या मुक्त हो सकती है।',
  'The number of fund request {} was released before.': 'फ़ंड अनुरोध {1} की संख्या पहले ही मुक्त हो चुकी है।',
  'There is no fund request {}.': 'फ़ंड अनुरोध {1} नहीं है।',
  'Withdrawal {} is {}.': 'निकासी {1} की स्थिति "{2}" है।',
  'You noted the transaction of withdrawal {}. Another operator must confirm its outcome.':
    'निकासी {1} का ट्रांज़ैक्शन आपने दर्ज किया: उसका क्या हुआ, यह दूसरा ऑपरेटर बताए।',
  'The chain cannot be reached, so no payment can be noted. Try again.':
    'चेन से अभी पूछा नहीं जा सकता, और उसके बिना भुगतान के बारे में कुछ दर्ज नहीं होता। फिर से कोशिश करें।',
  'The transaction of withdrawal {} has changed. Review it again.':
    'निकासी {1} का ट्रांज़ैक्शन अब दूसरा है: फिर से देखें।',
  'Withdrawal {} is being paid in batch {}.': 'निकासी {1} का भुगतान बैच {2} में हो रहा है।',
  'Withdrawal {} is in batch {} already.': 'निकासी {1} पहले से बैच {2} में है।',
  'Withdrawal {} is paid in batch {}. Note its payment there.':
    'निकासी {1} का भुगतान बैच {2} में हुआ है: वहीं दर्ज करें।',
  'Withdrawal {} cannot be paid, because member {} has changed the wallet address. Reject it.':
    'निकासी {1} नहीं जा सकती: सदस्य {2} ने इस बीच वॉलेट पता बदला है। उसे अस्वीकार करें।',
  'Withdrawal {} cannot be paid, because member {} is under review.':
    'निकासी {1} नहीं जा सकती: सदस्य {2} समीक्षा में है।',
  'Withdrawal {} cannot be paid before {}, because the member has changed {}.':
    'निकासी {1} {2} से पहले नहीं जा सकती: सदस्य ने {3} बदला है।',
  'Withdrawal {} cannot be paid before {}, because its money came from a member whose account was changed shortly after.':
    'निकासी {1} {2} से पहले नहीं जा सकती: यह पैसा ऐसे सदस्य से आया जिसका खाता कुछ ही देर बाद बदला गया।',
  'Withdrawal {} cannot be paid before {}.': 'निकासी {1} {2} से पहले नहीं जा सकती।',
  'The remark has at most 200 characters, on one line.': 'टिप्पणी एक पंक्ति में अधिकतम 200 अक्षरों की हो।',
  'The remark says why: 1 to 200 characters, on one line.':
    'टिप्पणी में कारण लिखें: एक पंक्ति में 1 से 200 अक्षर।',
  'State the reason in 5 to 200 characters, on one line.': 'कारण एक पंक्ति में 5 से 200 अक्षरों में लिखें।',
  'Enter the reason for the block, in up to 500 characters.':
    '500 अक्षरों तक में लिखें कि सदस्य को क्यों रोका गया।',
  'This member is blocked already.': 'यह सदस्य पहले से रोका गया है।',
  'This member is not blocked.': 'यह सदस्य रोका नहीं गया है।',
  'The personal data of this member was erased.': 'इस सदस्य का व्यक्तिगत डेटा मिटा दिया गया है।',
  'Block the member first: nothing may be under way while personal data is erased.':
    'पहले सदस्य को रोकें: व्यक्तिगत डेटा मिटाते समय कुछ भी चालू नहीं होना चाहिए।',
  'There is no member {}.': 'सदस्य {1} नहीं है।',
  'There is no such operator.': 'ऐसा कोई ऑपरेटर नहीं है।',
  'There is no such proposal.': 'ऐसा कोई प्रस्ताव नहीं है।',
  'This proposal is already {}.': 'यह प्रस्ताव पहले ही {1} हो चुका है।',
  'An operator with this e-mail exists already.': 'इस ईमेल का ऑपरेटर पहले से है।',
  'The operator has this role already.': 'ऑपरेटर की यही भूमिका है।',
  'The last owner cannot be ended. Appoint another owner first.':
    'अंतिम स्वामी की पहुँच समाप्त नहीं हो सकती। पहले दूसरा स्वामी बनाएँ।',
  'There must be an owner. Appoint another one first.': 'एक स्वामी होना आवश्यक है: पहले दूसरा बनाएँ।',
  'The new password must differ from the old one': 'नया पासवर्ड पुराने से अलग होना चाहिए',
  'Password must be at least 10 characters': 'पासवर्ड कम से कम 10 अक्षरों का होना चाहिए',
  'Password must be at most 128 characters': 'पासवर्ड अधिकतम 128 अक्षरों का हो सकता है',
  'You have ten passkeys: remove one first.': 'आपकी दस पासकी हैं: पहले एक हटाएँ।',
  'You have no such passkey.': 'आपकी ऐसी कोई पासकी नहीं है।',
  'This ticket is yours already.': 'यह टिकट पहले से आपके पास है।',
  'This ticket has changed in the meantime. Reload it.':
    'इस बीच किसी ने इस टिकट पर काम किया है: फिर से देखें।',
  'This ticket is closed: reopen it first.': 'यह टिकट बंद है: पहले उसे फिर खोलें।',
  'This ticket is a complaint already.': 'यह टिकट पहले से शिकायत है।',
  'This ticket is not closed.': 'यह टिकट बंद नहीं है।',
  'This ticket has 20 answers: close it, and ask the member to open another.':
    'इस टिकट में 20 उत्तर हैं: इसे बंद करें और सदस्य से नया खोलने को कहें।',
  'Nobody has answered this ticket yet: answer it before you close it.':
    'इस टिकट का अभी उत्तर नहीं दिया गया: बंद करने से पहले उत्तर दें।',
  'Reply is required': 'उत्तर आवश्यक है',
  'Reply should not be greater than 4000 characters': 'उत्तर 4000 अक्षरों से अधिक न हो',
}
