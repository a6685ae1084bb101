import type { ConsoleTexts } from '../console.ts'

export const unmatched: Pick<ConsoleTexts, 'unmatched'> = {
  unmatched: {
    text: 'चेन पर मिले ऐसे भुगतान जिनका कोई फ़ंड अनुरोध नहीं बना। कोई सदस्य किसी भुगतान के बारे में पूछे, तो उससे उसका लेनदेन हैश फ़ंड अनुरोध में भेजने को कहें।',
    empty: 'जो भुगतान किसी फ़ंड अनुरोध से नहीं मिलते, वे यहाँ दिखते हैं।',
    reason: 'कारण',
    reasons: {
      small: 'न्यूनतम से कम',
      unannounced: 'सूचना नहीं दी गई',
      company: 'कंपनी के पते से',
      unassigned: 'ऐसे पते पर जो किसी सदस्य का नहीं है',
    },
    mined: 'भुगतान का समय',
    from: 'भेजने वाला पता',
    to: 'पाने वाला पता',
    event: 'इवेंट',
    block: 'ब्लॉक',
    requests: 'अनुरोध',
  },
}
