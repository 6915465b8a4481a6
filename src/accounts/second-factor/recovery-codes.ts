import { hash, randomBytes } from 'node:crypto'

/** Each replaces a code from the app, once. */
const count = 10
/** Lower-case letters and digits that cannot be confused. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** Sixteen characters out of 31: 79 bits. As with tokens, a fast hash is enough at rest. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode)

const newCode = (): string =>
  Array.from({ length: groups }, () => Array.from({ length: groupLength }, newLetter).join('')).join('-')

/** Bytes beyond the last multiple of the alphabet's size are discarded, so that all characters are equally likely. */
const newLetter = (): string => {
  const last = 256 - (256 % letters.length)
  for (;;) {
    const [byte = last] = randomBytes(1)
    if (byte < last) return letters[byte % letters.length] ?? ''
  }
}

/** Case, spaces and hyphens are ignored. The account is part of the hash, so that no two accounts share one. */
export const hashRecoveryCode = (accountId: string, code: string): Uint8Array =>
  hash('sha256', `${accountId} ${code.toLowerCase().replace(/[\s-]/g, '')}`, 'buffer')

/** Anything too long for a TOTP code. */
export const looksLikeRecoveryCode = (code: string): boolean => code.replace(/[\s-]/g, '').length > 8
