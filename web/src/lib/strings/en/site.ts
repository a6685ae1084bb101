/** The public site: brand, landing page, status pages. */
export const site = {
  shell: {
    skip: 'Skip to content',
    logoLabel: (name: string) => `${name}, home`,
    mainMenu: 'Main menu',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    loading: 'Loading',
    footerMenu: 'Footer',
    social: 'Social networks',
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
    part: 'That part could not be loaded. Check your connection and press again.',
  },

  landing: {
    art: 'A seedling with two leaves. The veins of each leaf branch like the left and right leg of a binary tree.',
    counters: 'In figures',
    live: 'live',
    exploreLess: 'Show less',
    liveFigures: 'Live figures, losses included',
    previous: 'Back',
    next: 'Next',
    play: 'Play',
    pause: 'Pause',
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
}
