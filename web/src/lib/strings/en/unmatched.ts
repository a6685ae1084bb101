/** What the list of payments without a fund request says. */
export const unmatched = {
  unmatched: {
    text: 'Payments found on the chain that did not become a fund request. If a member asks about one, ask them to submit its transaction hash as a fund request.',
    empty: 'Payments appear here when they do not match any fund request.',
    reason: 'Reason',
    reasons: {
      small: 'Below the minimum',
      unannounced: 'Not announced',
      company: 'From a company address',
      unassigned: 'To an unassigned address',
    },
    mined: 'Paid',
    from: 'From',
    to: 'To',
    event: 'Event',
    block: 'Block',
    requests: 'Requests',
  },
}
