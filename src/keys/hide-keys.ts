import { keyPrefix } from './key-format.ts'

const shownFirst = 8
const shownLast = 4
const shortestShown = 16
const maxStars = 32

/**
 * What a message may show of something that was sent as a key: its ends, or nothing where the ends would be most of it.
 * It may be any junk, or another service's secret: the answer is short, and only printable ASCII comes through.
 */
export const maskKey = (text: string): string => {
  if (text.length < shortestShown) return '*'.repeat(text.length)
  const stars = Math.min(text.length - shownFirst - shownLast, maxStars)
  return printable(text.slice(0, shownFirst)) + '*'.repeat(stars) + printable(text.slice(-shownLast))
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

/** With `_`, so that the second of two keys in a row is not torn from its prefix and left standing. */
const keyShaped = new RegExp(`${keyPrefix}[0-9a-z_]+`, 'gi')

/** The last net under the log: takes out whatever begins like a key, well formed or not. */
export const hideKeys = (text: string): string => text.replace(keyShaped, `${keyPrefix}[hidden]`)
