import type { MemberTexts } from '../member.ts'

export const notices: Pick<MemberTexts, 'notices'> = {
  notices: {
    title: 'सूचनाएँ',
    none: 'अभी तक कुछ नहीं हुआ। आपके अनुरोधों, निकासी और प्रश्नों का क्या हुआ, यह यहाँ बताया जाता है।',
    failed: 'सूचनाएँ लोड नहीं हो सकीं। एक मिनट में फिर पूछा जाएगा।',
    fresh: 'नया',
    fundApproved: (amount) => `आपका ${amount} का फ़ंड अनुरोध स्वीकृत हुआ।`,
    fundRejected: (amount) => `आपका ${amount} का फ़ंड अनुरोध अस्वीकृत हुआ।`,
    received: (amount, from) => `सदस्य ${from} ने आपको ${amount} भेजे।`,
    withdrawal: (amount, state) => `आपकी ${amount} की निकासी: ${state}।`,
    answer: (id) => `आपके प्रश्न क्रमांक ${id} का उत्तर आया है।`,
    claimReady: (line, amount) => `आपका ${line} निवेश पूरा हुआ: ${amount} का दावा किया जा सकता है।`,
    claimWaits: (line, amount) => `आपका ${line} निवेश पूरा हुआ: ${amount} लाइन से आ रहे हैं।`,
  },
}
