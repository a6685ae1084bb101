import type { MemberTexts } from '../member.ts'

export const histories: Pick<MemberTexts, 'histories' | 'fundNames'> = {
  fundNames: {
    FUNDS: 'रोबोट फ़ंड',
    FOREXFUNDS: 'फ़ॉरेक्स फ़ंड',
    CRYPTOFUNDS: 'क्रिप्टो फ़ंड',
  },

  histories: {
    serial: 'क्र.सं.',
    userId: 'यूज़र आईडी',
    referBy: 'किसके द्वारा',
    packageAmount: 'पैकेज राशि',
    remark: 'टिप्पणी',
    type: 'प्रकार',
    date: 'तिथि',
    noRobot: 'आपके लिए खरीदे गए रोबोट पैकेज यहाँ दिखेंगे। रोबोट सक्रियण पर एक सक्रिय करें।',
    noForex: 'आपके फ़ॉरेक्स निवेश यहाँ दिखेंगे। फ़ॉरेक्स सक्रियण पर निवेश करें।',
    noCrypto: 'आपके क्रिप्टो निवेश यहाँ दिखेंगे। क्रिप्टो सक्रियण पर निवेश करें।',
    noDownline: 'आपके नीचे के लोगों की खरीद यहाँ दिखेगी। डैशबोर्ड के लिंक से लोगों को बुलाएँ।',

    receivedBy: 'किससे प्राप्त',
    receivedAmount: 'प्राप्त राशि',
    deducted: 'कटौती राशि',
    receivedDate: 'प्राप्ति तिथि',
    fundType: 'फ़ंड का प्रकार',
    noReceived:
      'आने वाले फ़ंड यहाँ दिखेंगे: स्वीकृत अनुरोध, सदस्यों के ट्रांसफ़र, वापसी। USDT से फ़ंड अनुरोध पर फ़ंड माँगें।',

    withdrawalId: 'निकासी आईडी',
    amount: 'राशि',
    charge: 'शुल्क',
    withdrawalAmount: 'निकासी राशि',
    withdrawlType: 'निकासी का प्रकार',
    status: 'स्थिति',
    requestDate: 'अनुरोध तिथि',
    responseDate: 'उत्तर तिथि',
    noWithdrawals: 'आपकी निकासी के अनुरोध यहाँ दिखेंगे। निकासी स्क्रीन पर अनुरोध करें।',
  },
}
