import type { MemberTexts } from '../member.ts'

export const deposit: Pick<MemberTexts, 'deposit'> = {
  deposit: {
    own: 'आपका USDT पता',
    ownText: (confirmations) =>
      `यह पता केवल आपका है। यहाँ भेजी राशि ${confirmations} पुष्टियों के बाद बिना अनुरोध आपके खाते में आ जाती है।`,
    ownFund: 'वह आपके रोबोट फ़ंड में जाती है। किसी और फ़ंड के लिए, भेजने के तुरंत बाद लेनदेन संख्या के साथ फ़ॉर्म भरें।',
    network: 'केवल BNB Smart Chain (BEP-20) पर USDT भेजें। किसी और चेन से भेजी राशि खो जाती है।',
    least: (amount) => `${amount} से कम का भुगतान ऑपरेटर की जाँच के बाद ही जमा होता है।`,
    noOwn: 'इस सदस्य का अभी कोई पता नहीं है।',

    announce: 'भुगतान की सूचना दें',
    announceText:
      'भुगतान से पहले हमें राशि बताएँ। हम उसमें चार दशमलव तक की, एक डॉलर से कम राशि जोड़ते हैं, ताकि ठीक उसी राशि से आपका भुगतान पहचाना जाए और बिना ऑपरेटर के जमा हो।',
    announceSubmit: 'भुगतान की राशि पाएँ',
    announced: 'अब ठीक दिखाई गई राशि भेजें।',
    formNote: 'बिना सूचना दिए भुगतान कर दिया? यहाँ बताएँ: एक ऑपरेटर उसे देखेगा।',
    addressNote: 'पहले भुगतान की सूचना दें, ताकि ऑपरेटर की प्रतीक्षा के बिना जमा हो।',

    payExactly: 'ठीक इतना भेजें:',
    usdt: (amount) => `${amount} USDT`,
    amountCopied: 'राशि कॉपी हुई',
    amountLabel: 'राशि',
    oneOnly:
      'एक ही भुगतान में, BNB Smart Chain (BEP-20) पर। यदि आपका एक्सचेंज राशि में से शुल्क काटता है तो शुल्क जोड़ें, ताकि इतनी राशि पहुँचे।',
    to: 'इस पते पर',
    timeLeft: 'बाकी समय',
    cancel: 'रद्द करें',
    cancelOf: (amount) => `${amount} USDT का भुगतान रद्द करें`,
    cancelTitle: 'यह भुगतान रद्द करें?',
    cancelText: 'यदि पैसा भेज चुके हैं तो रद्द न करें: फिर उसे ऑपरेटर की प्रतीक्षा करनी होगी।',
    cancelConfirm: 'भुगतान रद्द करें',
    cancelled: 'सूचित भुगतान रद्द हुआ।',

    ownRequests: 'आपके भुगतान और अनुरोध यहाँ दिखते हैं।',
    onTheWay: 'रास्ते में भुगतान',
    earlier: 'सूचित भुगतान',
    seen: (confirmations, needed) => `दिखा: ${needed} में से ${confirmations} पुष्टियाँ`,
    standings: {
      waiting: 'आपके भुगतान की प्रतीक्षा',
      confirmed: 'जमा हुआ',
      expired: 'समाप्त',
      person: 'ऑपरेटर की प्रतीक्षा में',
      rejected: 'अस्वीकृत',
    },
  },
}
