import { keyPrefix } from './key-format.ts'

const shownFirst = 8
const shownLast = 4
const shortestShown = 16
const maxStars = 32

/**
 * What a message may show of text that was sent as a key: its ends, or nothing if the ends would be most of it. It may be
 * anything, even another service's secret, so the result is short and printable ASCII only.
 */
export const maskKey = (text: string): string => {
  if (text.length < shortestShown) return '*'.repeat(text.length)
  const stars = Math.min(text.length - shownFirst - shownLast, maxStars)
  return printable(text.slice(0, shownFirst)) + '*'.repeat(stars) + printable(text.slice(-shownLast))
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

/** With `_`, so that of two adjacent keys the second is matched too. */
const keyShaped = new RegExp(`${keyPrefix}[0-9a-z_]+`, 'gi')

/** The log's last safeguard: replaces everything that begins like a key, well formed or not. */
export const hideKeys = (text: string): string => text.replace(keyShaped, `${keyPrefix}[hidden]`)
