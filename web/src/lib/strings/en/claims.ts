export const claims = {
  claims: {
    userId: 'User Id',
    amount: 'Amount',
    walletType: 'Wallet Type',
    income: 'Income',
    net: 'Net Amount',
    created: 'Created At',
    claim: 'Claim',
    status: 'Status',
    claimDate: 'Claim Date',
    now: 'Claim Now',
    already: 'Allready Claimed',
    sure: 'Are you sure, You want to  Claim..?',
    effect: (net: string) =>
      `${net} will be paid into your income wallet of this line, if the cash for it is there.`,
    notFunded:
      'The cash for it is being called back from the line. You are told here and by the bell when it can be claimed.',
    required: 'All the fields are required !!',
    done: 'Claim Successfully...!!!',
    none: 'An investment that has run its term appears here, to be claimed. Running ones are in the activation history.',
  },
}
