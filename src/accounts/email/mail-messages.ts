import type { Language } from '../../store/account-contract.ts'

/** The texts of mails. Each has at most one link, and says what to do if the recipient did not request it. */
export type MailKind = 'password_reset' | 'email_verification' | 'email_change'

export type MailMessage = { subject: string; text: string; html: string }

type Words = { subject: string; request: string; button: string; otherwise: string }

const greetings: Record<Language, string> = { en: 'Hello,', ja: 'こんにちは。' }

const words: Record<MailKind, Record<Language, Words>> = {
  password_reset: {
    en: {
      subject: 'Reset your Helix password',
      request: 'Use this link to choose a new password. It works once, within the next hour.',
      button: 'Choose a new password',
      otherwise: 'If you did not request this, ignore this email. Your password stays the same.',
    },
    ja: {
      subject: 'Helixのパスワード再設定',
      request: '次のリンクから新しいパスワードを設定してください。リンクは1回だけ、1時間以内に限り使えます。',
      button: '新しいパスワードを設定する',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。パスワードは変更されません。',
    },
  },
  email_verification: {
    en: {
      subject: 'Confirm your email for Helix',
      request: 'Use this link to confirm that this address is yours. It works once, within the next 24 hours.',
      button: 'Confirm this address',
      otherwise: 'If you did not sign up for Helix, ignore this email.',
    },
    ja: {
      subject: 'Helixのメールアドレスの確認',
      request:
        '次のリンクを開いて、このメールアドレスがご本人のものであることを確認してください。リンクは1回だけ、24時間以内に限り使えます。',
      button: 'メールアドレスを確認する',
      otherwise: 'Helixに登録したお心当たりがない場合は、このメールを無視してください。',
    },
  },
  email_change: {
    en: {
      subject: 'Confirm your new email for Helix',
      request:
        'Someone asked to use this address for their Helix account. If it was you, use this link. It works once, within the next 24 hours; until then the account keeps its old address.',
      button: 'Use this address',
      otherwise: 'If it was not you, ignore this email. Nothing will change.',
    },
    ja: {
      subject: 'Helixの新しいメールアドレスの確認',
      request:
        'このメールアドレスをHelixのアカウントで使うための変更が申し込まれました。ご本人の場合は、次のリンクを開いてください。リンクは1回だけ、24時間以内に限り使えます。それまでは以前のアドレスのままです。',
      button: 'このメールアドレスを使う',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。何も変更されません。',
    },
  },
}

const emailChanged: Record<Language, (email: string) => Omit<Words, 'button'>> = {
  en: (email) => ({
    subject: 'Your Helix account’s email was changed',
    request: `Your Helix account’s email is now ${email}. You can no longer sign in with this address.`,
    otherwise: 'If this was not you, contact the server’s owner immediately.',
  }),
  ja: (email) => ({
    subject: 'Helixのメールアドレスが変更されました',
    request: `お使いのHelixアカウントのメールアドレスが${email}に変更されました。今後、このアドレスではサインインできません。`,
    otherwise: 'お心当たりのない場合は、すぐにサーバーの所有者へご連絡ください。',
  }),
}

export type InvitationDetails = { organisationName: string; inviterEmail: string | null }

const invitation: Record<Language, (details: InvitationDetails) => Words> = {
  en: ({ organisationName, inviterEmail }) => ({
    subject: 'You have been invited to an organisation on Helix',
    request: `${inviterEmail ?? 'Someone'} has invited you to join the organisation “${organisationName}” on Helix. The link works once, within the next seven days.`,
    button: 'View the invitation',
    otherwise: 'If you do not know the sender, ignore this email. Nothing will happen.',
  }),
  ja: ({ organisationName, inviterEmail }) => ({
    subject: 'Helixの組織への招待',
    request: `${inviterEmail === null ? '' : `${inviterEmail}さんから、`}Helixの組織「${organisationName}」への招待が届いています。リンクは1回だけ、7日以内に限り使えます。`,
    button: '招待を確認する',
    otherwise: 'お心当たりのない場合は、このメールを無視してください。何も起こりません。',
  }),
}

export const writeMail = (kind: MailKind, language: Language, url: string): MailMessage =>
  layOut(words[kind][language], language, url)

export const writeInvitation = (language: Language, url: string, details: InvitationDetails): MailMessage =>
  layOut(invitation[language](details), language, url)

/** For the previous address. It has no link, because there is nothing to do. */
export const writeEmailChanged = (language: Language, email: string): MailMessage =>
  layOut({ ...emailChanged[language](email), button: '' }, language, null)

const layOut = (
  { subject, request, button, otherwise }: Words,
  language: Language,
  url: string | null,
): MailMessage => {
  const link = escapeHtml(url ?? '')
  const greeting = greetings[language]
  return {
    subject,
    text: `${[greeting, request, ...(url === null ? [] : [url]), otherwise].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<body style="font-family: sans-serif; line-height: 1.7; color: #1c1d22; background: #ffffff">
<p>${greeting}</p>
<p>${escapeHtml(request)}</p>
${url === null ? '' : `<p><a href="${link}" style="font-weight: 600">${button}</a></p>\n<p style="font-size: 14px">${link}</p>\n`}<p style="font-size: 14px; color: #5b5d66">${otherwise}</p>
</body>
</html>
`,
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
