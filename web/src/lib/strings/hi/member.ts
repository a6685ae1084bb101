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
  },

  language: {
    choose: 'भाषा',
  },
}
