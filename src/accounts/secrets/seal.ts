/** Encrypts secrets that must be readable later, such as TOTP secrets, with a key that is not in the database. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Seal {
  close(secret: Uint8Array, context: string): string
  /** Null when it was sealed with another key or context, or was changed. */
  open(sealed: string, context: string): Buffer | null
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts with the first of them, and reads what any of them has encrypted. */
export const combineSeals = (list: () => readonly [Seal, ...Seal[]]): Seal => ({
  close: (secret, context) => list()[0].close(secret, context),
  open(sealed, context) {
    for (const seal of list()) {
      const secret = seal.open(sealed, context)
      if (secret !== null) return secret
    }
    return null
  },
})

/** `context` identifies the owner, so that a sealed secret cannot be moved to another row. */
export const createSeal = (key: Uint8Array): Seal => ({
  close(secret, context) {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
    const encrypted = Buffer.concat([cipher.update(secret), cipher.final()])
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`
  },
  open(sealed, context) {
    const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
    const nonce = bytes.subarray(0, nonceBytes)
    const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
    try {
      const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
    } catch {
      return null
    }
  },
})
