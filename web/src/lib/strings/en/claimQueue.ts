/** What the queue of claims says, and why requests and withdrawals are often turned down. */
export const claimQueue = {
  claimQueue: {
    empty: 'Claims appear here when positions mature: recall cash for each.',
    claim: 'Claim',
    line: 'Line',
    position: 'Position',
    principal: 'Principal',
    income: 'Held returns less loss',
    amount: 'The member gets',
    recalled: 'Recalled',
    need: 'Cash needed',
    available: 'Cash of the line',
    state: 'State',
    states: { Open: 'To fund', Funded: 'Funded', Claimed: 'Claimed' },
    since: 'Waits since',
    taken: 'Taken on',
    from: 'Waits since, from',
    to: 'until',
    ofMember: 'Look at the claims',
  },
  reasons: {
    fund: {
      missing: 'No such payment has arrived',
      amount: 'Another amount has arrived',
      number: 'The number is of another payment',
      account: 'Paid to another account',
    },
    withdrawal: {
      address: 'The address cannot be paid to',
      identity: 'Details are missing',
      stranger: 'The account has to be looked at',
      asked: 'The member asked for it',
    },
  },
  forbidden: {
    heading: 'This is not for your role',
    text: 'An owner can change your role if you need this.',
    home: 'To the home of the console',
  },
}
