import { choice, integer, list, type Setting, text } from './setting.ts'
import { httpUrl, smtpUrl } from './url-setting.ts'

/** Accounts, mail, webhooks and sign-in with other providers. */
export const accountSettings = {
  signUp: choice(['open', 'invitation', 'closed'], {
    editedIn: 'signUp',
    default: 'open',
    text: 'Who can create an account once the server has an owner: anyone, only people with an invitation, or nobody.',
  }),
  signUpsPerHour: integer({
    editedIn: 'signUp',
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Maximum number of new accounts per hour from one IP address.',
  }),
  organisationsPerAccount: integer({
    editedIn: 'signUp',
    default: 5,
    min: 1,
    max: 1_000_000,
    text: 'Maximum number of organisations one account can own; each has its own limits.',
  }),
  smtpUrl: smtpUrl({
    editedIn: 'mail',
    default: null,
    secret: true,
    text: 'Mail server for password resets, email verification, invitations and mails about events, for example `smtps://user:password@mail.example.com`.',
  }),
  mailFrom: text({
    editedIn: 'mail',
    default: null,
    text: 'Sender address for email, for example `Helix <helix@example.com>`; required with `smtpUrl`.',
  }),

  webhookNetworks: list({
    default: [],
    text: 'IP addresses or CIDR ranges inside your network that webhooks may be sent to, also by plain HTTP, for example `10.0.0.0/8`; see docs/webhooks.md.',
    defaultText: 'only public addresses, with HTTPS',
  }),
  webhookRetentionDays: integer({
    editedIn: 'retention',
    default: 30,
    min: 3,
    max: 3650,
    text: 'How long events and the log of their deliveries are kept.',
  }),

  githubClientId: text({
    default: null,
    text: 'Sign-in with GitHub: client ID of the OAuth app; see docs/sign-in.md.',
  }),
  githubClientSecret: text({ default: null, secret: true, text: 'Client secret of the GitHub OAuth app.' }),
  githubUrl: httpUrl({ default: 'https://github.com', text: 'URL of GitHub or of a GitHub Enterprise server.' }),
  githubApiUrl: httpUrl({ default: 'https://api.github.com', text: 'URL of the GitHub API.' }),
  googleClientId: text({ default: null, text: 'Sign-in with Google: client ID of the OAuth client.' }),
  googleClientSecret: text({ default: null, secret: true, text: 'Client secret of the Google OAuth client.' }),
  oidcIssuer: httpUrl({
    default: null,
    text: 'Sign-in with an OpenID Connect provider: issuer URL, for example https://id.example.com.',
  }),
  oidcClientId: text({ default: null, text: 'Client ID at the OpenID Connect provider.' }),
  oidcClientSecret: text({ default: null, secret: true, text: 'Client secret at the OpenID Connect provider.' }),
  oidcName: text({ default: 'OpenID', text: 'Name of the OpenID Connect provider on the sign-in button.' }),
} satisfies Record<string, Setting<unknown>>
