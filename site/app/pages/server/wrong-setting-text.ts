import type { Language } from '../../../../languages/language.ts'
import type { AdminWords } from '../../../../languages/words.ts'
import { wholeText } from '../../figures.ts'

/**
 * What is wrong with a setting, from the server's sentence, without the name: the field stands beside it. Figures out of their range
 * and what is wrong with mail are said in the reader's language.
 */
export const wrongSettingText = (message: string, { server }: AdminWords, language: Language): string => {
  const sentence = message.replace(/^'\w+': /, '')
  const [, least, most] = /^expected an integer from (\d+) to (\d+)\b/.exec(sentence) ?? []
  if (least !== undefined && most !== undefined)
    return server.wholeNumber(wholeText(Number(least), language), wholeText(Number(most), language))
  const known = mailSentences.find(([pattern]) => pattern.test(sentence))
  return known === undefined ? sentence.replace(/^./, (first) => first.toUpperCase()) : server.wrongMail[known[1]]
}

/** The server's sentences about mail name variables and options, which nobody types on the page. */
const mailSentences = [
  [/^expected an smtp:/, 'server'],
  [/^expected an email address/, 'sender'],
  [/^HELIX_SMTP_URL requires HELIX_MAIL_FROM/, 'noSender'],
  [/^HELIX_SMTP_URL requires HELIX_PUBLIC_URL/, 'noPublicUrl'],
] as const
