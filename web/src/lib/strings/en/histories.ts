/** What was bought, received and withdrawn. */
export const histories = {
  /** How the server's names of funds are read. */
  fundNames: {
    FUNDS: 'Robot Fund',
    FOREXFUNDS: 'Forex Fund',
    CRYPTOFUNDS: 'Crypto Fund',
  },

  histories: {
    serial: 'S.No.',
    userId: 'User Id',
    referBy: 'Refer By',
    packageAmount: 'Package Amount',
    remark: 'Remark',
    type: 'Type',
    date: 'Date',
    noRobot: 'Robot packages bought for you appear here. Activate one on Robot Activation.',
    noForex: 'Your Forex investments appear here. Make one on Forex Activation.',
    noCrypto: 'Your Crypto investments appear here. Make one on Crypto Activation.',
    noDownline:
      'What people below you buy appears here. Invite people with a link from the dashboard.',

    receivedBy: 'Received By',
    receivedAmount: 'Received Amount',
    deducted: 'Deduct Amount',
    receivedDate: 'Received Date',
    fundType: 'Fund Type',
    noReceived:
      'Funds that come in appear here: approved requests, transfers from members, refunds. Ask for funds on Fund Request USDT.',

    withdrawalId: 'Withdrawal ID',
    amount: 'Amount',
    charge: 'Charge',
    withdrawalAmount: 'Withdrawal Amount',
    withdrawlType: 'Withdrawl Type',
    status: 'Status',
    requestDate: 'Request Date',
    responseDate: 'Response Date',
    noWithdrawals: 'Withdrawals you ask for appear here. Ask for one on Withdrawal.',
  },
}
