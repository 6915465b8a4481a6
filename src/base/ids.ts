import { randomBytes } from 'node:crypto'
import { toBase62 } from './base62.ts'

const digits = 24
const digitCombinations = 62n ** BigInt(digits)

/** Every kind of identifier the service hands out. A secret's prefix is never among them. */
const separators = {
  req: '_',
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
export const newId = (kind: keyof typeof separators): string => {
  const random = BigInt(`0x${randomBytes(24).toString('hex')}`) % digitCombinations
  return `${kind}${separators[kind]}${toBase62(random, digits)}`
}
