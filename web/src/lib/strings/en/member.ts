/** What the shell around the member screens says. */
export const member = {
  memberShell: {
    userId: (id: string) => `User Id: ${id}`,
    menu: 'Member menu',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    account: 'Account',
    notices: (unread: number) => (unread === 0 ? 'Notices' : `Notices, ${unread} new`),
    visit: (reason: string) =>
      `You are visiting this account as an operator: ${reason}. Money and credentials cannot be touched.`,
    emailLabel: 'Confirm your e-mail address',
    emailUnconfirmed: (email: string) =>
      `Confirm your e-mail address: open the link that we mailed to ${email}. Until then we send no codes or password resets there.`,
    emailPending: (next: string, email: string) =>
      `Confirm your new e-mail address: open the link that we mailed to ${next}. Until then we write to ${email}.`,
    emailAgain: 'Send again',
    emailWrong: 'Wrong address?',
    emailChange: 'Change it',
    emailSent: (email: string) => `The link was sent to ${email}.`,
    emailNotSent: 'The link could not be sent. Try again.',
    pinLabel: 'Choose your transaction password',
    pinMailed: (ends: string) =>
      `The transaction password in your mailbox ends on ${ends}. Choose your own before you move money.`,
    pinOver: 'The transaction password in your mailbox has ended. Have a new one mailed to you.',
    pinChoose: 'Choose now',
    pinAgain: 'Get a new one',
  },

  language: {
    choose: 'Language',
  },
}
