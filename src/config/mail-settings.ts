import { type Setting, sender } from './setting.ts'
import { smtpUrl } from './url-setting.ts'

/** Mail that the server sends. */
export const mailSettings = {
  smtpUrl: smtpUrl({
    editedIn: 'mail',
    default: null,
    secret: true,
    text: 'Mail server for password resets, email verification, invitations and mails about events, for example `smtps://user:password@mail.example.com`.',
  }),
  mailFrom: sender({
    editedIn: 'mail',
    default: null,
    text: 'Sender address for email, for example `Helix <helix@example.com>`; required with `smtpUrl`.',
  }),
} satisfies Record<string, Setting<unknown>>
