export const security = {
  security: {
    failed: 'Your security settings could not be loaded.',
    title: 'Two-step verification',
    on: 'On',
    off: 'Off',
    onText: (since: string) =>
      `On since ${since}. Signing in takes a second step after the password, and withdrawals are confirmed by it instead of a mailed OTP.`,
    offText:
      'Add an authenticator app or a passkey. Signing in and withdrawing then need it besides your password, so that somebody who learns the password still cannot get in.',
    above: (amount: string) => `Withdrawals above ${amount} are possible only with it.`,
    waitNote: (hours: number) =>
      `After every change here withdrawals and transfers to others wait ${hours} hours, all other devices are signed out, and we e-mail you.`,
    waitsTitle: (until: string) => `Withdrawals and transfers wait until ${until}`,
    waitsText:
      'The way into your account was changed recently. Until then no withdrawal is paid, and nothing can be sent to or bought for other members. If it was not you, change your password now and contact support.',
    turnOff: 'Turn off',
    turnOffTitle: 'Turn off two-step verification?',
    turnOffText:
      'Your password alone will open the account again. The authenticator app, all passkeys and the recovery codes stop working.',
    turnedOff: 'Two-step verification is off.',

    app: 'Authenticator app',
    appOn: 'Set up',
    appOff: 'Not set up',
    appText:
      'An app such as Google Authenticator or Authy shows a new 6-digit code every 30 seconds, also without a network.',
    setUpApp: 'Set up an app',
    setUpAppText: 'Enter your password to get the key for your authenticator app.',
    replaceApp: 'Change the app',
    replaceAppText:
      'Get a key for another app or phone. The app that you use now keeps working until the new one is confirmed. Your recovery codes are replaced.',
    goOn: 'Continue',
    scan: 'Add the key to your app',
    scanText: 'Scan this QR code with the authenticator app, then enter the code that it shows.',
    scanCode: 'QR code for the authenticator app',
    typeIn: 'Cannot scan it? Enter this key in the app:',
    key: 'Key',
    keyCopied: 'Key copied',
    appCode: 'Code from the app',
    appDone: 'The authenticator app is set up.',

    codes: 'Recovery codes',
    codesLeft: (count: number) => (count === 1 ? '1 left' : `${count} left`),
    codesNote:
      'If you lose your phone or passkey, each of these codes signs you in once in its place.',
    codesText:
      'Save these codes somewhere safe, away from your phone. Each works once. They are not shown again.',
    codesCopied: 'Recovery codes copied',
    kept: 'I have saved them',
    newCodes: 'Get new codes',
    newCodesText: 'The codes that you have now stop working.',

    passkeys: 'Passkeys',
    passkeysText:
      'Confirm with your fingerprint, your face or the PIN of your device instead of a code. A passkey works on this site only, so that no false site can ask for it.',
    addPasskey: 'Add a passkey',
    addPasskeyText:
      'Give the device a name and enter your password. Your browser then asks you to confirm.',
    passkeyName: (number: number) => `Device ${number}`,
    name: 'Name of the device',
    passkeyAdded: 'The passkey was added.',
    added: (when: string) => `Added ${when}`,
    used: (when: string) => `Last used ${when}`,
    rename: 'Rename',
    renameOf: (name: string) => `Rename ${name}`,
    renameTitle: 'Rename the passkey',
    renameText: 'Only you see this name.',
    renamed: 'The passkey has its new name.',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeText: 'This passkey can no longer be used to sign in or to confirm.',
    removeLastText:
      'This is your only second step: without it two-step verification is off, and your password alone opens the account.',
    removed: 'The passkey was removed.',

    email: 'E-mail address',
    emailConfirmed: 'Confirmed',
    emailWaits: 'Not confirmed',
    correctTitle: 'Change your e-mail address',
    correctText:
      'We mail a new confirmation link to the address that you enter. The links that we mailed before stop working. Withdrawals and transfers to others wait 24 hours.',
    correctEmail: 'Your e-mail address',
    correctConfirm: 'Change address',
    corrected: 'Your address was changed. Open the link that we mailed there.',
    pendingNote:
      'If you did not ask for this change, cancel it and set a new password, which signs everybody out.',
    pendingCancel: 'Cancel the change',
    pendingCancelled: (email: string) => `The change was cancelled. We write to ${email}.`,
    pendingNotCancelled: 'The change could not be cancelled. Try again.',
    undoUntil: (until: string) =>
      `Your e-mail address was changed. Until ${until} the change can be undone by the link that we mailed to your former address.`,
    undoRests: (from: string) =>
      `Can someone else read your former mailbox? You can remove that link from ${from}. It stays valid for 48 hours so that you can undo the change if someone else made it.`,
    undoRemove: 'Remove that link',
    undoRemoveTitle: 'Keep your new e-mail address?',
    undoRemoveText:
      'The link that we mailed to your former address stops working. Do this if somebody else may read that mailbox.',
    undoRemoved: 'The link was removed. Your e-mail address stays.',

    password: 'Your password',
    code: 'Code from the app, or a recovery code',
  },
}
