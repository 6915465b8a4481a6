import type { LanguageCode } from '../../../languages/language.ts'
import type { ServerWords } from '../../../languages/words.ts'
import { serverWords } from '../../languages/words.ts'

/** Mails, in the words of `languages/`. Each has at most one link, and says what to do if the recipient did not request it. */
export type MailKind = 'password_reset' | 'email_verification' | 'email_change'

export type MailMessage = { subject: string; text: string; html: string }

type Words = { subject: string; request: string; button: string; otherwise: string }

export type InvitationDetails = { organisationName: string; inviterEmail: string | null }

export const writeMail = (kind: MailKind, language: LanguageCode, url: string): MailMessage =>
  layOut(serverWords(language).mail[kind], language, { url })

export const writeInvitation = (language: LanguageCode, url: string, details: InvitationDetails): MailMessage => {
  const { invitation } = serverWords(language).mail
  const request = invitation.request(details.organisationName, details.inviterEmail)
  return layOut({ ...invitation, request }, language, { url })
}

/** For the previous address. It has no link, because there is nothing to do. */
export const writeEmailChanged = (language: LanguageCode, email: string, siteUrl: string): MailMessage => {
  const { email_changed: changed } = serverWords(language).mail
  return layOut({ ...changed, request: changed.request(email), button: '' }, language, { site: siteUrl })
}

/** For the owner of the server, who tries the mail server. */
export const writeTestMail = (language: LanguageCode, siteUrl: string): MailMessage =>
  layOut({ ...serverWords(language).mail.test, button: '' }, language, { site: siteUrl })

export type EventMail = {
  type: keyof ServerWords['mail']['events']
  /** Null: the server itself. */
  organisationName: string | null
  /** What it is about, and a figure or time; empty if the type has none. */
  name: string
  value: string
  url: string
}

/** To people who set up, or may set up, mails about events. */
export const writeEventMail = (
  language: LanguageCode,
  { type, organisationName, name, value, url }: EventMail,
): MailMessage => {
  const { events, event } = serverWords(language).mail
  const { subject, text } = events[type]
  const otherwise = organisationName === null ? event.ofServer : event.ofOrganisation(organisationName)
  const request = text(name, value)
  return layOut({ subject, request, button: event.button, otherwise: escapeHtml(otherwise) }, language, { url })
}

/** To somebody whose account was used from a network for the first time. */
export const writeNewPlace = (language: LanguageCode, place: string, url: string): MailMessage => {
  const { new_place: words } = serverWords(language).mail
  return layOut({ ...words, request: words.request(place) }, language, { url })
}

/** Of a mail without a link, the server is named all the same. */
type Address = { url: string } | { site: string }

const layOut = (
  { subject, request, button, otherwise }: Words,
  language: LanguageCode,
  address: Address,
): MailMessage => {
  const url = 'url' in address ? address.url : null
  const link = escapeHtml(url ?? '')
  const { greeting } = serverWords(language).mail
  // Somebody may have accounts on several servers.
  const server = `Helix (${new URL('url' in address ? address.url : address.site).host})`
  return {
    subject,
    text: `${[greeting, request, ...(url === null ? [] : [url]), otherwise, server].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<body style="font-family: sans-serif; line-height: 1.7; color: #1c1d22; background: #ffffff">
<p>${greeting}</p>
<p>${escapeHtml(request)}</p>
${url === null ? '' : `<p><a href="${link}" style="${buttonStyle}">${button}</a></p>\n<p style="font-size: 14px">${link}</p>\n`}<p style="font-size: 14px; color: #5b5d66">${otherwise}</p>
<p style="font-size: 14px; color: #5b5d66">${escapeHtml(server)}</p>
</body>
</html>
`,
  }
}

/** Mail programs read no style sheets. */
const buttonStyle =
  'display: inline-block; padding: 10px 18px; border-radius: 8px; background: #165e83; color: #ffffff; font-weight: 600; text-decoration: none'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
