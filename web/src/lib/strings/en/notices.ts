/** What members are told of their own affairs. */
export const notices = {
  notices: {
    title: 'Notices',
    none: 'Nothing has happened yet. What becomes of your requests, withdrawals and queries is told here.',
    failed: 'The notices could not be loaded. They are asked for again in a minute.',
    fresh: 'New',
    fundApproved: (amount: string) => `Your fund request of ${amount} was approved.`,
    fundRejected: (amount: string) => `Your fund request of ${amount} was rejected.`,
    received: (amount: string, from: string) => `Member ${from} sent you ${amount}.`,
    withdrawal: (amount: string, state: string) => `Your withdrawal of ${amount}: ${state}.`,
    answer: (id: string) => `Your query no. ${id} was answered.`,
    claimReady: (line: string, amount: string) =>
      `Your ${line} investment has ended: ${amount} can be claimed.`,
    claimWaits: (line: string, amount: string) =>
      `Your ${line} investment has ended: ${amount} is on its way from the line.`,
  },
}
