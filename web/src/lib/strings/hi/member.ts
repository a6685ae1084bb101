import type { Strings } from '../index.ts'

export const member: Pick<Strings, 'memberShell' | 'language'> = {
  memberShell: {
    userId: (id) => `यूज़र आईडी: ${id}`,
    menu: 'सदस्य मेन्यू',
    openMenu: 'मेन्यू खोलें',
    closeMenu: 'मेन्यू बंद करें',
    account: 'खाता',
    notices: (unread) => (unread === 0 ? 'सूचनाएँ' : `सूचनाएँ, ${unread} नई`),
    visit: (reason) => `आप ऑपरेटर के रूप में यह खाता देख रहे हैं: ${reason}। पैसा और पासवर्ड बदले नहीं जा सकते।`,
    emailLabel: 'अपने ईमेल पते की पुष्टि करें',
    emailUnconfirmed: (email) =>
      `अपने ईमेल पते की पुष्टि करें: ${email} पर भेजा गया लिंक खोलें। तब तक हम वहाँ कोड या नया पासवर्ड नहीं भेजते।`,
    emailPending: (next, email) =>
      `अपने नए ईमेल पते की पुष्टि करें: ${next} पर भेजा गया लिंक खोलें। तब तक हम ${email} पर लिखते हैं।`,
    emailAgain: 'फिर भेजें',
    emailWrong: 'पता ग़लत है?',
    emailChange: 'बदलें',
    emailSent: (email) => `लिंक ${email} पर भेज दिया गया।`,
    emailNotSent: 'लिंक नहीं भेजा जा सका। फिर कोशिश करें।',
    pinLabel: 'अपना लेनदेन पासवर्ड चुनें',
    pinMailed: (ends) => `ईमेल से मिला लेनदेन पासवर्ड ${ends} को समाप्त होता है। पैसा भेजने से पहले अपना चुनें।`,
    pinOver: 'ईमेल से मिला लेनदेन पासवर्ड समाप्त हो गया है। नया ईमेल से मँगाएँ।',
    pinChoose: 'अभी चुनें',
    pinAgain: 'नया मँगाएँ',
  },

  language: {
    choose: 'भाषा',
  },
}
