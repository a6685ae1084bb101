export const deposit = {
  deposit: {
    own: 'Your USDT address',
    ownText: (confirmations: number) =>
      `Only you use this address. We credit what you send here after ${confirmations} confirmations; no request is needed.`,
    ownFund:
      'It goes to your Robot Fund. For another fund, submit the form with the transaction number right after sending.',
    network: 'Send only USDT on BNB Smart Chain (BEP-20). Anything sent on another chain is lost.',
    least: (amount: string) =>
      `Send at least ${amount} in one payment. Smaller payments are not credited.`,
    noOwn: 'There is no address for this member yet.',

    announce: 'Announce a payment',
    announceText:
      'Tell us the amount before you pay. We add less than a dollar, with up to four decimals, so that the exact amount identifies your payment and it is credited without an operator.',
    announceSubmit: 'Get the amount to pay',
    announced: 'Now send exactly the amount shown.',
    formNote: 'Already paid without announcing it? Tell us here, and an operator will check it.',
    addressNote:
      'Announce the payment first, so that it is credited without waiting for an operator.',

    payExactly: 'Send exactly',
    amountCopied: 'Amount copied',
    amountLabel: 'amount',
    oneOnly:
      'In one payment, on BNB Smart Chain (BEP-20). If your exchange takes a fee out of the amount, add the fee, so that this much arrives.',
    to: 'To this address',
    timeLeft: 'Time left',
    cancel: 'Cancel',
    cancelOf: (amount: string) => `Cancel the payment of ${amount} USDT`,
    cancelTitle: 'Cancel this payment?',
    cancelText:
      'Don’t cancel if you have already sent the money: an operator would have to check it first.',
    cancelConfirm: 'Cancel the payment',
    cancelled: 'The announced payment was cancelled.',

    ownRequests: 'Your payments and requests appear here.',
    onTheWay: 'Payments on the way',
    earlier: 'Announced payments',
    seen: (confirmations: number, needed: number) =>
      `Seen: ${confirmations} of ${needed} confirmations`,
    standings: {
      waiting: 'Waiting for your payment',
      confirmed: 'Credited',
      expired: 'Ended',
      person: 'Waits for an operator',
      rejected: 'Rejected',
    },
  },
}
