import type { Language } from '../../../../languages/language.ts'
import type { AdminWords } from '../../../../languages/words.ts'
import { wholeText } from '../../figures.ts'

/**
 * What is wrong with a setting, from the server's sentence, without the name: the field stands beside it. Most are figures out
 * of their range, which is said in the reader's language.
 */
export const wrongSettingText = (message: string, { server }: AdminWords, language: Language): string => {
  const sentence = message.replace(/^'\w+': /, '')
  const [, least, most] = /^expected an integer from (\d+) to (\d+)\b/.exec(sentence) ?? []
  return least === undefined || most === undefined
    ? sentence.replace(/^./, (first) => first.toUpperCase())
    : server.wholeNumber(wholeText(Number(least), language), wholeText(Number(most), language))
}
