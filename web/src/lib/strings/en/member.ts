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
  },

  language: {
    choose: 'Language',
  },
}
