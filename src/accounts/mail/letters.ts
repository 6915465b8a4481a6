import type { Language } from '../../store/account-contract.ts'

/** What the mails say. Each has one link, and says what it is when nobody asked for it. */
export type LetterKind = 'password_reset' | 'email_verification'

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
}

export const writeLetter = (kind: LetterKind, language: Language, url: string): Letter => {
  const { subject, greeting, request, button, otherwise } = words[kind][language]
  const link = escapeHtml(url)
  return {
    subject,
    text: `${greeting}\n\n${request}\n\n${url}\n\n${otherwise}\n`,
    html: `<!doctype html>
<html lang="${language}">
<body style="font-family: sans-serif; line-height: 1.7; color: #1c1d22; background: #ffffff">
<p>${greeting}</p>
<p>${request}</p>
<p><a href="${link}" style="font-weight: 600">${button}</a></p>
<p style="font-size: 14px">${link}</p>
<p style="font-size: 14px; color: #5b5d66">${otherwise}</p>
</body>
</html>
`,
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
