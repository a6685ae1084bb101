export const activations = {
  activations: {
    userId: 'User Id',
    nobody: 'Invalid User Id!!',
    sponsorNobody: 'Sponsor Id doesnot exists !!',
    package: 'Package',
    selectPackage: 'Select Package',
    packageOption: (name: string, amount: string) => `${name} (${amount})`,
    rangeOption: (name: string, from: string, to: string) => `${name} (${from} to ${to})`,
    amount: 'Amount ($)',
    range: (from: string, to: string) => `From ${from} to ${to}, whole dollars.`,
    transactionPassword: 'Transaction Password',
    activate: 'Activate',
    upgrade: 'Upgrade',
    effect: (name: string, id: string, what: string) => `${name} (${id}) gets ${what}.`,
    difference:
      'An upgrade costs the difference to the package that the member has. The most it can cost is shown.',
    ownDifference: 'An upgrade costs the difference to your present package.',
    notLarger: 'You have this package or a larger one already.',
    formTitle: 'Choose and pay',
    aboutTitle: 'Before you pay',
    robotAbout:
      'A package is software that you buy. It pays no return by itself; what incomes there are depends on sales and can be nothing.',
    lineAbout:
      'Your money is traded. Results are booked daily, good and bad; a loss lowers what you get back.',
    cooling: (days: number) =>
      `Cooling-off: for ${days} days you can give a package back here and get all of its price back.`,
    packagesFailed: 'The packages could not be loaded.',
    notOffered: (line: string) => `${line} is not offered here.`,
    notOfferedText:
      'It needs a licence, which this installation does not have. Money that stands in its fund can be withdrawn as unused fund balance.',
    forex: 'Forex',
    crypto: 'Crypto',
    toFunds: 'Request funds',
    refundTitle: 'Packages that you can give back',
    refundEmpty: 'Packages that you paid for appear here while they cool off.',
    refundLine: (name: string, id: string) => `${name} (${id})`,
    refund: 'Give back',
    refundOf: (what: string) => `Give back: ${what}`,
    refundAsk: (what: string, amount: string) =>
      `${what} ends at once, and ${amount} goes back into your Robot Fund.`,
    refundDone: 'Refunded Successfully',
  },
}
