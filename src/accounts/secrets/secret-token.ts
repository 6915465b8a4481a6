import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, which cannot be guessed: as with API keys, a fast hash is enough at rest. */
export const mintToken = (): string => randomBytes(32).toString('base64url')

/** Whether it has the format of `mintToken`. */
export const isTokenShaped = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashToken = (token: string): Uint8Array => hash('sha256', token, 'buffer')

/**
 * The CSRF token that a page sends to prove it can read our responses. It is derived from the cookie, which no script can
 * read, so it needs no storage and expires with the session.
 */
export const pageToken = (cookieToken: string): string =>
  createHmac('sha256', cookieToken).update('helix page token').digest('base64url')

export const isPageToken = (sent: string, cookieToken: string): boolean => {
  const [a, b] = [hashToken(sent), hashToken(pageToken(cookieToken))]
  return timingSafeEqual(a, b)
}
