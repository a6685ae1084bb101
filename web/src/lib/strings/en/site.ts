/** The public site: brand, landing page, status pages. */
export const site = {
  brand: {
    name: 'Bifolia',
    homeTitle: 'Bifolia · Empower your financial future',
    tagline: 'Two legs, one ledger.',
    copyright: '© 2024 Bifolia',
  },

  shell: {
    skip: 'Skip to content',
    logoLabel: 'Bifolia, home',
    mainMenu: 'Main menu',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    loading: 'Loading',
    footerMenu: 'Footer',
    footerSite: 'Site',
    footerMembers: 'Members',
    footerRisk:
      'Trading forex and crypto can lose money. Nothing on this site promises a return or is investment advice.',
  },

  links: {
    home: 'Home',
    services: 'Services',
    about: 'About',
    faq: 'Faq',
    contact: 'Contact Us',
    login: 'Login',
    register: 'Register',
    forgotPassword: 'Forgot password',
    transparency: 'Transparency',
  },

  theme: {
    useDark: 'Use dark theme',
    useLight: 'Use light theme',
  },

  comingSoon: {
    heading: 'This page opens soon',
    text: 'We are still finishing it, and we open a page only when everything on it works.',
    home: 'Back to home',
    about: 'Read how money is kept',
  },

  notFound: {
    heading: 'There is no page here',
    text: 'The address may be mistyped, or the page may have moved.',
    home: 'Go home',
  },

  error: {
    heading: 'Something went wrong',
    text: 'The page could not be shown. Nothing you entered elsewhere is affected. Trying again usually helps.',
    requestId: 'If you contact support, mention request',
    retry: 'Try again',
    home: 'Go home',
  },

  risk: {
    label: 'Risk notice',
    title: 'You can lose money.',
    text: 'Forex and crypto prices move both ways. Results vary, losses happen, and past results say nothing about future ones. No income is guaranteed. Use only money you can afford to lose.',
    tag: 'Can lose money',
  },

  hero: {
    heading: 'Empower your financial future with figures you can check',
    lead: 'Forex education and signals, a trading robot and crypto arbitrage, in a member network with two legs. Every dollar is written down once, exactly, and stays open to inspection.',
    signUp: 'Sign-Up',
    more: 'How money is kept',
    art: 'A seedling with two leaves. The veins of each leaf branch like the left and right leg of a binary tree.',
  },

  services: {
    heading: 'Services',
    lead: 'Three ways to take part. Each says what the software does, and no more.',
    items: {
      education: {
        title: 'Educational package',
        text: 'Forex lessons from first principles, and the signals our desk works with, so that you can follow each decision.',
        note: 'One-time price',
      },
      robot: {
        title: 'Forex robot',
        text: 'Trades automatically from the fund placed in it. Each position carries an equity floor, results are booked daily, and losses are shown as plainly as gains.',
        note: '',
      },
      arbitrage: {
        title: 'Crypto arbitrage',
        text: 'Buys where a coin is cheaper and sells where it is dearer. Price differences close quickly, and fees or delays can turn a trade into a loss.',
        note: '',
      },
    },
  },

  about: {
    heading: 'How money is kept',
    lead: 'Four rules the ledger enforces on every posting. None of them depends on anybody’s good will.',
    rules: {
      segregated: {
        title: 'Deposits stand apart',
        text: 'What members deposit is segregated and covered 1:1 by client cash. It is never the source of anyone’s income.',
      },
      funded: {
        title: 'Incomes have a source',
        text: 'Network incomes come only from pools that final sales have filled; returns come only from booked trading profit. If a pool is short, every claim on it is scaled alike.',
      },
      exact: {
        title: 'Exact to the micro-dollar',
        text: 'Amounts are whole numbers of micro-dollars. Nothing is rounded away, and both sides of every transfer sum to zero.',
      },
      chained: {
        title: 'Chained and checkable',
        text: 'Entries are only ever added. Each one is part of a hash chain, so that a changed or missing entry shows.',
      },
    },
    specimen: {
      caption: 'A transfer as the ledger writes it (sample)',
      account: 'Account',
      change: 'Change',
      from: 'Pool, matching',
      to: 'Income wallet, member 104217',
      sum: 'Sum',
      previous: 'Previous hash',
      hash: 'This hash',
    },
  },

  faq: {
    heading: 'Faq',
    items: {
      guaranteed: {
        question: 'Is any income guaranteed?',
        answer:
          'No. Trading results can be negative, and network incomes depend on final sales. Nobody can promise a profit, and we do not.',
      },
      deposits: {
        question: 'Can my deposit be used to pay somebody else?',
        answer:
          'No. A posting that would pay an income out of deposits is refused by the ledger itself, whoever asks for it.',
      },
      legs: {
        question: 'What are the two legs?',
        answer:
          'Each member has a left and a right place below. People you invite, and people placed by others, extend one of these two legs. Matching compares the volume of both.',
      },
      unsure: {
        question: 'What if I change my mind about a package?',
        answer:
          'A package can be returned while it is cooling off. Until that time ends, its price sits apart and pays nobody.',
      },
    },
  },

  contact: {
    heading: 'Contact Us',
    text: 'Members write to support from inside their account, where each request and its answer stay on record. The newsletter starts together with sign-up.',
    signUp: 'Sign-Up',
    login: 'Login',
  },
}
