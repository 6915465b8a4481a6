import type { IncomingMessage } from 'node:http'
import { type Language, languages } from './pages.ts'

/** Remembers the chosen language; scripts may read and set it, as it identifies nobody. */
export const languageCookie = 'helix_language'

/** The language of a page: from the address, otherwise the last choice, otherwise the browser's preference. */
export const pageLanguage = ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Language =>
  askedLanguage(url) ?? cookieLanguage(headers.cookie ?? '') ?? preferredLanguage(headers['accept-language'] ?? '')

export const askedLanguage = (url: string): Language | undefined =>
  known(new URLSearchParams(url.split('?')[1] ?? '').get('lang') ?? '')

const cookieLanguage = (cookie: string): Language | undefined => {
  const pair = cookie.split(';').find((each) => each.trim().startsWith(`${languageCookie}=`))
  return known(pair?.split('=')[1]?.trim() ?? '')
}

/** RFC 9110 §12.5.4; a language that we have in any of its regions counts. */
const preferredLanguage = (header: string): Language => {
  const preferences = header
    .slice(0, 500)
    .split(',')
    .flatMap((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((each) => each.startsWith('q='))
      const language = known(tag.split('-')[0]?.toLowerCase() ?? '')
      const quality = weight === undefined ? 1 : Number(weight.slice(2))
      return language === undefined || !(quality > 0) ? [] : [{ language, quality }]
    })
  return preferences.sort((a, b) => b.quality - a.quality)[0]?.language ?? 'en'
}

const known = (tag: string): Language | undefined => languages.find((language) => language === tag)
