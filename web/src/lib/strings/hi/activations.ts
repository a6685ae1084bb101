import type { MemberTexts } from '../member.ts'

export const activations: Pick<MemberTexts, 'activations'> = {
  activations: {
    userId: 'यूज़र आईडी',
    nobody: 'अमान्य यूज़र आईडी!!',
    sponsorNobody: 'यह प्रायोजक आईडी मौजूद नहीं है !!',
    package: 'पैकेज',
    selectPackage: 'पैकेज चुनें',
    packageOption: (name, amount) => `${name} – ${amount}`,
    rangeOption: (name, from, to) => `${name} (${from} से ${to})`,
    amount: 'राशि ($)',
    range: (from, to) => `${from} से ${to} तक, पूरे डॉलर।`,
    transactionPassword: 'लेनदेन पासवर्ड',
    activate: 'सक्रिय करें',
    upgrade: 'अपग्रेड करें',
    effect: (name, id, what) => `${name} (${id}) को ${what} मिलेगा।`,
    difference: 'अपग्रेड में सदस्य के मौजूदा पैकेज से अंतर की राशि लगती है। अधिकतम राशि दिखाई गई है।',
    ownDifference: 'अपग्रेड में आपके मौजूदा पैकेज से अंतर की राशि लगती है।',
    notLarger: 'आपके पास यह या इससे बड़ा पैकेज पहले से है।',
    formTitle: 'चुनें और भुगतान करें',
    aboutTitle: 'भुगतान से पहले',
    robotAbout:
      'पैकेज एक सॉफ़्टवेयर है जिसे आप खरीदते हैं। वह अपने आप कोई प्रतिफल नहीं देता; आय बिक्री पर निर्भर है और शून्य भी हो सकती है।',
    lineAbout:
      'आपके पैसे से ट्रेडिंग होती है। अच्छे और बुरे परिणाम रोज़ दर्ज होते हैं; हानि से आपको वापस मिलने वाली राशि घटती है।',
    cooling: (days) => `कूलिंग-ऑफ़: ${days} दिनों तक आप पैकेज यहाँ लौटाकर उसकी पूरी कीमत वापस पा सकते हैं।`,
    packagesFailed: 'पैकेज लोड नहीं हो सके।',
    notOffered: (line) => `${line} यहाँ उपलब्ध नहीं है।`,
    notOfferedText:
      'इसके लिए लाइसेंस चाहिए, जो इस स्थापना के पास नहीं है। इसके फ़ंड की राशि अप्रयुक्त फ़ंड शेष के रूप में निकाली जा सकती है।',
    forex: 'फ़ॉरेक्स',
    crypto: 'क्रिप्टो',
    toFunds: 'फ़ंड का अनुरोध करें',
    refundTitle: 'पैकेज जिन्हें आप लौटा सकते हैं',
    refundEmpty: 'जिन पैकेजों का भुगतान आपने किया, वे कूलिंग-ऑफ़ के दौरान यहाँ दिखेंगे।',
    refundLine: (name, id) => `${name} – ${id}`,
    refund: 'लौटाएँ',
    refundOf: (what) => `लौटाएँ: ${what}`,
    refundAsk: (what, amount) => `${what} तुरंत समाप्त होगा, और ${amount} आपके रोबोट फ़ंड में वापस आएगा।`,
    refundDone: 'राशि सफलतापूर्वक वापस हुई',
  },
}
