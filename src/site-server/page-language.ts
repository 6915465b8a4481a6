import type { IncomingMessage } from 'node:http'
import type { LanguageCode } from '../../languages/language.ts'
import { defaultLanguage, languageCodes } from '../languages/languages.ts'

/** Remembers the chosen language; scripts may read and set it, as it identifies nobody. */
export const languageCookie = 'helix_language'

/** The language of a page: from the address, otherwise the last choice, otherwise the browser's preference. */
export const pageLanguage = ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): LanguageCode =>
  askedLanguage(url) ?? cookieLanguage(headers.cookie ?? '') ?? preferredLanguage(headers['accept-language'] ?? '')

export const askedLanguage = (url: string): LanguageCode | undefined =>
  known(new URLSearchParams(url.split('?')[1] ?? '').get('lang') ?? '')

const cookieLanguage = (cookie: string): LanguageCode | undefined => {
  const pair = cookie.split(';').find((each) => each.trim().startsWith(`${languageCookie}=`))
  return known(pair?.split('=')[1]?.trim() ?? '')
}

/** RFC 9110 §12.5.4; a language that we have in any of its regions counts. */
const preferredLanguage = (header: string): LanguageCode => {
  const preferences = header
    .slice(0, 500)
    .split(',')
    .flatMap((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((each) => each.startsWith('q='))
      const language = known(tag) ?? known(tag.split('-')[0] ?? '')
      const quality = weight === undefined ? 1 : Number(weight.slice(2))
      return language === undefined || !(quality > 0) ? [] : [{ language, quality }]
    })
  return preferences.sort((a, b) => b.quality - a.quality)[0]?.language ?? defaultLanguage
}

const known = (tag: string): LanguageCode | undefined =>
  languageCodes.find((code) => code.toLowerCase() === tag.toLowerCase())
