import { totpCode, totpStep } from '../../src/accounts/second-factor/totp.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code that an authenticator app shows for this secret. `steps`: how far its clock is off. */
export const appCode = (secret: string, now: number, steps = 0): string =>
  totpCode(fromBase32(secret), totpStep(now) + steps)
