import type { ConsoleTexts } from '../console.ts'

export const claimQueue: Pick<ConsoleTexts, 'claimQueue' | 'reasons' | 'forbidden'> = {
  claimQueue: {
    empty: 'पोज़िशन परिपक्व होने पर दावे यहाँ दिखते हैं: हर एक के लिए नकद वापस मँगाएँ।',
    claim: 'दावा',
    line: 'लाइन',
    position: 'पोज़िशन',
    principal: 'मूलधन',
    income: 'रुका रिटर्न, घाटा घटाकर',
    amount: 'सदस्य को मिलेगा',
    recalled: 'वापस मँगाया गया',
    need: 'ज़रूरी नकद',
    available: 'लाइन का नकद',
    state: 'स्थिति',
    states: { Open: 'नकद चाहिए', Funded: 'नकद उपलब्ध', Claimed: 'लिया गया' },
    since: 'प्रतीक्षा में, कब से',
    taken: 'लेने का दिन',
    from: 'प्रतीक्षा में, इस दिन से',
    to: 'इस दिन तक',
    ofMember: 'दावे देखें',
  },
  reasons: {
    fund: {
      missing: 'ऐसा कोई भुगतान नहीं आया',
      amount: 'दूसरी राशि आई है',
      number: 'संख्या किसी दूसरे भुगतान की है',
      account: 'दूसरे खाते में भुगतान हुआ',
    },
    withdrawal: {
      address: 'इस पते पर भुगतान नहीं हो सकता',
      identity: 'विवरण अधूरे हैं',
      stranger: 'खाते की जाँच ज़रूरी है',
      asked: 'सदस्य ने स्वयं कहा',
    },
  },
  forbidden: {
    heading: 'यह आपकी भूमिका के लिए नहीं है',
    text: 'ज़रूरत हो तो कोई स्वामी आपकी भूमिका बदल सकता है।',
    home: 'कंसोल के मुखपृष्ठ पर',
  },
}
