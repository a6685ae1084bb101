import type { Strings } from '../index.ts'

export const auth: Pick<Strings, 'login'> = {
  login: {
    heading: 'लॉगिन',
    userId: 'यूज़र आईडी',
    password: 'पासवर्ड',
    submit: 'लॉगिन',
    forgot: 'पासवर्ड भूल गए?',
    noAccount: 'अभी तक खाता नहीं है?',
    signup: 'खाता बनाएँ',
    hello: 'नमस्ते',
    helloText: 'अपने शेष, अपने दोनों लेग और आय के हर डॉलर का स्रोत देखने के लिए लॉगिन करें।',
    success: 'लॉगिन सफल रहा!',
    refused: 'यूज़र आईडी या पासवर्ड गलत है।',
    noAddress: 'आपका पता नहीं मिल सका। कनेक्शन जाँचें और फिर कोशिश करें।',
  },
}
