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
    test: {
      subject: 'Test mail from Helix',
      request: 'This is a test. The mail server accepted this mail, so Helix can send mail.',
      otherwise: 'The server’s owner requested it on the Server page. There is nothing to do.',
    },
    new_place: {
      subject: 'New sign-in to your Helix account',
      request: (network: string) =>
        `Someone signed in to your Helix account from a network that was not used before: ${network}. If it was you, there is nothing to do.`,
      button: 'Check your sessions',
      otherwise: 'If it was not you, end that session and change your password.',
    },
    event: {
      button: 'Open Helix',
      ofOrganisation: (organisation: string) =>
        `You get this email because you are an owner or admin of “${organisation}”. Change this under Webhooks.`,
      ofServer: 'You get this email because you are an owner of this server. Change this under Admin, Server webhooks.',
    },
    events: {
      'budget.reached': {
        subject: 'A Helix budget has reached a threshold',
        text: (key: string, percent: string) =>
          `${percent}% of ${key === '' ? 'a budget' : `a budget of the key “${key}”`} has been used.${percent === '100' ? ' Further requests are refused until it is reset or raised.' : ''}`,
      },
      'key.expiring': {
        subject: 'An API key on Helix expires soon',
        text: (key: string, time: string) =>
          `The API key “${key}” expires on ${time}. Requests with it fail from then on. Extend it, or create a new one.`,
      },
      'sign_in.new_place': {
        subject: 'A member signed in to Helix from a new place',
        text: (email: string, _value: string) =>
          `${email} signed in from a network that they had not used before. They have been notified too.`,
      },
      'engine.down': {
        subject: 'A model on Helix is down',
        text: (model: string, node: string) =>
          `The model ${model} is not running on ${node}. “helix models list” shows the reason.`,
      },
      'engine.recovered': {
        subject: 'A model on Helix has recovered',
        text: (model: string, node: string) => `The model ${model} has been running on ${node} for 15 minutes.`,
      },
      'upstream.recovered': {
        subject: 'An upstream of Helix has recovered',
        text: (upstream: string, _value: string) => `The upstream ${upstream} has been working for 15 minutes.`,
      },
      'upstream.down': {
        subject: 'An upstream of Helix is down',
        text: (upstream: string, reason: string) =>
          `The upstream ${upstream} gets no requests, or its checks fail${reason === '' ? '' : ` (${reason})`}.`,
      },
      'node.lost': {
        subject: 'A node of Helix was lost',
        text: (node: string, _value: string) =>
          `The node ${node} has stopped responding. The others have settled its requests and continue.`,
      },
      'certificate.expiring': {
        subject: 'The certificate of Helix expires soon',
        text: (node: string, time: string) =>
          `The TLS certificate of ${node} expires on ${time}. Replace it before then.`,
      },
      'disk.low': {
        subject: 'Helix is running out of disk space',
        text: (node: string, free: string) => `Only ${free} are free on the disk of ${node}’s data directory.`,
      },
      'backup.overdue': {
        subject: 'The last backup of Helix is too old',
        text: (_name: string, time: string) => `The last backup was made on ${time}.`,
      },
      'clock.skewed': {
        subject: 'The clock of a Helix node is wrong',
        text: (node: string, skew: string) =>
          `The clock of ${node} differs by ${skew} from that of the database. Check its time synchronisation.`,
      },
      test: {
        subject: 'Test email from Helix',
        text: (_name: string, _value: string) => 'This is a test. Emails about events are being delivered.',
      },
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
      text: 'This happens once after an update and takes a few seconds. The API already answers. This page opens by itself as soon as it is there.',
      noScript: 'Without JavaScript, reload it in a moment.',
      files: (count: number) => `${count} files so far`,
    },
    absent: {
      title: 'The site is not built.',
      text: 'The API works. To get the site, run <code>npm ci</code> and <code>npm start</code> where Helix is installed.',
    },
    failed: {
      title: 'The site could not be built.',
      text: 'The API works. Correct this error where Helix is installed, then start it again. <code>npm run build</code> shows the error too.',
    },
  },
} as const
