import type { Strings } from '../index.ts'

export const team: Pick<Strings, 'team'> = {
  team: {
    userId: 'यूज़र आईडी',
    userName: 'नाम',
    contact: 'संपर्क नंबर',
    status: 'स्थिति',
    registered: 'पंजीकरण तिथि',
    activated: 'सक्रियण तिथि',
    robot: 'रोबोट निवेश',
    forex: 'फ़ॉरेक्स निवेश',
    crypto: 'क्रिप्टो निवेश',
    position: 'स्थान',
    noReferrals: 'आपके आमंत्रित लोग यहाँ दिखेंगे। डैशबोर्ड से अपना बायाँ या दायाँ लिंक साझा करें।',
  },
}
