import { hash, randomBytes } from 'node:crypto'

/** Each of them stands in for a code from the app, once. */
const count = 10
/** Small letters and figures that nobody takes for one another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** Sixteen letters of 31: 79 bits. As with tokens a fast hash is enough at rest. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode)

const newCode = (): string =>
  Array.from({ length: groups }, () => Array.from({ length: groupLength }, newLetter).join('')).join('-')

/** Bytes beyond the last whole multiple of the alphabet are thrown away: every letter is as likely as the next. */
const newLetter = (): string => {
  const last = 256 - (256 % letters.length)
  for (;;) {
    const [byte = last] = randomBytes(1)
    if (byte < last) return letters[byte % letters.length] ?? ''
  }
}

/** However it was typed: case, spaces and hyphens do not count. The account is part of it, so that no two share a hash. */
export const hashRecoveryCode = (accountId: string, code: string): Uint8Array =>
  hash('sha256', `${accountId} ${code.toLowerCase().replace(/[\s-]/g, '')}`, 'buffer')

/** What cannot be a code from an app is taken for one of these. */
export const looksLikeRecoveryCode = (code: string): boolean => code.replace(/[\s-]/g, '').length > 8
