import { rules as english } from '../en/rules.ts'
import type { Terms } from '../speech.ts'
import { answers } from './answers.ts'
import { operatorAnswers } from './operatorAnswers.ts'
import { rules } from './rules.ts'

/**
 * The server's own words in Hindi (speech.ts), by what it sends: they stay as they are in addresses,
 * filters and files. A test looks each of them up in the program.
 */

const states: Terms = {
  Pending: 'लंबित',
  Approved: 'स्वीकृत',
  Rejected: 'अस्वीकृत',
  Sent: 'भेजा गया',
  Confirmed: 'पुष्ट',
  Cancelled: 'रद्द',
  Hold: 'रोका गया',
  Release: 'जारी',
  Claimed: 'दावा किया गया',
  Funded: 'नकद उपलब्ध',
  Open: 'खुला',
  Active: 'सक्रिय',
  Inactive: 'निष्क्रिय',
  achieved: 'प्राप्त',
  pending: 'लंबित',
  open: 'खुला',
  replied: 'उत्तर दिया गया',
  closed: 'बंद',
  waiting: 'प्रतीक्षा में',
  approved: 'स्वीकृत',
  refused: 'अस्वीकृत',
  withdrawn: 'वापस लिया गया',
}

const places: Terms = { Left: 'बायाँ', Right: 'दायाँ' }

/** Of funds, lines and ways to pay. */
const codes: Terms = {
  ROBOTFUND: 'रोबोट फ़ंड',
  FOREXFUNDS: 'फ़ॉरेक्स फ़ंड',
  CRYPTOFUNDS: 'क्रिप्टो फ़ंड',
  FOREX: 'फ़ॉरेक्स',
  CRYPTO: 'क्रिप्टो',
  BANK: 'बैंक',
}

/** Remarks, and what money came from. */
const remarks: Terms = {
  Activation: 'सक्रियण',
  Upgrade: 'अपग्रेड',
  Deposit: 'जमा',
  'Refund of a purchase': 'खरीद की वापसी',
  'Chargeback of a purchase': 'खरीद का चार्जबैक',
  Correction: 'सुधार',
  'Level income': 'लेवल आय',
  'ROI level': 'ROI लेवल',
  capped: 'सीमा पूरी',
  scaled: 'अनुपात में घटाया गया',
  'Hold: account under review': 'रोका गया: खाता समीक्षा में है',
  'chain watcher': 'चेन पर नज़र',
  schedule: 'समय-सारणी',
}

/** What the plan that everybody begins with calls its packages and ranks. */
const plan: Terms = {
  Education: 'शिक्षा',
  'Robot Starter': 'रोबोट स्टार्टर',
  'Robot Basic': 'रोबोट बेसिक',
  'Robot Plus': 'रोबोट प्लस',
  'Robot Pro': 'रोबोट प्रो',
  'Robot Elite': 'रोबोट एलीट',
  'Forex Basic': 'फ़ॉरेक्स बेसिक',
  'Forex Plus': 'फ़ॉरेक्स प्लस',
  'Forex Pro': 'फ़ॉरेक्स प्रो',
  'Crypto Basic': 'क्रिप्टो बेसिक',
  'Crypto Plus': 'क्रिप्टो प्लस',
  'Crypto Pro': 'क्रिप्टो प्रो',
  Bronze: 'कांस्य',
  Silver: 'रजत',
  Gold: 'स्वर्ण',
  Platinum: 'प्लैटिनम',
  Diamond: 'हीरक',
  Crown: 'मुकुट',
}

/** What the ledger calls what moves money. */
const moves: Terms = {
  deposit: 'जमा',
  correction: 'सुधार',
  'operator {}': 'ऑपरेटर {1}',
  'Correction: {}': 'सुधार: {1}',
  buy: 'पैकेज की खरीद',
  invest: 'निवेश',
  transfer: 'ट्रांसफ़र',
  withdraw: 'निकासी',
  refund: 'वापसी',
  reverse: 'सुधार',
  reversal: 'आय वापस ली गई',
  claim: 'दावा',
  income: 'आय',
  release: 'रोकी गई आय जारी',
  finalise: 'बिक्री अंतिम हुई',
  profit: 'लाभ',
  loss: 'हानि',
  debt: 'ऋण',
  breakage: 'अवितरित हिस्सा',
  fee: 'शुल्क',
  'close of {}': '{1} का समापन',
}

/** What the record calls what was done. */
const acts: Terms = {
  'sign in': 'साइन इन',
  'passkey refused': 'पासकी अस्वीकृत',
  'codes locked': 'कोड बंद किए गए',
  visit: 'सदस्य का खाता देखा',
  'visit ticket': 'खाता देखने की अनुमति ली',
  invite: 'ऑपरेटर को बुलाया',
  'invite again': 'ऑपरेटर को फिर बुलाया',
  'password set': 'पासवर्ड तय किया',
  'factor set': 'दूसरा कारक तय किया',
  'factor reset': 'दूसरा कारक हटाया',
  'sign out': 'साइन आउट',
  'session end': 'सत्र समाप्त किया',
  'other sessions end': 'बाकी सत्र समाप्त किए',
  'password changed': 'पासवर्ड बदला',
  'customer entered': 'ग्राहक दर्ज किया',
  end: 'ऑपरेटर की पहुँच समाप्त की',
  'member signed out': 'सदस्य को साइन-आउट किया',
  note: 'टिप्पणी लिखी',
  flag: 'चिह्न लगाया',
  'flag lowered': 'चिह्न हटाया',
  'transaction password mailed': 'लेनदेन पासवर्ड भेजा',
  'personal data exported': 'व्यक्तिगत डेटा निर्यात किया',
  evidence: 'प्रमाण जोड़ा',
  'ticket answered': 'टिकट का उत्तर दिया',
  'ticket closed': 'टिकट बंद किया',
  'ticket reopened': 'टिकट फिर खोला',
  'ticket assigned': 'टिकट अपने पास लिया',
  'ticket complaint': 'टिकट को शिकायत माना',
  'close proposed': 'दिन बंद करने का प्रस्ताव',
  'close committed': 'दिन बंद किया',
  'fund.approve': 'फ़ंड अनुरोध स्वीकृत',
  'fund.reject': 'फ़ंड अनुरोध अस्वीकृत',
  'fund.release': 'फ़ंड अनुरोध की लेनदेन संख्या मुक्त',
  'withdrawal.approve': 'निकासी स्वीकृत',
  'withdrawal.reject': 'निकासी अस्वीकृत',
  'withdrawal.sent': 'निकासी भेजी गई',
  'withdrawal.failed': 'निकासी का भुगतान विफल',
  'withdrawal.confirm': 'निकासी का भुगतान हुआ',
}

/** What is proposed by one operator and decided by another: each has five acts. */
const proposals: Terms = {
  pnl: 'ट्रेडिंग परिणाम',
  settle: 'निपटान',
  chargeback: 'चार्जबैक',
  recall: 'नकद वापस बुलाना',
  cancel: 'बुकिंग रद्द',
  block: 'सदस्य को रोका',
  unblock: 'सदस्य की रोक हटाई',
  role: 'ऑपरेटर की भूमिका',
  end: 'ऑपरेटर की पहुँच समाप्त',
  setting: 'सेटिंग',
  erasure: 'डेटा मिटाना',
  plan: 'योजना',
}

const decisions: Terms = {
  proposed: 'प्रस्तावित',
  approved: 'स्वीकृत',
  refused: 'अस्वीकृत',
  withdrawn: 'वापस लिया गया',
}

const payouts: Terms = {
  propose: 'प्रस्तावित',
  approve: 'स्वीकृत',
  cancel: 'रद्द',
  return: 'निकासी बैच से निकाली गई',
  replace: 'भुगतान फिर भेजा गया',
  confirm: 'भुगतान की पुष्टि',
  adopt: 'स्थिति अपनाई गई',
  settle: 'हॉट वॉलेट निपटाया गया',
  dismiss: 'मिला हस्तांतरण ख़ारिज',
  found: 'चुकाई हुई पाई गई',
  export: 'फ़ाइल निर्यात',
  import: 'फ़ाइल आयात',
}

const composed = (kinds: Terms, steps: Terms, name: (kind: string, step: string) => string) =>
  Object.entries(kinds).flatMap(([kind, word]) =>
    Object.entries(steps).map(([step, done]) => [name(kind, step), `${word}: ${done}`] as const),
  )

/** Said by the server as by the form: the same sentence in either language. */
const checks = Object.entries(english.rules).map(
  ([name, said]) => [said, rules.rules[name as keyof typeof rules.rules]] as const,
)

/** Each word that the program has as it stands here. */
export const words: Terms = {
  ...proposals,
  ...acts,
  ...moves,
  ...states,
  ...places,
  ...codes,
  ...remarks,
  ...plan,
  ...operatorAnswers,
  ...answers,
}

export const terms: Terms = {
  ...Object.fromEntries(checks),
  ...Object.fromEntries(composed(proposals, decisions, (kind, step) => `${kind} ${step}`)),
  ...Object.fromEntries(
    composed({ payout: 'भुगतान बैच' }, payouts, (kind, step) => `${kind}.${step}`),
  ),
  ...words,
}
