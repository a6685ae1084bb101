export const team = {
  team: {
    userId: 'User Id',
    userName: 'User Name',
    contact: 'Contact No.',
    status: 'Status',
    registered: 'Registration Date',
    activated: 'Activation Date',
    robot: 'Robot Investment',
    forex: 'Forex Investment',
    crypto: 'Crypto Investment',
    position: 'Position',
    noReferrals: 'People you invite appear here. Share your left or right link from the dashboard.',
  },
}
