import type { MemberTexts } from '../member.ts'

export const support: Pick<MemberTexts, 'support'> = {
  support: {
    yourQuery: 'आपका प्रश्न',
    complaint: 'यह शिकायत है',
    complaintHint: 'शिकायत का उत्तर हम 48 घंटे में देते हैं और उसे 30 दिन में निपटाते हैं।',
    done: 'प्रश्न सफलतापूर्वक भेजा गया !!',
    history: 'आपके टिकट',
    ticket: 'टिकट आईडी',
    query: 'प्रश्न',
    reply: 'एडमिन का उत्तर',
    requested: 'अनुरोध तिथि',
    status: 'स्थिति',
    replied: 'उत्तर तिथि',
    empty: 'आपके प्रश्न और हमारे उत्तर यहाँ दिखेंगे। पहला प्रश्न ऊपर पूछें।',
  },
}
