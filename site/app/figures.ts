import type { Language } from '../../src/site-server/pages.ts'

const localeOf = (language: Language): string => (language === 'ja' ? 'ja-JP' : 'en-GB')

/** All digits, for tables: 42,116. */
export const wholeText = (value: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language)).format(value)

/** As one says it: 1.5M, 153.4万. */
export const roundText = (value: number, language: Language): string =>
  new Intl.NumberFormat(language === 'ja' ? 'ja-JP' : 'en-US', {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(value)

/** 412 MB, from a thousand of them 1.2 GB. */
export const bytesText = (bytes: number, language: Language): string => {
  const isLarge = bytes >= 1_000_000_000
  const figure = new Intl.NumberFormat(localeOf(language), {
    maximumFractionDigits: isLarge || bytes < 10_000_000 ? 1 : 0,
  })
  return isLarge ? `${figure.format(bytes / 1_000_000_000)}\u00a0GB` : `${figure.format(bytes / 1_000_000)}\u00a0MB`
}

/** 214 ms below a second, 1.82 s above. */
export const durationText = (ms: number, language: Language): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = (ms / 1000).toFixed(ms < 10_000 ? 2 : 1)
  return language === 'ja' ? `${seconds}秒` : `${seconds} s`
}
