import type { Language } from '../../store/account-contract.ts'

/** What the mails say. Each has one link at most, and says what it is when nobody asked for it. */
export type LetterKind = 'password_reset' | 'email_verification' | 'email_change'

export type Letter = { subject: string; text: string; html: string }

type Words = { subject: string; greeting: string; request: string; button: string; otherwise: string }

const words: Record<LetterKind, Record<Language, Words>> = {
  password_reset: {
    en: {
      subject: 'Reset your Helix password',
      greeting: 'Hello,',
      request: 'Use this link to choose a new password. It works once, within the next hour.',
      button: 'Choose a new password',
      otherwise: 'If you did not ask for this, ignore this mail: your password stays as it is.',
    },
    ja: {
      subject: 'Helix のパスワード再設定',
      greeting: 'こんにちは。',
      request: '次のリンクから新しいパスワードを設定してください。リンクは 1 回だけ、1 時間以内に限り使えます。',
      button: '新しいパスワードを設定する',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。パスワードは変更されません。',
    },
  },
  email_verification: {
    en: {
      subject: 'Confirm your email for Helix',
      greeting: 'Hello,',
      request: 'Use this link to confirm that this address is yours. It works once, within the next 24 hours.',
      button: 'Confirm this address',
      otherwise: 'If you did not sign up for Helix, ignore this mail.',
    },
    ja: {
      subject: 'Helix のメールアドレスの確認',
      greeting: 'こんにちは。',
      request:
        '次のリンクを開いて、このメールアドレスがご本人のものであることを確認してください。リンクは 1 回だけ、24 時間以内に限り使えます。',
      button: 'メールアドレスを確認する',
      otherwise: 'Helix に登録したお心当たりがない場合は、このメールを無視してください。',
    },
  },
  email_change: {
    en: {
      subject: 'Confirm your new email for Helix',
      greeting: 'Hello,',
      request:
        'Somebody wants to use this address for their Helix account. If it is you, use this link. It works once, within the next 24 hours; until then the account keeps its old address.',
      button: 'Use this address',
      otherwise: 'If it is not you, ignore this mail: nothing is changed.',
    },
    ja: {
      subject: 'Helix の新しいメールアドレスの確認',
      greeting: 'こんにちは。',
      request:
        'このメールアドレスを Helix のアカウントで使うための変更が申し込まれました。ご本人の場合は、次のリンクを開いてください。リンクは 1 回だけ、24 時間以内に限り使えます。それまでは以前のアドレスのままです。',
      button: 'このメールアドレスを使う',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。何も変更されません。',
    },
  },
}

const emailChanged: Record<Language, (email: string) => Omit<Words, 'button'>> = {
  en: (email) => ({
    subject: 'The email of your Helix account was changed',
    greeting: 'Hello,',
    request: `The email of your Helix account is now ${email}. This address leads to it no more.`,
    otherwise: 'If it was not you, tell the owner of the server at once.',
  }),
  ja: (email) => ({
    subject: 'Helix のメールアドレスが変更されました',
    greeting: 'こんにちは。',
    request: `お使いの Helix アカウントのメールアドレスが ${email} に変更されました。今後、このアドレスではサインインできません。`,
    otherwise: 'お心当たりのない場合は、すぐにサーバーの所有者へご連絡ください。',
  }),
}

/** Whose invitation it is, and to what. */
export type LetterOfInvitation = { organisationName: string; inviterEmail: string | null }

const invitation: Record<Language, (told: LetterOfInvitation) => Words> = {
  en: ({ organisationName, inviterEmail }) => ({
    subject: 'You are invited to an organisation on Helix',
    greeting: 'Hello,',
    request: `${inviterEmail ?? 'Somebody'} invites you to the organisation “${organisationName}” on Helix. The link works once, within the next seven days.`,
    button: 'Look at the invitation',
    otherwise: 'If you do not know who this is, ignore this mail: nothing happens.',
  }),
  ja: ({ organisationName, inviterEmail }) => ({
    subject: 'Helix の組織への招待',
    greeting: 'こんにちは。',
    request: `${inviterEmail === null ? '' : `${inviterEmail} さんから、`}Helix の組織「${organisationName}」への招待が届いています。リンクは 1 回だけ、7 日以内に限り使えます。`,
    button: '招待を確認する',
    otherwise: 'お心当たりのない場合は、このメールを無視してください。何も起こりません。',
  }),
}

export const writeLetter = (kind: LetterKind, language: Language, url: string): Letter =>
  layOut(words[kind][language], language, url)

export const writeInvitation = (language: Language, url: string, told: LetterOfInvitation): Letter =>
  layOut(invitation[language](told), language, url)

/** To the address so far. It has no link: nothing is to be done. */
export const writeEmailChanged = (language: Language, email: string): Letter =>
  layOut({ ...emailChanged[language](email), button: '' }, language, null)

const layOut = (
  { subject, greeting, request, button, otherwise }: Words,
  language: Language,
  url: string | null,
): Letter => {
  const link = escapeHtml(url ?? '')
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
