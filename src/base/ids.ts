import { randomFillSync } from 'node:crypto'
import { base62Digits, toBase62 } from './base62.ts'

const digits = 24
/** Enough for milliseconds since 1970 until the year 8889. */
const timeDigits = 8

/** Every kind of identifier that the service issues. Prefixes of secrets are never among them. */
const separators = {
  key: '_',
  org: '_',
  usr: '_',
  ses: '_',
  inv: '_',
  pky: '_',
  idn: '_',
  prm: '_',
  cnv: '_',
  shr: '_',
  whk: '_',
  evt: '_',
  dlv: '_',
  node: '_',
  call: '_',
  chatcmpl: '-',
  resp: '_',
  cmpl: '-',
  msg: '_',
  rs: '_',
  fc: '_',
  fco: '_',
  ctc: '_',
  ctco: '_',
} as const

/** 24 random base-62 digits (142 bits) after a prefix that shows the kind of ID. */
export const newId = (kind: keyof typeof separators): string => `${kind}${separators[kind]}${randomDigits(digits)}`

/**
 * Starts with the time, so that request IDs sort by arrival. New IDs then go to the last page of the ledger's index;
 * random IDs would each touch a different page and use more CPU than all other ledger work.
 * 16 random digits (95 bits) distinguish the IDs of one millisecond.
 */
export const newRequestId = (now: number): string => {
  if (now !== lastTime.now) lastTime = { now, text: toBase62(BigInt(Math.max(0, Math.floor(now))), timeDigits) }
  return `req_${lastTime.text}${randomDigits(digits - timeDigits)}`
}

/** Many requests arrive in the same millisecond. */
let lastTime = { now: Number.NaN, text: '' }

/** System calls dominate the cost, so this reads random bytes in batches. Secrets are generated elsewhere. */
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
    // 248 is four times 62: larger bytes would favour the first digits.
    if (byte < 248) made += base62Digits.charAt(byte % 62)
  }
  return made
}
