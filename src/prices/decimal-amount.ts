import { microsPerUnit } from './price.ts'

const decimals = 6

/** The largest amount that is a whole number of micros. */
export const maxAmount = 9_000_000_000
export const maxAmountMicros = maxAmount * microsPerUnit

/** `12.5` is 12,500,000 micros. Null unless it is a plain decimal number of at least 0 with at most six decimal places. */
export const parseMicros = (amount: string): number | null => {
  const [, whole = '', fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (whole === '') return null
  const micros = Number(whole) * microsPerUnit + Number(fraction.padEnd(decimals, '0'))
  return micros <= maxAmountMicros ? micros : null
}

/** By its decimal notation: a fraction such as 0.1 is not exact in binary. */
export const microsOfNumber = (amount: number): number | null => {
  // Small numbers would be written as 1e-6.
  const fixed = amount < 1 && amount >= 0 ? amount.toFixed(decimals) : String(amount)
  return Number(fixed) === amount ? parseMicros(fixed) : null
}

/** The reverse, without trailing zeros. */
export const decimalAmount = (micros: number): string => {
  const digits = String(micros).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
