import type { Translations } from '../../brand.ts'

/** The plain pages of the demo brand. */
export const pageTexts: Translations = {
  'This is the demo brand of the software. Whoever runs an installation replaces this page by terms of their own, checked by a lawyer where they offer it.':
    'यह सॉफ़्टवेयर का डेमो ब्रांड है। जो भी इसे चलाता है, वह इस पृष्ठ की जगह अपनी शर्तें रखता है, जिन्हें वहाँ के वकील ने जाँचा हो।',
  'Joining. Membership is for adults. Each person has one account, gives true details, and keeps the password and the transaction password to themselves.':
    'जुड़ना। सदस्यता वयस्कों के लिए है। हर व्यक्ति का एक खाता होता है, वह सही जानकारी देता है, और पासवर्ड तथा लेनदेन पासवर्ड अपने तक रखता है।',
  'Packages. A package is paid from the fund balance. It can be returned while it is cooling off; then the whole price goes back to whoever paid it.':
    'पैकेज। पैकेज का भुगतान फ़ंड शेष से होता है। कूलिंग-ऑफ़ के दौरान वह लौटाया जा सकता है; तब पूरा मूल्य भुगतान करने वाले को वापस जाता है।',
  'Trading lines. What is placed in a line is exposed to that line’s results, which are booked daily and may be losses. Principal comes back at the end of the term, less losses that profits have not made good.':
    'ट्रेडिंग लाइनें। किसी लाइन में रखी राशि उस लाइन के परिणामों के अधीन है, जो रोज़ दर्ज होते हैं और घाटा हो सकते हैं। अवधि के अंत में मूलधन लौटता है, उन घाटों को घटाकर जिन्हें लाभ ने पूरा नहीं किया।',
  'Incomes. Network incomes are paid only from pools that final sales have filled and are scaled alike when a pool is short. Returns are paid only from booked and settled profit. No rate and no income is promised.':
    'आय। नेटवर्क आय केवल अंतिम बिक्री से भरे कोषों से दी जाती है और कोष कम होने पर समान अनुपात में घटती है। प्रतिफल केवल दर्ज और निपटाए गए लाभ से दिया जाता है। किसी दर और किसी आय का वादा नहीं है।',
  'Withdrawals. Earned income is withdrawn in whole dollars, at the charge that the withdrawal screen shows. Unused fund balance is withdrawn without a charge.':
    'निकासी। अर्जित आय पूरे डॉलर में, निकासी पृष्ठ पर दिखाए शुल्क पर निकाली जाती है। अप्रयुक्त फ़ंड शेष बिना शुल्क निकाला जाता है।',
  'Chargebacks. When the payment of a final sale is taken back, the incomes that it paid are taken back too.':
    'चार्जबैक। जब किसी अंतिम बिक्री का भुगतान वापस ले लिया जाता है, तो उससे दी गई आय भी वापस ली जाती है।',
  'Ending. Members may leave at any time after withdrawing what is theirs.':
    'समाप्ति। सदस्य अपना पैसा निकालकर कभी भी जा सकते हैं।',
  'We keep what the service needs: your name, country, mobile number and e-mail address, what you bought, earned and withdrew, and from which address you signed in.':
    'हम वही रखते हैं जो सेवा को चाहिए: आपका नाम, देश, मोबाइल नंबर और ईमेल पता, आपने क्या ख़रीदा, कमाया और निकाला, और किस पते से लॉगिन किया।',
  'Passwords are kept only as hashes that cannot be turned back. Bank and wallet details are shown to you and to the operators who pay you out.':
    'पासवर्ड केवल ऐसे हैश के रूप में रखे जाते हैं जिन्हें उलटा नहीं जा सकता। बैंक और वॉलेट विवरण आपको और भुगतान करने वाले ऑपरेटरों को दिखते हैं।',
  'Members above you see your user id, name and the business you bring, because their incomes follow from it. Visitors see none of it.':
    'आपसे ऊपर के सदस्य आपकी यूज़र आईडी, नाम और आपका लाया व्यवसाय देखते हैं, क्योंकि उनकी आय उसी से बनती है। आगंतुक इनमें से कुछ नहीं देखते।',
  'Entries of the ledger cannot be deleted, since they prove what is owed to everybody. Your profile can be corrected at any time.':
    'बहीखाते की प्रविष्टियाँ मिटाई नहीं जा सकतीं, क्योंकि वे सबका देय सिद्ध करती हैं। आपकी प्रोफ़ाइल कभी भी सुधारी जा सकती है।',
  'The newsletter is sent only to addresses that were confirmed, and every letter has a link that ends it.':
    'न्यूज़लेटर केवल पुष्टि किए गए पतों पर भेजा जाता है, और हर पत्र में उसे बंद करने का लिंक होता है।',
  'There is no tracking and no advertising on this site.':
    'इस साइट पर कोई ट्रैकिंग और कोई विज्ञापन नहीं है।',
  'Members write to support from inside their account, under Support. Each request and its answer stay on record there.':
    'सदस्य अपने खाते के भीतर, सहायता के अंतर्गत लिखते हैं। हर अनुरोध और उसका उत्तर वहाँ दर्ज रहता है।',
  'Forgot the password? The link on the login page mails a temporary one to the address of the account.':
    'पासवर्ड भूल गए? लॉगिन पृष्ठ का लिंक खाते के पते पर एक अस्थायी पासवर्ड भेजता है।',
  'A deposit that does not show: write the transaction number (UTR or TRX) into the request, so that it can be found.':
    'जमा राशि नहीं दिख रही: अनुरोध में लेनदेन संख्या (UTR या TRX) लिखें, ताकि उसे ढूँढा जा सके।',
  'Support never asks for a password, a transaction password or a code from a letter.':
    'सहायता कभी पासवर्ड, लेनदेन पासवर्ड या पत्र का कोड नहीं माँगती।',
  'The trading desk books each line’s result with its evidence. It has no access to the pools or to members’ wallets.':
    'ट्रेडिंग डेस्क हर लाइन का परिणाम प्रमाण के साथ दर्ज करता है। कोषों या सदस्यों के वॉलेट तक उसकी पहुँच नहीं है।',
  'Operations closes each day. One operator prepares the close, a second approves it, and neither can do both.':
    'संचालन हर दिन का समापन करता है। एक ऑपरेटर समापन तैयार करता है, दूसरा स्वीकृत करता है, और कोई दोनों नहीं कर सकता।',
  'Support answers members and can see what a member sees, never the password.':
    'सहायता सदस्यों को उत्तर देती है और वही देख सकती है जो सदस्य देखता है, पासवर्ड कभी नहीं।',
  'A binary tree with a left and a right leg, which shows volumes and members of both at any depth.':
    'बाएँ और दाएँ लेग वाला बाइनरी ट्री, जो किसी भी गहराई पर दोनों की मात्रा और सदस्य दिखाता है।',
  'Twenty levels of level income, matching, ranks, rewards, salary and royalty, each row with an explanation of how it came about.':
    'बीस स्तरों की लेवल आय, मैचिंग, रैंक, पुरस्कार, वेतन और रॉयल्टी, हर पंक्ति के साथ यह स्पष्टीकरण कि वह कैसे बनी।',
  'Forex and crypto positions with daily booked results, settled before they are paid, losses shown as plainly as gains.':
    'रोज़ दर्ज परिणामों वाली फ़ॉरेक्स और क्रिप्टो स्थितियाँ, भुगतान से पहले निपटाई गई, घाटा भी लाभ जितना साफ़।',
  'A ledger that is exact to the micro-dollar, chained and signed, which anybody with a copy can verify.':
    'माइक्रो-डॉलर तक सटीक, शृंखलाबद्ध और हस्ताक्षरित बहीखाता, जिसे प्रति रखने वाला कोई भी जाँच सकता है।',
  'Statements and exports of every list as CSV, Excel and PDF.':
    'हर सूची के विवरण और निर्यात CSV, Excel और PDF में।',
  Packages: 'पैकेज',
  'The educational package costs $50 once: lessons from first principles and the signals our desk works with. Signals are no advice.':
    'शैक्षिक पैकेज का मूल्य एक बार $50 है: आरंभ से पाठ और वे संकेत जिनसे हमारा डेस्क काम करता है। संकेत सलाह नहीं हैं।',
  'The forex robot trades automatically from the fund placed in it. Each position carries an equity floor, results are booked daily, and losses are shown as plainly as gains.':
    'फ़ॉरेक्स रोबोट उसमें रखे फ़ंड से अपने आप ट्रेड करता है। हर स्थिति की एक इक्विटी सीमा होती है, परिणाम रोज़ दर्ज होते हैं, और घाटा भी लाभ की तरह साफ़ दिखाया जाता है।',
  'Crypto arbitrage buys where a coin is cheaper and sells where it is dearer. Fees or delays can turn a trade into a loss.':
    'क्रिप्टो आर्बिट्राज जहाँ सिक्का सस्ता है वहाँ ख़रीदता है और जहाँ महँगा है वहाँ बेचता है। शुल्क या देरी से सौदा घाटे में जा सकता है।',
  'You can lose money. Results vary, losses happen, and past results say nothing about future ones. Live figures are on the transparency page.':
    'आपका पैसा डूब सकता है। परिणाम बदलते हैं, घाटा होता है, और बीते परिणाम आगे के बारे में कुछ नहीं कहते। अभी के आँकड़े पारदर्शिता पृष्ठ पर हैं।',
  'We look for people who write things down exactly and say when they are wrong.':
    'हम ऐसे लोग खोजते हैं जो बातें ठीक-ठीक लिखते हैं और ग़लत होने पर कह देते हैं।',
  'Open positions are listed on the page Job. If none fits, write to us through the support of any installation and tell what you would do better.':
    'खुले पद नौकरी पृष्ठ पर हैं। कोई उपयुक्त न हो तो किसी भी संस्थापन की सहायता से हमें लिखें और बताएँ कि आप क्या बेहतर करेंगे।',
  'There are no open positions at the moment.': 'इस समय कोई खुला पद नहीं है।',
  'Being a member is no employment: incomes of the plan are no wage, and nobody has to recruit anybody.':
    'सदस्य होना नौकरी नहीं है: योजना की आय वेतन नहीं है, और किसी को किसी की भर्ती नहीं करनी पड़ती।',
  'What changes in the rules is announced before it holds: a new version of the plan takes effect on a future day and never on a closed one.':
    'नियमों में बदलाव लागू होने से पहले बताया जाता है: योजना का नया संस्करण किसी आने वाले दिन से लागू होता है, बंद हो चुके दिन पर कभी नहीं।',
  'What changes in the software is listed in its change log.':
    'सॉफ़्टवेयर में बदलाव उसके परिवर्तन लॉग में लिखे हैं।',
  'Announcements about closes, maintenance and rules appear here and in the newsletter.':
    'समापन, रखरखाव और नियमों की घोषणाएँ यहाँ और न्यूज़लेटर में आती हैं।',
  'There is nothing to announce at the moment.': 'इस समय घोषणा करने को कुछ नहीं है।',
  'On your phone': 'आपके फ़ोन पर',
  'There is no app in the stores. The site works in the browser of any phone and can be put on the home screen from the browser’s menu.':
    'स्टोर में कोई ऐप नहीं है। साइट किसी भी फ़ोन के ब्राउज़र में चलती है और ब्राउज़र के मेन्यू से होम स्क्रीन पर रखी जा सकती है।',
  'Beware of apps that use our name: they are not ours.':
    'हमारे नाम का उपयोग करने वाले ऐप से सावधान रहें: वे हमारे नहीं हैं।',
}
