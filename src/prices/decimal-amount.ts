import { microsPerUnit } from './price.ts'

const decimals = 6

/** `12.5` is 12,500,000 micros. Null unless it is a plain decimal number from 0 on with at most six decimal places. */
export const microsOf = (amount: string): number | null => {
  const [, whole = '', fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (whole === '') return null
  const micros = Number(whole) * microsPerUnit + Number(fraction.padEnd(decimals, '0'))
  return Number.isSafeInteger(micros) ? micros : null
}

/** The opposite, without zeros at the end. */
export const decimalAmount = (micros: number): string => {
  const digits = String(Math.abs(micros)).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
