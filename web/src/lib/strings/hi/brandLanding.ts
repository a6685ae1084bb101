import type { Translations } from '../../brand.ts'

/** The landing page of the demo brand. */
export const landingTexts: Translations = {
  'Bifolia · Empower your financial future': 'Bifolia · अपना वित्तीय भविष्य सशक्त करें',
  'Two legs, one ledger.': 'दो लेग, एक बहीखाता।',
  'Risk notice': 'जोखिम सूचना',
  'You can lose money.': 'आपका पैसा डूब सकता है।',
  'Forex and crypto prices move both ways. Results vary, losses happen, and past results say nothing about future ones. No income is guaranteed. Use only money you can afford to lose.':
    'फ़ॉरेक्स और क्रिप्टो के दाम दोनों ओर चलते हैं। परिणाम बदलते हैं, घाटा होता है, और बीते परिणाम आगे के बारे में कुछ नहीं कहते। किसी आय की गारंटी नहीं है। केवल वही पैसा लगाएँ जिसे आप खो सकते हैं।',
  'Can lose money': 'पैसा डूब सकता है',
  'Trading forex and crypto can lose money. Nothing on this site promises a return or is investment advice.':
    'फ़ॉरेक्स और क्रिप्टो ट्रेडिंग में पैसा डूब सकता है। यह साइट किसी लाभ का वादा नहीं करती और निवेश की सलाह नहीं है।',
  'Empower your financial future with figures you can check':
    'जाँचे जा सकने वाले आँकड़ों से अपना वित्तीय भविष्य सशक्त करें',
  'Forex education and signals, a trading robot and crypto arbitrage, in a member network with two legs. Every dollar is written down once, exactly, and stays open to inspection.':
    'फ़ॉरेक्स शिक्षा और संकेत, एक ट्रेडिंग रोबोट और क्रिप्टो आर्बिट्राज, दो लेग वाले सदस्य नेटवर्क में। हर डॉलर एक बार, ठीक-ठीक लिखा जाता है और जाँच के लिए खुला रहता है।',
  'Sign-Up': 'साइन अप',
  'Watch Video': 'वीडियो देखें',
  'Bifolia in one minute': 'एक मिनट में Bifolia',
  'You join under a sponsor': 'आप एक प्रायोजक के नीचे जुड़ते हैं',
  'A sponsor invites you to the left or the right leg. Joining is free and binds you to nothing.':
    'प्रायोजक आपको बाएँ या दाएँ लेग में बुलाता है। जुड़ना निःशुल्क है और आपको किसी बात से नहीं बाँधता।',
  'You choose a package, or none': 'आप पैकेज चुनते हैं, या नहीं चुनते',
  'A package has a cooling-off time. Until it ends you can return it, and its price pays nobody.':
    'हर पैकेज की कूलिंग-ऑफ़ अवधि होती है। उसके पूरे होने तक आप उसे लौटा सकते हैं, और उसका मूल्य किसी को नहीं दिया जाता।',
  'Results are booked every day': 'परिणाम हर दिन दर्ज होते हैं',
  'Gains and losses of each trading line are booked as they are, with their evidence. No rate is promised.':
    'हर ट्रेडिंग लाइन का लाभ और घाटा जैसा है वैसा ही, प्रमाण के साथ दर्ज होता है। किसी दर का वादा नहीं है।',
  'Incomes have a source': 'हर आय का स्रोत है',
  'Network incomes come from pools that final sales have filled, returns from booked profit. Nothing is ever paid out of a deposit.':
    'नेटवर्क आय अंतिम बिक्री से भरे कोषों से आती है, प्रतिफल दर्ज लाभ से। जमा राशि से कभी कुछ नहीं दिया जाता।',
  'Everybody can check': 'हर कोई जाँच सकता है',
  'The transparency page shows what is owed, what covers it, and every loss.':
    'पारदर्शिता पृष्ठ दिखाता है कि क्या देय है, उसे क्या ढकता है, और हर घाटा।',
  Close: 'बंद करें',
  'How money is kept': 'पैसा कैसे रखा जाता है',
  'Four rules the ledger enforces on every posting. None of them depends on anybody’s good will.':
    'चार नियम, जिन्हें बहीखाता हर प्रविष्टि पर लागू करता है। इनमें से कोई किसी की नीयत पर निर्भर नहीं है।',
  'Explore More': 'और जानें',
  'Bifolia is a community around trading: it teaches forex from first principles, runs a trading robot and a crypto arbitrage desk, and rewards members who bring customers and members of their own.':
    'Bifolia ट्रेडिंग के इर्द-गिर्द बना एक समुदाय है: यह आरंभ से फ़ॉरेक्स सिखाता है, एक ट्रेडिंग रोबोट और क्रिप्टो आर्बिट्राज डेस्क चलाता है, और उन सदस्यों को पुरस्कृत करता है जो ग्राहक और सदस्य लाते हैं।',
  'Two leaves gave it its name: the left and the right leg below each member. Matching compares the volume of both, so that a team grows on two sides.':
    'नाम दो पत्तियों से आया: हर सदस्य के नीचे बायाँ और दायाँ लेग। मैचिंग दोनों की मात्रा की तुलना करती है, ताकि टीम दोनों ओर बढ़े।',
  'What members deposit stands apart from everything else and is covered one to one by client cash. Network incomes come only from pools that final sales fill. Returns come only from booked trading profit, and where there is none, nothing is paid.':
    'सदस्यों की जमा राशि बाकी सबसे अलग रहती है और ग्राहक नकदी से एक-एक ढकी रहती है। नेटवर्क आय केवल उन कोषों से आती है जिन्हें अंतिम बिक्री भरती है। प्रतिफल केवल दर्ज ट्रेडिंग लाभ से आता है, और जहाँ लाभ नहीं, वहाँ कुछ नहीं दिया जाता।',
  'Every posting is part of a chain of signed batches. A changed or missing entry shows, and money stands still until it is explained.':
    'हर प्रविष्टि हस्ताक्षरित समूहों की शृंखला का हिस्सा है। बदली या ग़ायब प्रविष्टि दिख जाती है, और स्पष्टीकरण तक पैसा रुका रहता है।',
  'The transparency page shows the figures of the last close: what is owed to members, what covers it, results of each line with their losses, and what members really earned, those with nothing included.':
    'पारदर्शिता पृष्ठ पिछले समापन के आँकड़े दिखाता है: सदस्यों का कितना देय है, उसे क्या ढकता है, हर लाइन के परिणाम घाटे सहित, और सदस्यों ने वास्तव में कितना कमाया, जिन्हें कुछ नहीं मिला वे भी।',
  'Deposits stand apart': 'जमा राशि अलग रहती है',
  'What members deposit is segregated and covered 1:1 by client cash. It is never the source of anyone’s income.':
    'सदस्यों की जमा राशि अलग रखी जाती है और ग्राहक नकदी से 1:1 ढकी रहती है। वह कभी किसी की आय का स्रोत नहीं होती।',
  'Network incomes come only from pools that final sales have filled; returns come only from booked trading profit. If a pool is short, every claim on it is scaled alike.':
    'नेटवर्क आय केवल अंतिम बिक्री से भरे कोषों से आती है; प्रतिफल केवल दर्ज ट्रेडिंग लाभ से। कोष कम पड़े तो हर दावा समान अनुपात में घटता है।',
  'Exact to the micro-dollar': 'माइक्रो-डॉलर तक सटीक',
  'Amounts are whole numbers of micro-dollars. Nothing is rounded away, and both sides of every transfer sum to zero.':
    'राशियाँ माइक्रो-डॉलर की पूर्ण संख्याएँ हैं। कुछ भी गोल नहीं किया जाता, और हर लेनदेन के दोनों पक्षों का योग शून्य होता है।',
  'Chained and checkable': 'जुड़ा हुआ और जाँचने योग्य',
  'Entries are only ever added. Each one is part of a hash chain, so that a changed or missing entry shows.':
    'प्रविष्टियाँ केवल जोड़ी जाती हैं। हर एक हैश शृंखला का हिस्सा है, इसलिए बदली या ग़ायब प्रविष्टि दिख जाती है।',
  'Our projects': 'हमारी परियोजनाएँ',
  'What the community builds besides trading. Each project stands on its own; none of them is a source of member incomes.':
    'ट्रेडिंग के अलावा समुदाय जो बनाता है। हर परियोजना अपने बल पर खड़ी है; कोई भी सदस्यों की आय का स्रोत नहीं है।',
  'A decentralized exchange where tokens are swapped from wallet to wallet, without an account.':
    'एक विकेंद्रित एक्सचेंज, जहाँ टोकन बिना खाते के एक वॉलेट से दूसरे में बदले जाते हैं।',
  'A travel agency for small groups: fixed prices, and one person who answers the phone.':
    'छोटे समूहों के लिए यात्रा एजेंसी: तय दाम, और फ़ोन उठाने वाला एक व्यक्ति।',
  'A personalized fashion platform: clothes cut to your measurements from patterns that designers share.':
    'व्यक्तिगत फ़ैशन का मंच: डिज़ाइनरों के साझा पैटर्न से आपके नाप के कपड़े।',
  'A crypto trading bot that places buy and sell orders on a grid of prices, within limits that you set. It can lose money.':
    'एक क्रिप्टो ट्रेडिंग बॉट, जो आपकी तय सीमाओं में दामों के जाल पर ख़रीद और बिक्री के आदेश रखता है। इसमें पैसा डूब सकता है।',
  'A crypto trading bot that follows a trend until it breaks, with a stop on every order. It can lose money.':
    'एक क्रिप्टो ट्रेडिंग बॉट, जो रुझान टूटने तक उसके साथ चलता है, हर आदेश पर स्टॉप के साथ। इसमें पैसा डूब सकता है।',
  'A blockchain coin that pays for services inside the community. Its price can fall to nothing.':
    'एक ब्लॉकचेन सिक्का, जिससे समुदाय की सेवाओं का भुगतान होता है। उसका दाम शून्य तक गिर सकता है।',
  'Our Packages': 'हमारे पैकेज',
  'Three ways to take part. Each says what the software does, and no more.':
    'भाग लेने के तीन तरीके। हर एक वही बताता है जो सॉफ़्टवेयर करता है, उससे अधिक नहीं।',
  'Educational package': 'शैक्षिक पैकेज',
  'Forex lessons from first principles, and the signals our desk works with, so that you can follow each decision.':
    'आरंभ से फ़ॉरेक्स के पाठ, और वे संकेत जिनसे हमारा डेस्क काम करता है, ताकि आप हर निर्णय समझ सकें।',
  'Signals are no advice: whoever trades on them can lose money.':
    'संकेत सलाह नहीं हैं: उन पर ट्रेड करने वाले का पैसा डूब सकता है।',
  'Forex robot': 'फ़ॉरेक्स रोबोट',
  'Trades automatically from the fund placed in it. Each position carries an equity floor, results are booked daily, and losses are shown as plainly as gains. A floor limits a loss; it does not rule one out.':
    'उसमें रखे फ़ंड से अपने आप ट्रेड करता है। हर स्थिति की एक इक्विटी सीमा होती है, परिणाम रोज़ दर्ज होते हैं, और घाटा भी लाभ की तरह साफ़ दिखाया जाता है। सीमा घाटे को कम रखती है; उसे नकारती नहीं।',
  'You can lose money. Results vary, and past results say nothing about future ones.':
    'आपका पैसा डूब सकता है। परिणाम बदलते हैं, और बीते परिणाम आगे के बारे में कुछ नहीं कहते।',
  'Crypto arbitrage': 'क्रिप्टो आर्बिट्राज',
  'Buys where a coin is cheaper and sells where it is dearer. Price differences close quickly, and fees or delays can turn a trade into a loss.':
    'जहाँ सिक्का सस्ता है वहाँ ख़रीदता है और जहाँ महँगा है वहाँ बेचता है। दामों का अंतर जल्दी मिट जाता है, और शुल्क या देरी से घाटा हो सकता है।',
  'View more': 'और देखें',
  Faq: 'प्रश्न',
  'Is any income guaranteed?': 'क्या किसी आय की गारंटी है?',
  'No. Trading results can be negative, and network incomes depend on final sales. Nobody can promise a profit, and we do not.':
    'नहीं। ट्रेडिंग परिणाम ऋणात्मक हो सकते हैं, और नेटवर्क आय अंतिम बिक्री पर निर्भर है। कोई लाभ का वादा नहीं कर सकता, और हम नहीं करते।',
  'Can my deposit be used to pay somebody else?': 'क्या मेरी जमा राशि किसी और को देने में लग सकती है?',
  'No. A posting that would pay an income out of deposits is refused by the ledger itself, whoever asks for it.':
    'नहीं। जमा से आय देने वाली प्रविष्टि को बहीखाता स्वयं ठुकरा देता है, चाहे कोई भी माँगे।',
  'What are the two legs?': 'दो लेग क्या हैं?',
  'Each member has a left and a right place below. People you invite, and people placed by others, extend one of these two legs. Matching compares the volume of both.':
    'हर सदस्य के नीचे एक बायाँ और एक दायाँ स्थान होता है। आपके और दूसरों के लाए लोग इन दो लेग में से एक को बढ़ाते हैं। मैचिंग दोनों की मात्रा की तुलना करती है।',
  'What if I change my mind about a package?': 'अगर पैकेज के बारे में मेरा मन बदल जाए?',
  'A package can be returned while it is cooling off. Until that time ends, its price sits apart and pays nobody.':
    'कूलिंग-ऑफ़ के दौरान पैकेज लौटाया जा सकता है। तब तक उसका मूल्य अलग रहता है और किसी को नहीं दिया जाता।',
  'Can the robot lose my money?': 'क्या रोबोट मेरा पैसा डुबो सकता है?',
  'Yes. Each position carries an equity floor and losses are shown the day they are booked, but markets can jump past any floor. Place only what you can afford to lose.':
    'हाँ। हर स्थिति की एक इक्विटी सीमा होती है और घाटा दर्ज होने के दिन ही दिखता है, पर बाज़ार किसी भी सीमा को लाँघ सकता है। केवल वही लगाएँ जिसे आप खो सकते हैं।',
  'How do I get money out?': 'मैं पैसा कैसे निकालूँ?',
  'Earned income is withdrawn in USDT (BEP-20) to the address in your profile, confirmed by a code sent to your e-mail. Fund balance that you have not used can be withdrawn too, without a fee.':
    'अर्जित आय आपकी प्रोफ़ाइल के पते पर USDT (BEP-20) में निकाली जाती है, ईमेल पर भेजे कोड से पुष्टि के बाद। जिस फ़ंड शेष का उपयोग नहीं हुआ, वह भी बिना शुल्क निकाला जा सकता है।',
  'Contact Us': 'संपर्क करें',
  'Leave your e-mail address for news about the lines, the rules and the figures: at most once a month, and every letter has a link that ends it.':
    'लाइनों, नियमों और आँकड़ों के समाचार के लिए अपना ईमेल पता दें: महीने में अधिकतम एक बार, और हर पत्र में उसे बंद करने का लिंक होता है।',
  'Email Address': 'ईमेल पता',
  Submit: 'भेजें',
  'Thank you. If the address is right, a letter with a link to confirm it is on its way.':
    'धन्यवाद। यदि पता सही है, तो पुष्टि के लिंक वाला पत्र भेजा जा रहा है।',
  'About the forex bot': 'फ़ॉरेक्स बॉट के बारे में',
  'The robot trades currency pairs automatically from the fund placed in it. It opens and closes positions by rules that do not change during the day, and every position carries an equity floor below which it is closed.':
    'रोबोट उसमें रखे फ़ंड से मुद्रा जोड़ियों में अपने आप ट्रेड करता है। वह उन नियमों से स्थितियाँ खोलता और बंद करता है जो दिन में नहीं बदलते, और हर स्थिति की एक इक्विटी सीमा है जिसके नीचे वह बंद हो जाती है।',
  'Its result is booked once a day with a reference to the broker’s statement, and may be negative. A loss takes the line’s reserve first and then the principal; a profit makes good earlier losses before anybody earns.':
    'उसका परिणाम दिन में एक बार ब्रोकर के विवरण के संदर्भ के साथ दर्ज होता है, और ऋणात्मक हो सकता है। घाटा पहले लाइन के भंडार से और फिर मूलधन से जाता है; लाभ किसी की कमाई से पहले पुराने घाटे पूरे करता है।',
  'The charts show how such figures are read. They are samples; the live figures, losses included, are on the transparency page.':
    'चार्ट दिखाते हैं कि ऐसे आँकड़े कैसे पढ़े जाते हैं। वे नमूने हैं; अभी के आँकड़े, घाटे सहित, पारदर्शिता पृष्ठ पर हैं।',
  'Equity and floor of a position': 'एक स्थिति की इक्विटी और सीमा',
  'Sample: a position of $1,000 over twelve days. The floor limits the loss; a jump of the market can pass it.':
    'नमूना: बारह दिनों में $1,000 की एक स्थिति। सीमा घाटे को कम रखती है; बाज़ार की छलाँग उसे पार कर सकती है।',
  'Day 1': 'दिन 1',
  'Day 2': 'दिन 2',
  'Day 3': 'दिन 3',
  'Day 4': 'दिन 4',
  'Day 5': 'दिन 5',
  'Day 6': 'दिन 6',
  'Day 7': 'दिन 7',
  'Day 8': 'दिन 8',
  'Day 9': 'दिन 9',
  'Day 10': 'दिन 10',
  'Day 11': 'दिन 11',
  'Day 12': 'दिन 12',
  'Daily booked results': 'रोज़ दर्ज परिणाम',
  'Sample: results of a line by day. Bars below the line are losses.':
    'नमूना: एक लाइन के दिनवार परिणाम। रेखा के नीचे की पट्टियाँ घाटा हैं।',
  'Distance from the highest value': 'सर्वोच्च मूल्य से दूरी',
  'Sample: how far the position stood below its best day, in parts of a thousand.':
    'नमूना: स्थिति अपने सबसे अच्छे दिन से कितनी नीचे रही, हज़ारवें भाग में।',
  'Quick links': 'त्वरित लिंक',
  'About Us': 'हमारे बारे में',
  Teams: 'टीमें',
  Services: 'सेवाएँ',
  Features: 'विशेषताएँ',
  Support: 'सहायता',
  'Terms and Conditions': 'नियम और शर्तें',
  'Privacy Policy': 'गोपनीयता नीति',
  FAQs: 'सामान्य प्रश्न',
  'Support Center': 'सहायता केंद्र',
  Company: 'कंपनी',
  Careers: 'करियर',
  Updates: 'अपडेट',
  Job: 'नौकरी',
  Announce: 'घोषणाएँ',
  'On iPhone': 'iPhone पर',
  'On Android': 'Android पर',
  '© 2024 Bifolia. All rights reserved.': '© 2024 Bifolia. सर्वाधिकार सुरक्षित।',
  Sample: 'नमूना',
  Business: 'व्यवसाय',
  'Years in market': 'बाज़ार में वर्ष',
  'Projects value': 'परियोजनाओं का मूल्य',
  'Total community': 'कुल समुदाय',
  Equity: 'इक्विटी',
  'Equity floor': 'इक्विटी सीमा',
  Result: 'परिणाम',
  Drawdown: 'गिरावट',
}
