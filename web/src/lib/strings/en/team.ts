export const team = {
  team: {
    userId: 'User Id',
    userName: 'User Name',
    contact: 'Contact No.',
    status: 'Status',
    level: 'Level',
    registered: 'Registration Date',
    activated: 'Activation Date',
    robot: 'Robot Investment',
    forex: 'Forex Investment',
    crypto: 'Crypto Investment',
    position: 'Position',
    sponsorTeam: 'Sponsor ID',
    sponsorLevel: 'Sponsor Id',
    forexSelf: 'Forex Self Business',
    forexTeam: 'Forex Team Business',
    cryptoSelf: 'Crypto Self Business',
    cryptoTeam: 'Crypto Team Business',
    levelOfTeam:
      'Here, Level is how deep somebody stands below you in the tree: the two places right below you are level 1, whoever invited them. Level Details counts along sponsors.',
    levelOfSponsors:
      'Here, Level is counted along sponsors: people you invited are level 1, people they invited level 2. My Team counts how deep somebody stands in the tree.',
    noReferrals: 'People you invite appear here. Share your left or right link from the dashboard.',
    noTeam:
      'Everybody below you appears here, in both legs. Share your left or right link from the dashboard.',
    noLevels:
      'People you invite are level 1, people they invite level 2. Share a link from the dashboard to begin.',
    noLegs:
      'What each person you invited brings, with everybody below, appears here. Share a link from the dashboard.',
  },
}
