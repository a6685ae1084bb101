// Written by `npm run messages` from the files in messages/. Not to be edited.

type Shown = string | number

declare module 'messages:site' {
  export const english: {
    login: {
      heading: string
      userId: string
      password: string
      submit: string
      forgot: string
      noAccount: string
      signup: string
      hello: string
      helloText: string
      success: string
      refused: string
      ended: string
      noAddress: string
      sent: string
      sentText: string
    }
    second: {
      heading: string
      asideHeading: string
      asideText: string
      app: string
      noApp: string
      code: string
      recovery: string
      submit: string
      passkey: string
      back: string
    }
    passkeyUse: {
      elsewhere: (args: { origin: Shown }) => string
      unable: string
      known: string
      cancelled: string
    }
    signup: {
      heading: string
      asideHeading: string
      asideText: string
      sponsor: string
      sponsorName: string
      wrongSponsor: string
      title: string
      titles: {
        Mr: string
        Mrs: string
        Miss: string
        Dr: string
      }
      name: string
      country: string
      chooseCountry: string
      phoneCode: string
      mobile: string
      email: string
      password: string
      confirm: string
      position: string
      choosePosition: string
      left: string
      right: string
      accept: string
      terms: string
      submit: string
      haveAccount: string
      login: string
      sponsorGroup: string
      youGroup: string
      securityGroup: string
      invitedBy: (args: { name: Shown }) => string
      invitedTo: (args: { name: Shown; side: Shown }) => string
      positionHint: string
      passwordHint: string
    }
    welcome: {
      heading: string
      dear: string
      text: (args: { brand: Shown }) => string
      name: string
      userId: string
      email: string
      mobile: string
      position: string
      next: string
      stranger: string
      login: string
      signup: string
      failed: string
      nobodyHeading: string
      nobodyText: string
      idLabel: string
      copied: string
      stepsHeading: string
      steps: {
        mail: string
        fund: string
        package: string
      }
    }
    forgot: {
      heading: string
      asideHeading: string
      asideText: string
      userId: string
      submit: string
      sendCode: string
      otherCode: string
      otp: string
      otpHint: string
      home: string
      resetHeading: string
      resetText: (args: { userId: Shown }) => string
      password: string
      confirm: string
      resetSubmit: string
      resetDone: string
      again: string
    }
    confirmEmail: {
      aside: {
        heading: string
        text: string
      }
      wrong: string
      wrongText: string
      login: string
      home: string
      newPassword: string
      password: string
      confirm: {
        heading: string
        text: (args: { userId: Shown }) => string
        submit: string
        doneHeading: string
        doneText: string
      }
      undo: {
        heading: string
        text: (args: { userId: Shown }) => string
        submit: string
        doneHeading: string
        doneText: string
      }
    }
    adminLogin: {
      heading: string
      text: string
      success: string
      noAddress: string
      incomplete: string
      failed: string
      problemHeading: string
      problemText: string
      home: string
    }
    proofs: {
      covered: string
      losing: string
      closed: string
      link: string
    }
    chart: {
      range: string
      days: (args: { count: Shown }) => string
      all: string
      asTable: string
      openDay: string
    }
    actions: {
      search: string
      retry: string
      cancel: string
      keep: string
      confirm: string
      close: string
      copy: string
      download: string
      showQr: string
      hideQr: string
      showPassword: string
      hidePassword: string
      processing: string
      submit: string
    }
    device: (args: { browser: Shown; system: Shown }) => string
    lookup: {
      failed: string
    }
    moneyForm: {
      heading: string
      from: string
      before: string
      amount: string
      fee: string
      receives: string
      after: string
      tooLittle: string
      confirmTitle: string
      failed: string
      once: string
      doneBefore: string
      receipt: string
      at: string
      print: string
      confirm: (args: { amount: Shown }) => string
      finish: string
    }
    drafts: {
      restored: string
      unanswered: string
      discard: string
      kept: string
    }
    landing: {
      counters: string
      live: string
      exploreLess: string
      liveFigures: string
      previous: string
      next: string
      play: string
      pause: string
      specimen: {
        caption: string
        account: string
        change: string
        from: string
        to: string
        sum: string
        previous: string
        hash: string
      }
      risk: string
      start: string
      startWith: (args: { title: Shown }) => string
      picture: {
        label: string
        sample: string
        available: string
        today: string
        left: string
        right: string
      }
      now: {
        heading: string
        owed: string
        covered: string
        asOf: (args: { day: Shown }) => string
        none: string
        link: string
      }
      closing: {
        heading: string
        text: string
        action: string
        figures: string
      }
      results: {
        title: string
        note: string
        day: string
      }
    }
    table: {
      serial: string
      total: (args: { sum: Shown }) => string
      rows: (args: { shown: Shown; total: Shown }) => string
      noRows: string
      perPage: string
      pages: string
      page: (args: { page: Shown }) => string
      previous: string
      next: string
      exportCsv: string
      exportXlsx: string
      exportPdf: string
      exportAs: (args: { format: Shown }) => string
      exportFailed: string
      loading: string
      failed: string
      requestId: string
      why: string
      more: string
      less: string
      sortBy: string
      usualOrder: string
    }
    filters: {
      label: string
      noneMatch: string
      clear: string
      fromDate: string
      toDate: string
      backwards: string
      notYet: string
      position: string
      allPosition: string
      left: string
      right: string
      personStatus: string
      all: string
      active: string
      inactive: string
      level: string
      allLevel: string
      levelNumber: (args: { level: Shown }) => string
      presets: string
      allTime: string
      today: string
      week: string
      month: string
      lastMonth: string
    }
    memberShell: {
      userId: (args: { id: Shown }) => string
      menu: string
      openMenu: string
      closeMenu: string
      account: string
      notices: (args: { unread: number }) => string
      visit: (args: { reason: Shown }) => string
      emailLabel: string
      emailUnconfirmed: (args: { email: Shown }) => string
      emailPending: (args: { next: Shown; email: Shown }) => string
      emailAgain: string
      emailWrong: string
      emailChange: string
      emailSent: (args: { email: Shown }) => string
      emailNotSent: string
      pinLabel: string
      pinMailed: (args: { ends: Shown }) => string
      pinOver: string
      pinChoose: string
      pinAgain: string
      profile: string
      security: string
      statements: string
    }
    rules: {
      loginBoth: string
      userIdRequired: string
      sponsorRequired: string
      sponsorLong: string
      sponsorInvalid: string
      nameRequired: string
      nameShort: string
      nameLong: string
      countryRequired: string
      mobileInvalid: string
      emailRequired: string
      emailInvalid: string
      passwordRequired: string
      passwordShort: string
      passwordMismatch: string
      positionRequired: string
      termsRequired: string
      allRequired: string
      newPasswordMismatch: string
      transactionPasswordRequired: string
      amountRequired: string
      transactionNumberRequired: string
      fundTypeRequired: string
      invalidAmount: string
      transferAmount: string
      transferToSelf: string
      pastedAmount: string
      typedCents: string
      pastedLong: (args: { most: Shown }) => string
      insufficient: (args: { available: Shown; needed: Shown }) => string
      packageRange: (args: { from: Shown; to: Shown }) => string
      packageOwned: string
      enterAmount: string
      selectIncomeType: string
      selectWithdrawalType: string
      codeRequired: string
      deviceRequired: string
      enterOtp: string
      otpAmount: string
      otpIncomeType: string
      withdrawAmount: string
      withdrawMin: (args: { min: Shown }) => string
      withdrawFactor: (args: { above: Shown }) => string
      withdrawDaily: (args: { most: Shown }) => string
      lastNameRequired: string
      lastNameShort: string
      fatherRequired: string
      fatherShort: string
      mobileRequired: string
      dobRequired: string
      genderRequired: string
      addressRequired: string
      aboutRequired: string
      nomineeRequired: string
      nomineeShort: string
      relationRequired: string
      walletRequired: string
      holderRequired: string
      accountRequired: string
      ifscRequired: string
      panRequired: string
      aadharRequired: string
      queryRequired: string
      factorCode: string
      operatorPasswordShort: string
      confirmDiffers: string
    }
    titles: {
      notFound: string
      error: string
    }
    publicTitles: {
      "/Login": string
      "/Signup": string
      "/ForgotPassword": string
      "/ConfirmEmail": string
      "/WelcomePage": string
      "/AdminLogin": string
      "/Bifolia": string
      "/ComingSoon": string
    }
    memberTitles: {
      "/dashboard": string
      "/RobotActivation": string
      "/Upgrade": string
      "/MyReferral": string
      "/DirectLegBusiness": string
      "/LevelDetails": string
      "/MyTeam": string
      "/DirectIncome": string
      "/RewardIncome": string
      "/RoiIncome": string
      "/RoiLevelIncome": string
      "/UserReward": string
      "/FundrequestBank": string
      "/FundRequestECurrency": string
      "/FundTransfer": string
      "/FundReceived": string
      "/WithdrawalRequest": string
      "/WithdrawLog": string
      "/ProfileSetting": string
      "/ChangePassword": string
      "/ECurrencyDetails": string
      "/Security": string
      "/Support": string
      "/LevelIncome": string
      "/MatchingIncome": string
      "/Tree_View": string
      "/SalaryIncome": string
      "/RoyaltyIncome": string
      "/Userrank": string
      "/TransactionPassword": string
      "/RoiIncomeForex": string
      "/RoiLevelIncomeForex": string
      "/RoiIncomeCrypto": string
      "/RoiLevelIncomeCrypto": string
      "/ForexActivation": string
      "/ForexActHistory": string
      "/ForexDownlineActivationHistory": string
      "/CryptoActivation": string
      "/CryptoActHistory": string
      "/CryptoDownlineActivationHistory": string
      "/RobotActivationHistory": string
      "/RobotDownlineActivationHistory": string
      "/WithdrawalClaim": string
      "/WithdrawalClaimCrypto": string
      "/Notices": string
      "/Lessons": string
    }
    adminTitles: {
      "/admin": string
      "/admin/login": string
      "/admin/accept": string
      "/admin/funds": string
      "/admin/unmatched": string
      "/admin/withdrawals": string
      "/admin/payouts": string
      "/admin/claims": string
      "/admin/tickets": string
      "/admin/close": string
      "/admin/trading": string
      "/admin/members": string
      "/admin/member": string
      "/admin/reports": string
      "/admin/plan": string
      "/admin/brand": string
      "/admin/settings": string
      "/admin/operators": string
      "/admin/audit": string
      "/admin/password": string
      "/admin/passkeys": string
      "/admin/sessions": string
    }
    sections: {
      dashboard: string
      fund: string
      robot: string
      crypto: string
      forex: string
      team: string
      incomes: string
      withdrawal: string
      setting: string
      support: string
      logOut: string
    }
    shell: {
      skip: string
      logoLabel: (args: { name: Shown }) => string
      mainMenu: string
      openMenu: string
      closeMenu: string
      loading: string
      footerMenu: string
      social: string
    }
    links: {
      home: string
      services: string
      about: string
      faq: string
      contact: string
      login: string
      register: string
      forgotPassword: string
      transparency: string
      create: string
      dashboard: string
    }
    theme: {
      useDark: string
      useLight: string
    }
    language: {
      choose: string
    }
    comingSoon: {
      heading: string
      text: string
      home: string
      about: string
    }
    notFound: {
      heading: string
      text: string
      home: string
    }
    error: {
      heading: string
      text: string
      requestId: string
      retry: string
      home: string
      part: string
    }
    info: {
      pages: string
      contact: string
      contactText: string
      login: string
    }
    terms: {
      Pending: string
      Approved: string
      Rejected: string
      Sent: string
      Confirmed: string
      Cancelled: string
      Hold: string
      Release: string
      Claimed: string
      Funded: string
      Open: string
      Active: string
      Inactive: string
      achieved: string
      pending: string
      open: string
      replied: string
      closed: string
      waiting: string
      approved: string
      refused: string
      withdrawn: string
      Left: string
      Right: string
      ROBOTFUND: string
      FOREXFUNDS: string
      CRYPTOFUNDS: string
      FOREX: string
      CRYPTO: string
      BANK: string
      Activation: string
      Upgrade: string
      Deposit: string
      "Refund of a purchase": string
      "Chargeback of a purchase": string
      Correction: string
      "Level income": string
      "ROI level": string
      capped: string
      scaled: string
      "Hold: account under review": string
      "chain watcher": string
      schedule: string
      Education: string
      "Robot Starter": string
      "Robot Basic": string
      "Robot Plus": string
      "Robot Pro": string
      "Robot Elite": string
      "Forex Basic": string
      "Forex Plus": string
      "Forex Pro": string
      "Crypto Basic": string
      "Crypto Plus": string
      "Crypto Pro": string
      Bronze: string
      Silver: string
      Gold: string
      Platinum: string
      Diamond: string
      Crown: string
    }
    transparency: {
      heading: string
      lead: (args: { brand: Shown }) => string
      failed: string
      asOf: (args: { day: Shown }) => string
      closed: (args: { moment: Shown; plan: Shown }) => string
      digest: string
      emptyHeading: string
      emptyText: string
      nothing: string
      class: string
      amount: string
      owed: string
      cash: string
      ratio: string
      coverage: string
      coverageText: string
      covers: {
        deposits: string
        incomes: string
        trading: string
        held: string
        all: string
      }
      parts: string
      liabilities: string
      cashParts: string
      pools: string
      reserves: string
      company: string
      classes: {
        FUND: string
        DEFERRED: string
        INCOME: string
        HELD: string
        PRINCIPAL: string
        ROI_HELD: string
        FEE_HELD: string
        LINE_RESERVE: string
        RESERVE: string
        CLIENT: string
        FIELD: string
        TRADING: string
        OPERATING: string
      }
      ofs: {
        FOREX: string
        CRYPTO: string
        FUNDS: string
        FOREXFUNDS: string
        CRYPTOFUNDS: string
        ForexIncome: string
        CryptoIncome: string
        LevelIncome: string
        binaryIncome: string
        salaryrankreward: string
        royalty_income: string
      }
      poolNames: {
        LEVEL: string
        MATCH: string
        LEAD: string
        ROYALTY: string
      }
      results: string
      resultsText: string
      line: string
      profit: string
      loss: string
      net: string
      days: string
      losingDays: string
      chartTitle: (args: { line: Shown }) => string
      chartNote: string
      payouts: string
      payoutsText: string
      noPayouts: string
      income: string
      source: string
      paid: string
      reversed: string
      incomes: {
        LevelIncome: string
        binaryIncome: string
        rank: string
        reward: string
        salary: string
        royalty_income: string
        ROI: string
        "ROI level": string
      }
      sources: {
        "pool LEVEL": string
        "pool MATCH": string
        "pool LEAD": string
        "pool ROYALTY": string
        "booked profit FOREX": string
        "booked profit CRYPTO": string
      }
      revenueGross: string
      revenueReversed: string
      revenueNet: string
      revenueRetail: string
      payoutRatio: string
      disclosure: string
      disclosureText: string
      population: string
      noIncome: string
      p25: string
      median: string
      p75: string
      p90: string
      max: string
      exceeds: string
      top: string
      retail: string
      answers: {
        heading: string
        owed: string
        covered: string
        nothing: string
      }
      dots: (args: { count: Shown; rest: Shown }) => string
      dotNothing: string
      dotSomething: string
      download: string
      day: string
      details: string
    }
    why: {
      title: string
      failed: string
      kinds: {
        Level: string
        Matching: string
        Rank: string
        Reward: string
        Salary: string
        Royalty: string
        Roi: string
        RoiLevel: string
      }
      because: {
        Level: (args: { rate: Shown; on: Shown; from: Shown; level: Shown }) => string
        RoiLevel: (args: { rate: Shown; on: Shown; from: Shown; level: Shown }) => string
        Matching: (args: { matched: Shown; rate: Shown }) => string
        Roi: (args: { result: Shown; on: Shown; rate: Shown }) => string
        Rank: (args: { matched: Shown; level: Shown }) => string
        Reward: (args: { leg1: Shown; other: Shown; level: Shown }) => string
        Salary: (args: { level: Shown; team: Shown }) => string
        Royalty: (args: { weight: Shown; weights: Shown; pool: Shown }) => string
        reversal: (args: { row: Shown }) => string
        MatchingCapped: (args: { matched: Shown; rate: Shown; uncapped: Shown; cap: Shown }) => string
        RoiPlain: (args: { rate: Shown; on: Shown }) => string
      }
      calculation: string
      paid: string
      nominal: string
      factor: string
      scaled: string
      from: string
      level: string
      on: string
      rate: string
      matched: string
      matchedEver: string
      leg1: string
      otherLeg: string
      needed: (args: { amount: Shown }) => string
      share: string
      repaid: string
      split: string
      cap: string
      capped: string
      notCapped: string
      carry: string
      carryBefore: string
      carryAfter: string
      carryMeaning: string
      carryUnknown: string
      source: string
      sources: {
        sale: string
        pnl: string
      }
      booked: string
      line: string
      position: string
      reference: string
      teamVolume: string
      weight: string
      released: string
      held: string
      reverses: string
      standing: string
      status: string
      remark: string
      close: string
      day: string
      plan: string
      row: string
      digest: string
      member: (args: { id: Shown }) => string
      person: (args: { name: Shown; id: Shown }) => string
      onHold: string
      uncapped: string
      lost: string
      resultRate: string
      yourRate: string
      heldClaim: (args: { day: Shown }) => string
      heldReview: string
      claimedWith: (args: { day: Shown }) => string
      technical: string
      toSale: string
    }
  }
  export const others: Record<string, () => Promise<typeof english>>
}

declare module 'messages:member' {
  export const english: {
    activations: {
      userId: string
      nobody: string
      sponsorNobody: string
      package: string
      selectPackage: string
      packageOption: (args: { name: Shown; amount: Shown }) => string
      rangeOption: (args: { name: Shown; from: Shown; to: Shown }) => string
      amount: string
      range: (args: { from: Shown; to: Shown }) => string
      transactionPassword: string
      activate: string
      upgrade: string
      effect: (args: { name: Shown; id: Shown; what: Shown }) => string
      difference: string
      ownDifference: string
      notLarger: string
      formTitle: string
      aboutTitle: string
      robotAbout: string
      lineAbout: string
      cooling: (args: { days: Shown }) => string
      packagesFailed: string
      notOffered: (args: { line: Shown }) => string
      notOfferedText: string
      forex: string
      crypto: string
      toFunds: string
      refundTitle: string
      refundEmpty: string
      refundLine: (args: { name: Shown; id: Shown }) => string
      refund: string
      refundOf: (args: { what: Shown }) => string
      refundAsk: (args: { what: Shown; amount: Shown }) => string
      refundDone: string
      effectInvest: (args: { amount: Shown; what: Shown; name: Shown; id: Shown }) => string
      packageCap: (args: { cap: Shown }) => string
      payNow: (args: { amount: Shown }) => string
      yours: string
      included: string
      term: string
      days: (args: { days: Shown }) => string
      endsOn: string
      memberShare: string
      feeShare: string
      levelShare: string
      locked: string
      addFunds: (args: { amount: Shown; fund: Shown }) => string
      robotRisk: string
      robotRiskText: string
      refundConfirm: string
      refundBy: (args: { day: Shown }) => string
      lastDay: string
      oneDayLeft: string
      daysLeft: (args: { days: Shown }) => string
      upgradeFirst: string
      receiptBuy: (args: { what: Shown; name: Shown; id: Shown }) => string
      receiptInvest: (args: { what: Shown; name: Shown; id: Shown }) => string
      receiptReturn: string
      toLessons: string
      lessonsAbout: string
    }
    claims: {
      userId: string
      amount: string
      walletType: string
      income: string
      net: string
      created: string
      claim: string
      status: string
      claimDate: string
      now: string
      already: string
      sure: string
      effect: (args: { net: Shown }) => string
      required: string
      done: string
      none: string
      onItsWay: string
      onItsWayText: string
    }
    investments: {
      title: string
      none: (args: { line: Shown }) => string
      started: (args: { day: Shown }) => string
      ends: (args: { day: Shown }) => string
      ended: (args: { day: Shown }) => string
      progress: (args: { gone: Shown; term: Shown }) => string
      left: (args: { days: Shown }) => string
      leftOne: string
      endsToday: string
      result: string
      finalResult: string
      paidOut: string
      loss: string
      claimAmount: string
      open: string
      ready: string
      waiting: string
      claimed: string
      toClaim: string
      more: (args: { total: Shown }) => string
      note: string
    }
    lessons: {
      title: string
      locked: string
      toActivation: string
      count: (args: { count: Shown }) => string
      failed: string
    }
    dashboard: {
      robotInvestment: string
      forexInvestment: string
      cryptoInvestment: string
      robotFund: string
      forexFund: string
      cryptoFund: string
      exchange: string
      liveRate: string
      summary: string
      referrals: string
      team: string
      directBusiness: string
      teamBusiness: string
      left: string
      right: string
      registrations: string
      activations: string
      serialRegistrations: string
      serialActivations: string
      userId: string
      name: string
      amount: string
      date: string
      noRegistrations: string
      noActivations: string
      leftLink: string
      rightLink: string
      copiedLeft: string
      copiedRight: string
      incomes: string
      levelIncome: string
      forexRoi: string
      forexRoiLevel: string
      cryptoRoi: string
      cryptoRoiLevel: string
      matching: string
      salary: string
      royalty: string
      rank: string
      reward: string
      roiNote: string
      incomeChart: string
      noIncome: string
      chartFailed: string
      legsChart: string
      legBusiness: string
      legCarried: string
      legBusinessNote: string
      legNote: string
      failed: string
      activeInactive: string
      peopleOf: (args: { side: Shown; active: Shown; inactive: Shown }) => string
      invested: string
      inFunds: string
      rate: string
      exchangeLink: (args: { name: Shown }) => string
      available: string
      withdraw: string
      availableNone: string
      inWithdrawals: (args: { amount: Shown }) => string
      earned: string
      yesterday: string
      thisMonth: string
      noneYet: string
      more: (args: { amount: Shown }) => string
      less: (args: { amount: Shown }) => string
      same: string
      moreMonth: (args: { amount: Shown; month: Shown }) => string
      lessMonth: (args: { amount: Shown; month: Shown }) => string
      sameMonth: (args: { month: Shown }) => string
      investedTotal: string
      profit: string
      loss: string
      noResult: string
      investNow: string
      resultNote: string
      toDo: string
      inProgress: string
      allDone: string
      doClaim: (args: { count: number; amount: Shown; line: Shown }) => string
      doRejected: (args: { amount: Shown }) => string
      doPin: string
      doEmail: string
      doAddress: string
      doFactor: string
      doRefund: (args: { name: Shown; day: Shown }) => string
      requestPending: (args: { amount: Shown; fund: Shown }) => string
      withdrawalPending: (args: { amount: Shown; state: Shown }) => string
      startTitle: string
      startLead: string
      startDone: (args: { done: Shown; all: Shown }) => string
      stepDone: string
      stepWaiting: string
      stepEmail: string
      stepEmailText: string
      stepEmailAct: string
      stepPin: string
      stepPinText: string
      stepPinAct: string
      stepFactor: string
      stepFactorText: string
      stepFactorAct: string
      stepFunds: string
      stepFundsText: string
      stepFundsAct: string
      stepActivate: string
      stepActivateText: string
      stepActivateAct: string
      stepShare: string
      stepShareText: string
      stepShareAct: string
      showAll: string
      overviewFailed: string
      daily: string
      cumulative: string
      chartMode: string
      day: string
      openDay: (args: { day: Shown }) => string
      incomeNote: (args: { total: Shown; day: Shown }) => string
      leftLeg: string
      rightLeg: string
      legMembers: string
      waitsRight: (args: { amount: Shown }) => string
      waitsLeft: (args: { amount: Shown }) => string
      waitsNone: string
      waitsMeaning: string
      legNotes: string
      refunded: string
      lessons: string
      openLessons: string
    }
    funds: {
      sayUsdt: string
      sayBank: string
      usdtList: string
      bankList: string
      address: string
      addressCode: string
      addressCopied: string
      addressNote: string
      nextAddress: (args: { when: Shown }) => string
      nextAddressText: string
      addressFailed: string
      noAddress: string
      fundType: string
      selectFund: string
      amount: string
      amountHeader: string
      amountDollars: string
      transactionNumber: string
      hashHint: string
      utr: string
      bank: string
      selectBank: string
      bankDetails: string
      chooseBank: string
      banksFailed: string
      noBanks: string
      holder: string
      account: string
      accountCopied: string
      ifsc: string
      branch: string
      status: string
      remark: string
      requestedDate: string
      approveDate: string
      noRequests: string
      usdtDone: string
      bankDone: string
      transfer: string
      transferEffect: (args: { name: Shown; id: Shown }) => string
      transferEffectById: (args: { id: Shown }) => string
      transferDone: string
      toUserId: string
      walletType: string
      selectWallet: string
      date: string
      nobody: string
      charge: (args: { amount: Shown }) => string
      transactionPassword: string
      noTransfers: string
      transferDoneEffect: (args: { name: Shown; id: Shown }) => string
      requestNo: (args: { id: Shown }) => string
      steps: {
        send: string
        paste: string
        credit: string
      }
      waiting: (args: { count: Shown }) => string
      creditText: string
      stepsLabel: string
    }
    deposit: {
      own: string
      ownText: (args: { confirmations: Shown }) => string
      ownFund: string
      network: string
      least: (args: { amount: Shown }) => string
      noOwn: string
      announce: string
      announceText: string
      announceSubmit: string
      announced: string
      formNote: string
      addressNote: string
      payExactly: string
      amountCopied: string
      amountLabel: string
      oneOnly: string
      to: string
      timeLeft: string
      cancel: string
      cancelOf: (args: { amount: Shown }) => string
      cancelTitle: string
      cancelText: string
      cancelConfirm: string
      cancelled: string
      ownRequests: string
      onTheWay: string
      earlier: string
      seen: (args: { confirmations: Shown; needed: Shown }) => string
      standings: {
        waiting: string
        confirmed: string
        expired: string
        person: string
        rejected: string
      }
    }
    fundNames: {
      FUNDS: string
      FOREXFUNDS: string
      CRYPTOFUNDS: string
    }
    histories: {
      serial: string
      userId: string
      referBy: string
      packageAmount: string
      remark: string
      type: string
      date: string
      noRobot: string
      noForex: string
      noCrypto: string
      noDownline: string
      receivedBy: string
      receivedAmount: string
      deducted: string
      receivedDate: string
      fundType: string
      noReceived: string
      withdrawalId: string
      amount: string
      charge: string
      withdrawalAmount: string
      withdrawlType: string
      status: string
      requestDate: string
      responseDate: string
      noWithdrawals: string
      refundedOn: (args: { kind: Shown; day: Shown }) => string
      refunded: (args: { kind: Shown }) => string
      reversed: (args: { kind: Shown }) => string
      coolingUntil: (args: { kind: Shown; day: Shown }) => string
      cooling: (args: { kind: Shown }) => string
      final: (args: { kind: Shown }) => string
      endsOn: (args: { kind: Shown; day: Shown }) => string
      endedOn: (args: { kind: Shown; day: Shown }) => string
      claimed: (args: { kind: Shown }) => string
    }
    incomes: {
      userId: string
      fromId: string
      onAmount: string
      onRate: string
      level: string
      income: string
      matched: string
      cap: string
      remark: string
      status: string
      created: string
      rank: string
      needMatched: string
      matchedEver: string
      needLeg1: string
      leg1: string
      needOther: string
      other: string
      rankReward: string
      reward: string
      salary: string
      date: string
      achieved: string
      achievedDate: string
      roiTotal: string
      noLevel: string
      noMatching: string
      noSalary: string
      noRoyalty: string
      noRank: string
      noReward: string
      noRobotRoi: string
      noForexRoi: string
      noCryptoRoi: string
      noForexRoiLevel: string
      noCryptoRoiLevel: string
      incomeType: string
      levelEducation: string
      levelRobot: string
      levelForex: string
      requestAmount: string
      adminCharge: string
      payable: string
      requestDate: string
      hash: string
      hashDate: string
      placeholder: string
      whenReached: string
      whenReachedReward: string
      currentRank: string
      nextRank: string
      currentReward: string
      nextReward: string
      rewardLevel: (args: { level: Shown }) => string
      noneYet: string
      allReached: string
      toGo: (args: { amount: Shown }) => string
      enough: string
      ofNeed: (args: { have: Shown; need: Shown }) => string
      matchedVolume: string
      strongestLeg: string
      otherLegs: string
      pays: (args: { amount: Shown }) => string
      paysSalary: (args: { amount: Shown; salary: Shown }) => string
    }
    notices: {
      title: string
      none: string
      failed: string
      fresh: string
      fundApproved: (args: { amount: Shown; fund: Shown }) => string
      fundRejected: (args: { amount: Shown; fund: Shown }) => string
      received: (args: { name: Shown; from: Shown; amount: Shown; fund: Shown }) => string
      answer: (args: { id: Shown }) => string
      claimReady: (args: { line: Shown; amount: Shown }) => string
      claimWaits: (args: { line: Shown; amount: Shown }) => string
      all: string
      kinds: {
        all: string
        unread: string
        money: string
        withdrawal: string
        claim: string
        answer: string
      }
      filter: string
      noneOfKind: string
      withdrawalApproved: (args: { amount: Shown; wallet: Shown }) => string
      withdrawalSent: (args: { amount: Shown; wallet: Shown }) => string
      withdrawalConfirmed: (args: { amount: Shown; wallet: Shown }) => string
      withdrawalRejected: (args: { amount: Shown; wallet: Shown }) => string
      lines: {
        FOREX: string
        CRYPTO: string
      }
    }
    settings: {
      failed: string
      member: string
      birthday: string
      phone: string
      email: string
      userId: string
      about: string
      settings: string
      fullName: string
      mobile: string
      referralLink: string
      copied: string
      update: string
      firstName: string
      lastName: string
      father: string
      country: string
      selectCountry: string
      dob: string
      gender: string
      selectGender: string
      genders: {
        Male: string
        Female: string
      }
      address: string
      aboutUs: string
      nominee: string
      relation: string
      selectRelation: string
      relations: {
        Husband: string
        Wife: string
        Father: string
        Mother: string
        Brother: string
        Sister: string
        Uncle: string
        Aunty: string
        Son: string
        Daughter: string
      }
      transactionPassword: string
      statement: string
      statementNote: string
      wallet: string
      history: string
      historyNote: string
      historyEmpty: string
      historyFailed: string
      historyOlder: string
      historyBy: (args: { who: Shown }) => string
      historyActs: {
        correction: string
        "fund.approve": string
        "fund.reject": string
        "fund.release": string
        "withdrawal.approve": string
        "withdrawal.reject": string
        "withdrawal.sent": string
        "withdrawal.failed": string
        "withdrawal.confirm": string
        "payout.propose": string
        "payout.approve": string
        "payout.cancel": string
        "payout.return": string
        "payout.replace": string
        "payout.confirm": string
        block: string
        unblock: string
        visit: string
        "visit ticket": string
        "member signed out": string
        "transaction password mailed": string
        chargeback: string
        recall: string
        "personal data exported": string
      }
      sessions: string
      sessionsNote: string
      sessionsFailed: string
      thisDevice: string
      unknownDevice: string
      visit: (args: { reason: Shown }) => string
      lastSeen: (args: { moment: Shown }) => string
      end: string
      endOf: (args: { address: Shown }) => string
      endOthers: string
      sessionEnded: string
      othersEnded: string
      oldPassword: string
      newPassword: string
      confirmPassword: string
      temporaryTitle: string
      temporaryText: string
      passwordDone: string
      passwordNote: string
      otp: string
      otpHint: string
      oldTransaction: string
      newTransaction: string
      confirmTransaction: string
      transactionDone: string
      transactionNote: string
      transactionLost: string
      transactionEnded: string
      transactionLostText: (args: { email: Shown }) => string
      transactionLostWait: string
      transactionUnconfirmed: (args: { email: Shown }) => string
      transactionMail: string
      transactionMailTitle: string
      transactionMailText: string
      transactionMailed: (args: { email: Shown }) => string
      usdtTab: string
      bankTab: string
      usdtAddress: string
      walletNote: (args: { hours: Shown }) => string
      holder: string
      account: string
      ifsc: string
      bankName: string
      branch: string
      ifscUnknown: string
      branchUnknown: string
      pan: string
      aadhar: string
      entries: {
        deposit: string
        transferIn: (args: { name: Shown }) => string
        transferOut: (args: { name: Shown }) => string
        buy: (args: { package: Shown }) => string
        buyFor: (args: { package: Shown; name: Shown }) => string
        invest: (args: { package: Shown }) => string
        investFor: (args: { package: Shown; name: Shown }) => string
        refund: (args: { package: Shown }) => string
        chargeback: (args: { package: Shown }) => string
        claim: string
        income: (args: { wallet: Shown; day: Shown }) => string
        release: (args: { wallet: Shown; day: Shown }) => string
        withdraw: (args: { number: Shown }) => string
        correction: string
        unblock: string
        other: string
      }
      opening: string
      moneyIn: string
      moneyOut: string
      closing: string
      preview: string
      noEntries: string
      previewFailed: string
      presets: {
        month: string
        lastMonth: string
        year: string
        all: string
      }
      period: string
    }
    security: {
      failed: string
      title: string
      on: string
      off: string
      onText: (args: { since: Shown }) => string
      offText: string
      above: (args: { amount: Shown }) => string
      waitNote: (args: { hours: Shown }) => string
      waitsTitle: (args: { until: Shown }) => string
      waitsText: string
      turnOff: string
      turnOffTitle: string
      turnOffText: string
      turnedOff: string
      app: string
      appOn: string
      appOff: string
      appText: string
      setUpApp: string
      setUpAppText: string
      replaceApp: string
      replaceAppText: string
      goOn: string
      scan: string
      scanText: string
      scanCode: string
      typeIn: string
      key: string
      keyCopied: string
      appCode: string
      appDone: string
      codes: string
      codesLeft: (args: { count: number }) => string
      codesNote: string
      codesText: string
      codesCopied: string
      kept: string
      newCodes: string
      newCodesText: string
      passkeys: string
      passkeysText: string
      addPasskey: string
      addPasskeyText: string
      passkeyName: (args: { number: Shown }) => string
      name: string
      passkeyAdded: string
      added: (args: { when: Shown }) => string
      used: (args: { when: Shown }) => string
      rename: string
      renameOf: (args: { name: Shown }) => string
      renameTitle: string
      renameText: string
      renamed: string
      remove: string
      removeOf: (args: { name: Shown }) => string
      removeText: string
      removeLastText: string
      removed: string
      email: string
      emailConfirmed: string
      emailWaits: string
      correctTitle: string
      correctText: string
      correctEmail: string
      correctConfirm: string
      corrected: string
      pendingNote: string
      pendingCancel: string
      pendingCancelled: (args: { email: Shown }) => string
      pendingNotCancelled: string
      undoUntil: (args: { until: Shown }) => string
      undoRests: (args: { from: Shown }) => string
      undoRemove: string
      undoRemoveTitle: string
      undoRemoveText: string
      undoRemoved: string
      password: string
      code: string
    }
    support: {
      yourQuery: string
      complaint: string
      complaintHint: string
      done: string
      history: string
      ticket: string
      query: string
      reply: string
      requested: string
      status: string
      replied: string
      empty: string
      open: string
      openOf: (args: { id: Shown }) => string
      you: string
      us: string
      closed: string
      reopened: string
      answer: string
      send: string
      talkFailed: string
    }
    team: {
      userId: string
      userName: string
      contact: string
      status: string
      level: string
      registered: string
      activated: string
      robot: string
      forex: string
      crypto: string
      position: string
      sponsorTeam: string
      sponsorLevel: string
      forexSelf: string
      forexTeam: string
      cryptoSelf: string
      cryptoTeam: string
      levelOfTeam: string
      levelOfSponsors: string
      noReferrals: string
      noTeam: string
      noLevels: string
      noLegs: string
    }
    tree: {
      picture: string
      search: string
      home: string
      back: string
      notFound: string
      failed: string
      fetching: (args: { id: Shown }) => string
      toSelf: string
      self: (args: { id: Shown }) => string
      trail: string
      legend: string
      statuses: {
        active: string
        inactive: string
        cooling: string
        free: string
      }
      take: (args: { side: Shown; sponsor: Shown }) => string
      leftLink: string
      rightLink: string
      zoomIn: string
      zoomOut: string
      fit: string
      sponsor: string
      activation: string
      packageAmount: string
      package: string
      rank: string
      leftRight: (args: { name: Shown }) => string
      total: string
      active: string
      business: string
      carried: string
      centre: string
    }
    withdrawal: {
      available: string
      balancesFailed: string
      userId: string
      email: string
      incomeType: string
      selectIncomeType: string
      type: string
      selectType: string
      usdt: string
      amount: string
      sendOtp: string
      sendOtpAgain: string
      otpSent: string
      otpHint: (args: { minutes: Shown }) => string
      otpOther: string
      otp: string
      appCode: string
      appCodeHint: string
      appCodeOrPasskey: string
      byPasskey: string
      needsFactor: (args: { above: Shown }) => string
      setFactor: string
      submit: string
      formTitle: string
      effect: (args: { address: Shown }) => string
      rulesTitle: string
      addressTitle: string
      noAddress: string
      setAddress: string
      minimum: (args: { min: Shown }) => string
      fee: (args: { percent: Shown }) => string
      freeFund: string
      daily: (args: { most: Shown }) => string
      walletWait: (args: { hours: Shown }) => string
      accessWait: (args: { hours: Shown }) => string
      review: string
      wallets: {
        LevelIncome: string
        binaryIncome: string
        ForexIncome: string
        CryptoIncome: string
        royalty_income: string
        salaryrankreward: string
        FundBalance: string
      }
      pendingTitle: string
      pendingEmpty: string
      cancel: string
      cancelOf: (args: { id: Shown }) => string
      cancelAsk: (args: { amount: Shown }) => string
      cancelled: string
      history: string
      notBefore: (args: { when: Shown }) => string
      waitsTitle: (args: { when: Shown }) => string
      waitsText: (args: { when: Shown }) => string
      paidOut: (args: { sum: Shown }) => string
      fromFund: (args: { fund: Shown }) => string
      max: string
      details: string
      detailsTitle: (args: { id: Shown }) => string
      toAddress: string
      hash: string
      reason: string
      progress: string
      steps: {
        requested: string
        approved: string
        sent: string
        confirmed: string
      }
    }
  }
  export const others: Record<string, () => Promise<typeof english>>
}

declare module 'messages:console' {
  export const english: {
    record: {
      act: string
      member: string
      operator: string
      no: string
      at: string
      who: string
      subject: string
      reason: string
      empty: string
      newest: string
      older: string
      entry: (args: { no: Shown }) => string
      hash: string
      was: string
      became: string
    }
    acts: {
      "sign in": string
      "passkey refused": string
      "codes locked": string
      visit: string
      "visit ticket": string
      invite: string
      "invite again": string
      "password set": string
      "factor set": string
      "factor reset": string
      "sign out": string
      "session end": string
      "other sessions end": string
      "password changed": string
      "customer entered": string
      end: string
      "member signed out": string
      note: string
      flag: string
      "flag lowered": string
      "transaction password mailed": string
      "personal data exported": string
      evidence: string
      "ticket answered": string
      "ticket closed": string
      "ticket reopened": string
      "ticket assigned": string
      "ticket complaint": string
      "close proposed": string
      "close committed": string
      "fund.approve": string
      "fund.reject": string
      "fund.release": string
      "withdrawal.approve": string
      "withdrawal.reject": string
      "withdrawal.sent": string
      "withdrawal.failed": string
      "withdrawal.confirm": string
      pnl: string
      settle: string
      chargeback: string
      recall: string
      cancel: string
      block: string
      unblock: string
      role: string
      setting: string
      erasure: string
      plan: string
      "pnl proposed": string
      "pnl approved": string
      "pnl refused": string
      "pnl withdrawn": string
      "settle proposed": string
      "settle approved": string
      "settle refused": string
      "settle withdrawn": string
      "chargeback proposed": string
      "chargeback approved": string
      "chargeback refused": string
      "chargeback withdrawn": string
      "recall proposed": string
      "recall approved": string
      "recall refused": string
      "recall withdrawn": string
      "cancel proposed": string
      "cancel approved": string
      "cancel refused": string
      "cancel withdrawn": string
      "block proposed": string
      "block approved": string
      "block refused": string
      "block withdrawn": string
      "unblock proposed": string
      "unblock approved": string
      "unblock refused": string
      "unblock withdrawn": string
      "role proposed": string
      "role approved": string
      "role refused": string
      "role withdrawn": string
      "end proposed": string
      "end approved": string
      "end refused": string
      "end withdrawn": string
      "setting proposed": string
      "setting approved": string
      "setting refused": string
      "setting withdrawn": string
      "erasure proposed": string
      "erasure approved": string
      "erasure refused": string
      "erasure withdrawn": string
      "plan proposed": string
      "plan approved": string
      "plan refused": string
      "plan withdrawn": string
      "payout.propose": string
      "payout.approve": string
      "payout.cancel": string
      "payout.return": string
      "payout.replace": string
      "payout.confirm": string
      "payout.adopt": string
      "payout.settle": string
      "payout.dismiss": string
      "payout.found": string
      "payout.export": string
      "payout.import": string
    }
    claimQueue: {
      empty: string
      claim: string
      line: string
      position: string
      principal: string
      income: string
      amount: string
      recalled: string
      need: string
      available: string
      state: string
      states: {
        Open: string
        Funded: string
        Claimed: string
      }
      since: string
      taken: string
      from: string
      to: string
      ofMember: string
      proposed: string
      waiting: string
      recall: string
      recallSeveral: string
      recallSeveralText: string
      askedFor: string
      funded: string
    }
    closes: {
      next: (args: { day: Shown }) => string
      nothing: string
      state: string
      over: string
      running: string
      from: string
      preview: string
      previewFailed: string
      propose: string
      commit: string
      lookFirst: string
      differs: string
      reminds: string
      paid: string
      makes: string
      rows: string
      events: string
      sales: string
      changes: string
      pools: string
      refused: string
      event: string
      reason: string
      plan: string
      digest: string
      proposeTitle: (args: { day: Shown }) => string
      proposeText: string
      proposed: string
      commitTitle: (args: { day: Shown }) => string
      commitText: string
      committed: string
      progress: string
      working: string
      phases: {
        load: string
        compute: string
        post: string
        persist: string
        report: string
        commit: string
      }
      closed: string
      empty: string
      day: string
      proposedBy: string
      proposedAt: string
      approvedBy: string
      aloneHead: string
      alone: {
        demo: string
        "command line": string
        schedule: string
      }
      closedAt: string
      newest: string
      earlier: string
      undecided: (args: { count: number }) => string
      undecidedText: string
      undecidedLink: string
    }
    closeDay: {
      calendar: string
      month: (args: { month: Shown }) => string
      previous: string
      next: string
      states: {
        closed: string
        next: string
        open: string
      }
      look: string
      back: string
      title: (args: { day: Shown }) => string
      failed: string
      compared: string
      kind: string
      amount: string
      before: string
      difference: string
      none: string
      firstDay: string
      paid: string
      top: string
      member: string
      name: string
      noTop: string
      rows: string
      warnings: string
      noWarnings: string
      warns: {
        refused: (args: { count: Shown }) => string
        scaled: (args: { count: Shown }) => string
        held: (args: { count: Shown }) => string
        taken: (args: { count: Shown }) => string
        jump: (args: { change: Shown }) => string
        plan: string
        waiting: (args: { count: Shown }) => string
        company: (args: { line: Shown; amount: Shown }) => string
        short: (args: { amount: Shown; has: Shown }) => string
      }
      only: string
      marks: {
        all: string
        scaled: string
        capped: string
        held: string
        taken: string
      }
      row: string
      of: string
      level: string
      line: string
      nominal: string
      got: string
      mark: string
      short: {
        scaled: string
        capped: string
        held: string
        taken: string
      }
      noRows: string
      replay: string
      replayText: string
      replaying: (args: { total: number; done: Shown }) => string
      replayOther: (args: { day: Shown }) => string
      replayFailed: string
      progress: string
      equal: string
      equalText: string
      unequal: string
      unequalText: string
      earlier: (args: { day: Shown }) => string
      committed: string
      again: string
      againRows: string
      differences: string
      more: (args: { count: Shown }) => string
      what: string
      whats: {
        row: string
        sale: string
        plan: string
      }
      number: string
      field: string
      stored: string
      comesOut: string
      noDifferences: string
    }
    console: {
      name: string
      menu: string
      failed: string
      roles: {
        owner: string
        finance: string
        support: string
        compliance: string
        readonly: string
      }
      idle: {
        title: string
        text: (args: { seconds: Shown }) => string
        stay: string
      }
      act: {
        required: string
        reason: string
        template: string
        choose: string
      }
      signIn: {
        heading: string
        email: string
        password: string
        code: string
        codeHint: string
        submit: string
        passkey: string
        done: string
      }
      enrol: {
        heading: string
        text: string
        qr: string
        secret: string
        code: string
        submit: string
        done: string
        failed: string
        codesHeading: string
        codesText: string
        copied: string
        kept: string
      }
      accept: {
        heading: string
        text: string
        password: string
        confirm: string
        submit: string
        done: string
      }
      proof: {
        title: string
        text: string
        field: string
        passkey: string
        confirm: string
      }
      password: {
        text: string
        old: string
        new: string
        confirm: string
        submit: string
        done: string
      }
      passkeys: {
        name: string
        created: string
        used: string
        password: string
        code: string
        add: string
        addTitle: string
        addText: string
        added: string
        remove: string
        removeTitle: string
        removeText: string
        removed: string
        empty: string
        elsewhere: (args: { origin: Shown }) => string
        unable: string
        known: string
        cancelled: string
      }
      sessions: {
        address: string
        agent: string
        created: string
        seen: string
        expires: string
        current: string
        end: string
        endTitle: string
        endOthers: string
        endOthersTitle: string
        ended: string
        empty: string
      }
      home: {
        waiting: string
        failed: string
        tiles: {
          funds: string
          withdrawals: string
          approved: string
          sent: string
          batches: string
          claims: string
          tickets: string
          overdue: string
          closes: string
          bookings: string
          corrections: string
          plans: string
          brand: string
          settings: string
          proposals: string
          erasures: string
        }
        health: string
        lastClosed: string
        closedAt: string
        nextDay: string
        overdue: string
        running: string
        never: string
        recovery: string
        unwell: string
        frozen: (args: { why: Shown }) => string
        closes: string
        ledger: string
        checked: string
        money: string
        moves: string
        still: string
        anchor: string
        anchored: string
        notAnchored: string
        anchorWrong: (args: { why: Shown }) => string
        elsewhere: string
        mail: string
        mailServer: string
        mailWaiting: string
        mailOldest: string
        mailFailed: string
        mailForged: string
        changed: string
        on: string
        off: string
        none: string
        chain: string
        watcher: string
        chainOff: string
        looked: string
        well: string
        nodesDown: string
        payouts: string
        notHeld: string
        held: string
        disk: string
        free: string
        enough: string
        low: string
        unknown: string
        database: string
        reach: string
        reachProxy: string
        proxyAddress: string
        proxySeen: string
        reachUrl: string
        reachListen: string
        untrusted: string
        plainHttp: string
        openListener: string
        proxyAlarm: (args: { address: Shown }) => string
        urlAlarm: (args: { url: Shown }) => string
        listenAlarm: (args: { address: Shown }) => string
        clear: string
        you: string
        empty: (args: { count: number }) => string
        allWell: (args: { day: Shown }) => string
        notWell: string
      }
      codes: {
        FUNDS: string
        FOREXFUNDS: string
        CRYPTOFUNDS: string
        LevelIncome: string
        binaryIncome: string
        ForexIncome: string
        CryptoIncome: string
        royalty_income: string
        salaryrankreward: string
        FundBalance: string
        FOREX: string
        CRYPTO: string
        LEVEL: string
        MATCH: string
        LEAD: string
        ROYALTY: string
      }
      money: {
        heading: (args: { day: Shown }) => string
        failed: string
        empty: string
        alarm: (args: { classes: Shown }) => string
        coverage: string
        covers: {
          deposits: string
          incomes: string
          trading: string
          held: string
          all: string
        }
        covered: string
        short: string
        payout: string
        revenue: string
        company: string
        cash: string
        liabilities: string
        pools: string
        classes: {
          DEFERRED: string
          FEE_HELD: string
          FUND: string
          INCOME: string
          PRINCIPAL: string
          ROI_HELD: string
          CLIENT: string
          FIELD: string
          OPERATING: string
          TRADING: string
          POOL: string
          LINE_RESERVE: string
          RESERVE: string
          HELD: string
        }
      }
      operators: {
        name: string
        email: string
        role: string
        state: string
        seen: string
        ended: string
        ready: string
        invited: string
        actions: string
        empty: string
        invite: string
        inviteText: string
        invitedDone: string
        inviteAgain: string
        changeRole: string
        changeRoleText: string
        proposed: string
        resetFactor: string
        resetFactorText: string
        end: string
        endText: string
        done: string
        proposals: string
        noProposals: string
        wanted: string
        was: string
        reason: string
        by: string
        at: string
        states: {
          waiting: string
          approved: string
          refused: string
          withdrawn: string
        }
        approve: string
        refuse: string
        withdraw: string
        digest: string
        number: string
      }
    }
    frozen: {
      title: string
      steps: {
        wait: string
        keep: string
        find: string
        thaw: string
      }
    }
    forbidden: {
      heading: string
      text: string
      home: string
    }
    corrections: {
      heading: string
      waiting: string
      noWaiting: string
      decided: string
      member: string
      wallet: string
      direction: string
      directions: {
        credit: string
        debit: string
        move: string
      }
      into: string
      amount: string
      reason: string
      why: string
      corrects: string
      wrong: string
      against: string
      againsts: {
        company: string
        cash: string
        wallet: string
      }
      before: string
      after: string
      tooMuch: string
      answer: string
      ofEntry: string
      ofEntryLabel: (args: { amount: Shown }) => string
      propose: {
        title: string
        text: string
        confirm: string
        done: string
      }
      approve: {
        title: string
        text: string
        confirm: string
        done: string
      }
      refuse: {
        title: string
        text: string
        confirm: string
        done: string
      }
      withdraw: {
        title: string
        text: string
        confirm: string
        done: string
      }
      waits: (args: { count: number }) => string
    }
    requests: {
      keysMove: string
      keysAct: string
      number: (args: { id: Shown }) => string
      choose: string
      chooseOne: (args: { id: Shown }) => string
      chooseAll: string
      chooseNone: string
      together: (args: { act: Shown; count: Shown }) => string
      results: string
      doneOne: string
      decidedAlready: string
      aboveLimit: string
      noVerdictYet: string
      approveFunds: string
      approveFundsText: string
      rejectFunds: string
      approveWithdrawals: string
      approveWithdrawalsText: string
      rejectWithdrawals: string
      member: (args: { uid: Shown }) => string
      wholeMember: string
      memberFailed: string
      name: string
      email: string
      active: string
      inactive: string
      blocked: string
      changed: string
      newEmail: string
      newWallet: string
      openTickets: string
      userId: string
      amount: string
      net: string
      charge: string
      fund: string
      wallet: string
      way: string
      bank: string
      transaction: string
      paidInto: string
      verdict: string
      noVerdict: string
      claims: string
      claimants: string
      claimantsText: string
      othersRejected: (args: { count: number }) => string
      severalClaims: string
      request: string
      proven: string
      provenYes: string
      provenNo: string
      releaseFund: string
      releaseFundText: (args: { uid: Shown }) => string
      releaseReason: string
      release: string
      released: string
      state: string
      states: {
        Pending: string
        Approved: string
        Rejected: string
        Sent: string
        Confirmed: string
        Cancelled: string
      }
      requested: string
      decidedBy: string
      remark: string
      remarkTold: string
      address: string
      ready: string
      hash: string
      batch: string
      approvalsHead: string
      approvals: (args: { given: Shown; wanted: Shown }) => string
      noFunds: string
      noWithdrawals: string
      approve: string
      approveOne: string
      reject: string
      rejectOne: string
      approved: string
      rejected: string
      approveFund: string
      approveFundText: (args: { amount: Shown; name: Shown; uid: Shown }) => string
      approveFundFirst: (args: { amount: Shown; name: Shown; uid: Shown }) => string
      rejectFund: string
      rejectFundText: string
      steps: {
        approve: {
          title: string
          text: string
          confirm: string
          done: string
        }
        reject: {
          title: string
          text: string
          confirm: string
          done: string
        }
        sent: {
          title: string
          text: string
          confirm: string
          done: string
        }
        failed: {
          title: string
          text: string
          confirm: string
          done: string
        }
        confirm: {
          title: string
          text: string
          confirm: string
          done: string
        }
      }
      sumOf: (args: { count: Shown; sum: Shown }) => string
      confirm: string
      notChecked: string
    }
    reasons: {
      fund: {
        missing: string
        amount: string
        number: string
        account: string
      }
      withdrawal: {
        address: string
        identity: string
        stranger: string
        asked: string
      }
    }
    members: {
      find: string
      ask: string
      nobody: string
      failed: string
      userId: string
      name: string
      email: string
      mobile: string
      state: string
      active: string
      inactive: string
      blocked: string
      newEmail: string
      newWallet: string
      joined: string
      activated: string
      by: string
      bys: {
        id: string
        name: string
        "last name": string
        "e-mail": string
        mobile: string
        wallet: string
        payment: string
        transfer: string
        request: string
        withdrawal: string
        ticket: string
        claim: string
        sale: string
      }
      person: string
      birthday: string
      address: string
      nominee: string
      wallet: string
      bank: string
      sales: string
      positions: string
      claims: string
      tickets: string
      place: string
      number: string
      sponsor: string
      parent: string
      side: string
      sides: {
        "0": string
        "1": string
        "2": string
      }
      legs: string
      legMembers: string
      business: {
        robot: string
        forex: string
        crypto: string
      }
      wallets: string
      noWallets: string
      account: string
      posted: string
      held: string
      available: string
      entries: string
      noEntries: string
      at: string
      kind: string
      amount: string
      after: string
      reason: string
      reference: string
      notes: string
      noNotes: string
      noteText: string
      note: {
        title: string
        confirm: string
        done: string
      }
      sessions: string
      noSessions: string
      sessionKind: string
      kinds: {
        member: string
        visit: string
      }
      from: string
      since: string
      seen: string
      block: {
        title: string
        text: string
        confirm: string
        done: string
      }
      unblock: {
        title: string
        text: string
        confirm: string
        done: string
      }
      visit: {
        title: string
        text: string
        confirm: string
        done: string
      }
      visitReady: string
      visitText: string
      visitOpen: string
      mailPassword: {
        title: string
        text: string
        confirm: string
        done: string
      }
    }
    memberDetails: {
      flags: string
      noFlags: string
      flag: string
      flagNames: {
        watch: string
        duplicate: string
        documents: string
        vulnerable: string
        "legal hold": string
      }
      flagHistory: string
      raised: string
      lowered: string
      raise: {
        title: string
        confirm: string
        done: string
      }
      lower: {
        title: string
        confirm: string
        done: string
      }
      duplicates: string
      noDuplicates: string
      duplicatesText: string
      userId: string
      name: string
      joined: string
      shared: string
      ways: {
        mobile: string
        wallet: string
        bank: string
        "e-mail": string
        address: string
      }
      signOut: {
        title: string
        text: string
        confirm: string
        done: string
      }
      signOutAll: {
        title: string
        text: string
        confirm: string
        done: string
      }
      privacy: string
      privacyFailed: string
      export: {
        title: string
        text: string
        confirm: string
        done: string
      }
      hold: {
        title: string
        text: string
        confirm: string
        done: string
      }
      lift: {
        title: string
        text: string
        confirm: string
        done: string
      }
      erase: {
        title: string
        text: string
        confirm: string
        done: string
      }
      approve: {
        title: string
        text: string
        confirm: string
        done: string
      }
      refuse: {
        title: string
        confirm: string
        done: string
      }
      withdraw: {
        title: string
        confirm: string
        done: string
      }
      erased: string
      erasedAt: (args: { at: Shown }) => string
      mayErase: string
      inTheWay: string
      obstacles: {
        unblocked: string
        hold: string
        balance: string
        withdrawal: string
        position: string
        claim: string
        request: string
        cooling: string
        debt: string
        ticket: string
        correction: string
      }
      erasure: (args: { id: Shown }) => string
      erasuresWaiting: string
      states: {
        waiting: string
        approved: string
        refused: string
        withdrawn: string
      }
      proposedBy: string
      decidedBy: string
      reason: string
      digest: string
      state: string
    }
    memberLists: {
      label: string
      tabs: {
        purchases: string
        incomes: string
        requests: string
      }
      of: string
      products: {
        robot: string
        forex: string
        crypto: string
      }
      kind: string
      kinds: {
        Level: string
        Matching: string
        Rank: string
        Reward: string
        Salary: string
        Royalty: string
        RoiForex: string
        RoiCrypto: string
        RoiLevelForex: string
        RoiLevelCrypto: string
      }
      asked: {
        funds: string
        withdrawals: string
        sent: string
        received: string
        forexClaims: string
        cryptoClaims: string
      }
      day: string
      at: string
      package: string
      amount: string
      payer: string
      state: string
      states: {
        cooling: string
        final: string
        refunded: string
        reversed: string
        open: string
        matured: string
        claimed: string
      }
      statuses: {
        Hold: string
        Release: string
        Claimed: string
      }
      number: string
      row: string
      from: string
      level: string
      on: string
      nominal: string
      paid: string
      since: string
      fund: string
      net: string
      other: string
      remark: string
      until: string
      total: (args: { sum: Shown }) => string
      noPurchases: string
      noIncomes: string
      noRequests: string
    }
    moves: {
      deposit: string
      correction: string
      buy: string
      invest: string
      transfer: string
      withdraw: string
      refund: string
      reverse: string
      reversal: string
      claim: string
      income: string
      release: string
      finalise: string
      profit: string
      loss: string
      debt: string
      breakage: string
      fee: string
    }
    payouts: {
      sweep: {
        title: string
        text: string
        as: (args: { format: Shown }) => string
      }
      wallet: string
      noChain: string
      noWallet: string
      chainFailed: string
      address: string
      funds: string
      gas: string
      gwei: (args: { amount: Shown }) => string
      unknown: string
      nodes: string
      up: (args: { up: Shown; all: Shown }) => string
      failedNow: string
      hold: {
        title: string
        failed: string
        again: string
        why: string
        next: {
          "": string
          held: string
          settling: string
          settled: string
          lifted: string
        }
        state: string
        states: {
          "": string
          held: string
          settling: string
          settled: string
          lifted: string
        }
        since: string
        nonces: string
        counts: (args: { final: Shown; latest: Shown; pending: Shown; known: Shown }) => string
        unknown: string
        until: string
        waiting: string
        firstBy: string
        reason: string
        found: string
        nothing: string
        verdict: string
        paid: string
        mayHavePaid: string
        fitsNone: string
        dismissed: (args: { by: Shown }) => string
        decide: string
        to: string
        from: string
        block: string
      }
      approved: string
      approvedText: string
      noApproved: string
      choose: string
      chooseOne: (args: { id: Shown }) => string
      make: string
      makeOf: (args: { count: Shown; sum: Shown }) => string
      withdrawals: string
      allThatMayLeave: string
      ready: string
      batches: string
      empty: string
      batch: string
      batchNumber: (args: { id: Shown }) => string
      batchFailed: string
      payoutsOf: (args: { id: Shown }) => string
      way: string
      ways: {
        hot: string
        manual: string
      }
      state: string
      batchStates: {
        proposed: string
        approved: string
        cancelled: string
        done: string
      }
      states: {
        waiting: string
        signed: string
        sent: string
        confirmed: string
        failed: string
        returned: string
        cancelled: string
      }
      count: string
      total: string
      byHand: string
      byHandNone: string
      byHandOf: (args: { amount: Shown; names: Shown }) => string
      byHandMost: string
      proposedBy: string
      proposedAt: string
      approvedBy: string
      alone: string
      exportedAt: string
      endedAt: string
      withdrawal: string
      member: string
      amount: string
      hash: string
      note: string
      sentAt: string
      actions: string
      file: string
      howKnown: string
      hints: {
        hot: {
          proposed: string
          approved: string
          cancelled: string
          done: string
        }
        manual: {
          proposed: string
          approved: string
          cancelled: string
          done: string
        }
      }
      steps: {
        propose: {
          title: string
          text: string
          confirm: string
          done: string
        }
        approve: {
          hot: {
            title: string
            text: string
            confirm: string
            done: string
          }
          manual: {
            title: string
            text: string
            confirm: string
            done: string
          }
        }
        cancel: {
          title: string
          text: string
          confirm: string
          dismiss: string
          done: string
        }
        export: {
          title: string
          text: string
          confirm: string
          done: string
        }
        import: {
          title: string
          text: string
          confirm: string
          done: string
        }
        confirm: {
          title: string
          text: string
          confirm: string
          done: string
        }
        replace: {
          title: string
          text: string
          confirm: string
          done: string
        }
        return: {
          title: string
          text: string
          confirm: string
          dismiss: string
          done: string
        }
        settle: {
          title: string
          text: string
          confirm: string
          done: string
        }
        dismiss: {
          title: string
          text: string
          confirm: string
          done: string
        }
        adopt: {
          title: string
          text: string
          confirm: string
          done: string
        }
      }
      confirmSeveral: string
      notConfirmable: string
    }
    plans: {
      failed: string
      current: string
      scheduled: string
      version: string
      from: string
      beginning: string
      network: string
      level: string
      profit: string
      proposals: string
      noProposals: string
      state: string
      states: {
        proposed: string
        approved: string
        cancelled: string
      }
      proposedBy: string
      reason: string
      proposedAt: string
      approvedBy: string
      cancelledBy: string
      actions: string
      approve: {
        title: string
        text: string
        confirm: string
        done: string
      }
      cancel: {
        title: string
        text: string
        confirm: string
        dismiss: string
        done: string
      }
      propose: {
        title: string
        text: string
        confirm: string
        done: string
      }
      look: string
      digest: string
      draft: string
      draftText: string
      file: string
      figures: string
      millionths: string
      fields: {
        version: string
        cooling_off_days: string
        grace_minutes: string
        "withdraw.min": string
        "withdraw.charge_ppm": string
        "match.rate_ppm": string
        "pools_ppm.LEVEL": string
        "pools_ppm.MATCH": string
        "pools_ppm.LEAD": string
        "pools_ppm.ROYALTY": string
        "profit_split_ppm.member": string
        "profit_split_ppm.level": string
        "profit_split_ppm.fee": string
      }
      whatIf: string
      whatIfText: string
      whatIfStart: string
      whatIfProgress: string
      whatIfReading: string
      whatIfDays: (args: { done: Shown; total: Shown }) => string
      whatIfOf: (args: { version: Shown; first: Shown; last: Shown }) => string
      whatIfFailed: string
      figure: string
      actual: string
      under: string
      difference: string
      payout: string
      whatIfRefused: string
      whatIfMembers: string
      whatIfKinds: {
        paid: string
        network: string
        revenue: string
      }
      noDifference: string
    }
    reports: {
      label: string
      failed: string
      print: string
      total: string
      presets: string
      days30: string
      days90: string
      year: string
      years3: string
      bucket: string
      buckets: {
        day: string
        week: string
        month: string
      }
      period: (args: { from: Shown; to: Shown }) => string
      closed: (args: { day: Shown }) => string
      neverClosed: string
      now: string
      ofPercent: (args: { count: Shown; percent: Shown }) => string
      after: (args: { months: number }) => string
      kinds: {
        revenue: string
        payouts: string
        people: string
        retention: string
        legs: string
        retail: string
        concentration: string
        disclosure: string
        coverage: string
      }
      about: {
        revenue: string
        payouts: string
        people: string
        retention: string
        legs: string
        retail: string
        concentration: string
        disclosure: string
        coverage: string
      }
      empty: {
        revenue: string
        payouts: string
        people: string
        retention: string
        legs: string
        retail: string
        concentration: string
        disclosure: string
        coverage: string
      }
      tables: {
        time: string
        sources: string
        overall: string
        active: string
        buying: string
        spread: string
        largest: string
        tops: string
        facts: string
        classes: string
      }
      charts: {
        net: string
        sources: string
        kinds: string
        joined: string
        active: string
        retained: string
        byMembers: string
        byBusiness: string
        bought: string
        retail: string
        tops: string
        earned: string
        coveredNow: string
        covered: string
      }
      columns: {
        day: string
        week: string
        month: string
        sales_members: string
        sales_customers: string
        reversed: string
        fees: string
        charges: string
        net: string
        "revenue.net": string
        "payouts.net": string
        "retail.net": string
        level: string
        matching: string
        rank: string
        reward: string
        salary: string
        royalty: string
        roi_forex: string
        roi_crypto: string
        roi_level_forex: string
        roi_level_crypto: string
        income: string
        source: string
        rows: string
        paid: string
        "payouts.reversed": string
        members: string
        "people.members": string
        "retail.members": string
        customers: string
        activations: string
        became: string
        ceased: string
        active: string
        "people.active": string
        cohort: string
        months: string
        active_share: string
        buying: string
        buying_share: string
        ratio: string
        "largest.ratio": string
        "coverage.ratio": string
        by_members: string
        by_business: string
        member: string
        left: string
        right: string
        left_business: string
        right_business: string
        business_ratio: string
        members_n: string
        customers_n: string
        share: string
        "concentration.share": string
        who: string
        people: string
        earned: string
        population: string
        earners: string
        total: string
        gini_earners: string
        gini_members: string
        percentile: string
        no_income: string
        exceeds: string
        top: string
        retail: string
        payout: string
        class: string
        owed: string
        cash: string
        deposits: string
        incomes: string
        trading: string
        all: string
      }
      words: {
        held: string
        first: string
        ten: string
        hundred: string
        percent: string
        tenth: string
        p25: string
        median: string
        p75: string
        p90: string
        max: string
        LEVEL: string
        MATCH: string
        LEAD: string
        ROYALTY: string
        FOREX: string
        CRYPTO: string
      }
    }
    draft: {
      mistakes: string
      path: string
      mistake: string
      valid: string
      changes: string
      noChanges: string
      before: string
      after: string
      noJson: string
      entry: (args: { list: Shown; number: Shown }) => string
      add: (args: { list: Shown }) => string
      remove: string
      removeEntry: (args: { list: Shown; number: Shown }) => string
      fields: {
        name: string
        logo_text: string
        title: string
        tagline: string
        founded: string
        colours: string
        light: string
        dark: string
        primary: string
        primary_hover: string
        on_primary: string
        link: string
        risk: string
        label: string
        text: string
        tag: string
        footer: string
        heading: string
        lead: string
        sign_up: string
        watch_video: string
        steps: string
        close: string
        explore_more: string
        paragraphs: string
        rules: string
        items: string
        price: string
        notice: string
        view_more: string
        href: string
        question: string
        answer: string
        placeholder: string
        submit: string
        thanks: string
        charts: string
        note: string
        kind: string
        unit: string
        labels: string
        series: string
        values: string
        groups: string
        links: string
        app_store: string
        play_store: string
        social: string
        network: string
        copyright: string
        slug: string
        exchange: string
        live_rate: string
        trends: string
        trends_label: string
        counters: string
        value: string
        mode: string
        live: string
        banks: string
        id: string
        bank_name: string
        acholdername: string
        account_number: string
        ifsc: string
        branch: string
        usdt: string
        withdraw_member_daily: string
        withdraw_total_daily: string
        withdraw_two_above: string
        withdraw_factor_above: string
        fund_two_above: string
        fund_alone_daily: string
      }
    }
    installation: {
      failed: string
      sections: {
        content: string
        banks: string
        usdt: string
        limits: string
      }
      hints: {
        content: string
        banks: string
        usdt: string
        limits: string
      }
      part: string
      parts: {
        risk: string
        counters: string
        hero: string
        explainer: string
        about: string
        projects: string
        packages: string
        faq: string
        newsletter: string
        bot: string
        footer: string
        pages: string
        dashboard: string
        name: string
        all: string
      }
      preview: string
      propose: {
        title: string
        text: string
        confirm: string
        done: string
      }
      proposeAddress: string
      discard: string
      changedPlaces: string
      approve: {
        title: string
        text: string
        confirm: string
        done: string
      }
      refuse: {
        title: string
        text: string
        confirm: string
        done: string
      }
      withdraw: {
        title: string
        text: string
        confirm: string
        done: string
      }
      callOff: {
        title: string
        text: string
        confirm: string
        dismiss: string
        done: string
      }
      waits: {
        content: string
        banks: string
        usdt: string
        limits: string
      }
      nextAddress: (args: { when: Shown }) => string
      nextBanks: (args: { when: Shown }) => string
      nextAddressText: (args: { maker: Shown; checker: Shown }) => string
      addressCopied: string
      history: {
        content: string
        banks: string
        usdt: string
        limits: string
      }
      noHistory: string
      versionOf: (args: { id: Shown }) => string
      version: string
      state: string
      states: {
        waiting: string
        approved: string
        refused: string
        withdrawn: string
        "called off": string
      }
      reason: string
      proposedBy: string
      proposedAt: string
      decidedBy: string
      holds: string
      digest: string
      payload: string
      actions: string
      look: string
      restore: string
      restored: string
    }
    tickets: {
      number: string
      member: string
      kind: string
      kinds: {
        query: string
        complaint: string
      }
      query: string
      state: string
      states: {
        waiting: string
        open: string
        replied: string
        closed: string
      }
      due: string
      dueFor: {
        answer: string
        settlement: string
      }
      noDeadline: string
      overdue: string
      onlyOverdue: string
      assignee: string
      nobody: string
      asked: string
      answered: string
      closedAt: string
      search: string
      partial: string
      empty: string
      thread: string
      threadFailed: string
      asks: string
      acts: {
        answer: string
        close: string
        reopen: string
        assign: string
        complaint: string
        message: string
      }
      somebody: string
      reply: string
      why: string
      steps: {
        answer: {
          title: string
          text: string
          confirm: string
          done: string
        }
        assign: {
          title: string
          text: string
          confirm: string
          done: string
        }
        complaint: {
          title: string
          text: string
          confirm: string
          done: string
        }
        close: {
          title: string
          text: string
          confirm: string
          done: string
        }
        reopen: {
          title: string
          text: string
          confirm: string
          done: string
        }
      }
      templates: {
        received: string
        details: string
        deposit: string
        wait: string
        hold: string
        passwords: string
        found: string
      }
    }
    trading: {
      book: string
      bookText: string
      lines: string
      results: string
      line: string
      amount: string
      signed: string
      reference: string
      claim: string
      sale: string
      booking: string
      proposed: string
      waiting: string
      noWaiting: string
      decided: string
      decision: string
      proposedBy: string
      decidedBy: string
      state: string
      states: {
        waiting: string
        approved: string
        refused: string
        withdrawn: string
      }
      warning: string
      lineHas: string
      missing: string
      price: string
      package: string
      buyer: string
      payer: string
      takes: string
      takesNothing: string
      payload: string
      digest: string
      approve: {
        title: string
        text: string
        confirm: string
        done: string
      }
      approveNow: {
        title: string
        text: string
        confirm: string
        done: string
      }
      refuse: {
        title: string
        text: string
        confirm: string
        done: string
      }
      withdraw: {
        title: string
        text: string
        confirm: string
        done: string
      }
      profit: string
      loss: string
      net: string
      days: string
      losing: string
      day: string
      empty: string
      evidence: string
      fileHint: string
      fileChoose: string
      fileClear: string
      fileTooLarge: string
      fileFailed: string
      open: string
      noOpen: string
      unsettled: string
      noUnsettled: string
      kind: string
      kinds: {
        pnl: string
        settle: string
        chargeback: string
        recall: string
        cancel: string
      }
      subject: string
      by: string
      roi: string
      fee: string
      cancel: {
        title: string
        text: string
        confirm: string
        done: string
      }
      acts: {
        pnl: {
          title: string
          text: string
          confirm: string
        }
        settle: {
          title: string
          text: string
          confirm: string
        }
        recall: {
          title: string
          text: string
          confirm: string
        }
        chargeback: {
          title: string
          text: string
          confirm: string
        }
      }
      details: string
      signedContent: string
    }
    lineBooks: {
      title: string
      failed: string
      line: string
      positions: string
      principal: string
      loss: string
      reserve: string
      roi: string
      fee: string
      batches: string
      oldest: string
      age: string
      claims: string
      claimed: string
      recalled: string
      empty: string
      held: string
      nothingHeld: string
      days: (args: { count: number }) => string
    }
    unmatched: {
      text: string
      empty: string
      reason: string
      reasons: {
        small: string
        unannounced: string
        company: string
        unassigned: string
      }
      mined: string
      from: string
      to: string
      event: string
      block: string
      requests: string
    }
  }
  export const others: Record<string, () => Promise<typeof english>>
}
