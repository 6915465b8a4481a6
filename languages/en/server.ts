/** What the server itself says in English. */
export const words = {
  firstKeyName: 'First key',
  mail: {
    greeting: 'Hello,',
    password_reset: {
      subject: 'Reset your Helix password',
      request: 'Use this link to choose a new password. It works once, within the next hour.',
      button: 'Choose a new password',
      otherwise: 'If you did not request this, ignore this email. Your password stays the same.',
    },
    email_verification: {
      subject: 'Confirm your email for Helix',
      request: 'Use this link to confirm that this address is yours. It works once, within the next 24 hours.',
      button: 'Confirm this address',
      otherwise: 'If you did not sign up for Helix, ignore this email.',
    },
    email_change: {
      subject: 'Confirm your new email for Helix',
      request:
        'Someone asked to use this address for their Helix account. If it was you, use this link. It works once, within the next 24 hours; until then the account keeps its old address.',
      button: 'Use this address',
      otherwise: 'If it was not you, ignore this email. Nothing will change.',
    },
    email_changed: {
      subject: 'Your Helix account’s email was changed',
      request: (email: string) =>
        `Your Helix account’s email is now ${email}. You can no longer sign in with this address.`,
      otherwise: 'If this was not you, contact the server’s owner immediately.',
    },
    invitation: {
      subject: 'You have been invited to an organisation on Helix',
      request: (organisation: string, inviter: string | null) =>
        `${inviter ?? 'Someone'} has invited you to join the organisation “${organisation}” on Helix. The link works once, within the next seven days.`,
      button: 'View the invitation',
      otherwise: 'If you do not know the sender, ignore this email. Nothing will happen.',
    },
  },
  /** Instead of pages, while there are none. The texts are HTML. */
  site: {
    building: {
      title: 'The site is being built.',
      text: 'This happens once after an update and takes a few seconds. The API already answers. This page loads again by itself.',
    },
    absent: {
      title: 'The site is not built.',
      text: 'The API works. To get the site, run <code>npm ci</code> and <code>npm start</code> where Helix is installed.',
    },
  },
} as const
