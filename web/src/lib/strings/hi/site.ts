import type { Strings } from '../index.ts'

type Site = 'shell' | 'links' | 'theme' | 'comingSoon' | 'notFound' | 'error' | 'landing'

export const site: Pick<Strings, Site> = {
  shell: {
    skip: 'मुख्य सामग्री पर जाएँ',
    logoLabel: (name) => `${name}, मुखपृष्ठ`,
    mainMenu: 'मुख्य मेन्यू',
    openMenu: 'मेन्यू खोलें',
    closeMenu: 'मेन्यू बंद करें',
    loading: 'लोड हो रहा है',
    footerMenu: 'पाद मेन्यू',
    social: 'सोशल नेटवर्क',
  },

  links: {
    home: 'मुखपृष्ठ',
    services: 'सेवाएँ',
    about: 'परिचय',
    faq: 'प्रश्न',
    contact: 'संपर्क करें',
    login: 'लॉगिन',
    register: 'पंजीकरण',
    forgotPassword: 'पासवर्ड भूल गए',
    transparency: 'पारदर्शिता',
  },

  theme: {
    useDark: 'गहरा रूप चुनें',
    useLight: 'हल्का रूप चुनें',
  },

  comingSoon: {
    heading: 'यह पृष्ठ जल्द खुलेगा',
    text: 'हम इसे पूरा कर रहे हैं, और कोई पृष्ठ तभी खोलते हैं जब उस पर सब कुछ काम करता हो।',
    home: 'मुखपृष्ठ पर लौटें',
    about: 'पढ़ें, पैसा कैसे रखा जाता है',
  },

  notFound: {
    heading: 'यहाँ कोई पृष्ठ नहीं है',
    text: 'पता गलत लिखा हो सकता है, या पृष्ठ कहीं और चला गया है।',
    home: 'मुखपृष्ठ पर जाएँ',
  },

  error: {
    heading: 'कुछ गड़बड़ हो गई',
    text: 'पृष्ठ दिखाया नहीं जा सका। आपने कहीं और जो भरा है, उस पर असर नहीं पड़ा। फिर कोशिश करने से अक्सर काम बन जाता है।',
    requestId: 'सहायता से संपर्क करते समय यह अनुरोध संख्या बताएँ',
    retry: 'फिर कोशिश करें',
    home: 'मुखपृष्ठ पर जाएँ',
    part: 'वह भाग लोड नहीं हो सका। अपना कनेक्शन जाँचें और फिर दबाएँ।',
  },

  landing: {
    art: 'दो पत्तियों वाला अंकुर। हर पत्ती की नसें बाइनरी ट्री के बाएँ और दाएँ लेग की तरह फैलती हैं।',
    counters: 'आँकड़ों में',
    live: 'अभी का',
    exploreLess: 'कम दिखाएँ',
    liveFigures: 'अभी के आँकड़े, घाटे सहित',
    previous: 'पीछे',
    next: 'आगे',
    play: 'चलाएँ',
    pause: 'रोकें',
    specimen: {
      caption: 'बहीखाते में लिखा एक लेनदेन (नमूना)',
      account: 'खाता',
      change: 'बदलाव',
      from: 'कोष, मैचिंग',
      to: 'आय वॉलेट, सदस्य 104217',
      sum: 'योग',
      previous: 'पिछला हैश',
      hash: 'यह हैश',
    },
  },
}
