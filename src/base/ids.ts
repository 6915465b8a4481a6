import { randomFillSync } from 'node:crypto'
import { base62Digits, toBase62 } from './base62.ts'

const digits = 24
/** Enough for the milliseconds since 1970 until the year 8889. */
const timeDigits = 8

/** Every kind of identifier the service hands out. A secret's prefix is never among them. */
const separators = {
  key: '_',
  org: '_',
  usr: '_',
  ses: '_',
  inv: '_',
  pky: '_',
  idn: '_',
  call: '_',
  chatcmpl: '-',
} as const

/** 24 random base-62 digits (142 bits) behind a prefix that tells what the id names. */
export const newId = (kind: keyof typeof separators): string => `${kind}${separators[kind]}${randomDigits(digits)}`

/**
 * Begins with its time, so that request ids sort as requests came. In the ledger's index they then follow each other on the
 * last page; random ones would each touch a page of their own, at more CPU than everything else that is done to keep the
 * ledger. 16 random digits (95 bits) keep those of one millisecond apart.
 */
export const newRequestId = (now: number): string =>
  `req_${toBase62(BigInt(Math.max(0, Math.floor(now))), timeDigits)}${randomDigits(digits - timeDigits)}`

/** Asking the system costs more than all the rest, so its random bytes come in larger lots. Secrets are made elsewhere. */
const lot = new Uint8Array(4096)
let taken = lot.length

const randomDigits = (count: number): string => {
  let made = ''
  while (made.length < count) {
    if (taken === lot.length) {
      randomFillSync(lot)
      taken = 0
    }
    const byte = lot[taken] ?? 0
    taken += 1
    // Four times 62: what is above would make the first digits likelier than the others.
    if (byte < 248) made += base62Digits.charAt(byte % 62)
  }
  return made
}
