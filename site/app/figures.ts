import type { Language } from '../../languages/language.ts'
import { microsPerUnit } from '../../src/prices/price.ts'

/** All digits, for tables: 42,116. */
export const wholeText = (value: number, language: Language): string =>
  new Intl.NumberFormat(language.locale).format(value)

/** As one says it: 1.5M, 153.4万. Below 10,000 Japanese has all digits, grouped as in the tables. */
export const roundText = (value: number, language: Language): string =>
  new Intl.NumberFormat(language.roundLocale ?? language.locale, {
    notation: 'compact',
    useGrouping: true,
    maximumFractionDigits: 1,
  }).format(value)

/** 12.50 in the currency; amounts below one unit with two digits that count: 0.25, 0.012, 0.00012. */
export const moneyText = (micros: number, currency: string, language: Language): string => {
  const isSmall = micros > 0 && micros < microsPerUnit
  const format = new Intl.NumberFormat(language.locale, {
    style: 'currency',
    currency,
    ...(isSmall ? { maximumFractionDigits: smallDigits(micros / microsPerUnit) } : {}),
  })
  return format.format(micros / microsPerUnit)
}

/** Whole amounts without zeros behind them: 0, 50,000, 2.50. */
export const axisMoneyText = (micros: number, currency: string, language: Language): string => {
  if (micros % microsPerUnit !== 0) return moneyText(micros, currency, language)
  const format = new Intl.NumberFormat(language.locale, { style: 'currency', currency, maximumFractionDigits: 0 })
  return format.format(micros / microsPerUnit)
}

const smallDigits = (amount: number): number => Math.min(6, Math.max(2, Math.ceil(-Math.log10(amount)) + 1))

/** 11 B, 4.2 KB, 412 MB, from a thousand of each the next. */
export const bytesText = (bytes: number, language: Language): string => {
  const [least, unit] = byteUnits.find(([from]) => bytes >= from) ?? byteUnits[3]
  const amount = bytes / least
  const digits = unit === 'GB' || amount < 10 ? 1 : 0
  return `${new Intl.NumberFormat(language.locale, { maximumFractionDigits: digits }).format(amount)}\u00a0${unit}`
}
const byteUnits = [
  [1_000_000_000, 'GB'],
  [1_000_000, 'MB'],
  [1000, 'KB'],
  [1, 'B'],
] as const

/** 214 ms below a second, 1.82 s above, 12.4 s from ten on. */
export const durationText = (ms: number, language: Language): string => {
  // What would be rounded to 1000 ms is a second.
  if (Math.round(ms) < 1000) return `${Math.round(ms)}\u00a0ms`
  const digits = ms < 9995 ? 2 : 1
  const seconds = new Intl.NumberFormat(language.locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(ms / 1000)
  return language.seconds(seconds)
}

/** Tokens a second, without their unit: 8.4 below ten, 44 above. */
export const speedText = (perSecond: number, language: Language): string =>
  new Intl.NumberFormat(language.locale, { maximumFractionDigits: perSecond < 10 ? 1 : 0 }).format(perSecond)

/** 3.4%, of a share from 0 to 1. */
export const percentText = (share: number, language: Language): string =>
  new Intl.NumberFormat(language.locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
