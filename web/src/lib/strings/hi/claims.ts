import type { MemberTexts } from '../member.ts'

export const claims: Pick<MemberTexts, 'claims'> = {
  claims: {
    userId: 'यूज़र आईडी',
    amount: 'राशि',
    walletType: 'वॉलेट का प्रकार',
    income: 'आय',
    net: 'शुद्ध राशि',
    created: 'बनने की तिथि',
    claim: 'दावा',
    status: 'स्थिति',
    claimDate: 'दावे की तिथि',
    now: 'अभी दावा करें',
    already: 'पहले ही दावा किया गया',
    sure: 'क्या आप निश्चित रूप से दावा करना चाहते हैं?',
    effect: (net) => `${net} इस लाइन के आपके आय वॉलेट में जमा होंगे।`,
    required: 'सभी फ़ील्ड आवश्यक हैं !!',
    done: 'दावा सफल रहा...!!!',
    none: 'अवधि पूरी कर चुका निवेश दावे के लिए यहाँ दिखेगा। चालू निवेश सक्रियण इतिहास में हैं।',
  },
}
