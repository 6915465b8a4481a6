import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits. As with API keys a fast hash is enough at rest: nobody guesses them. */
export const mintToken = (): string => randomBytes(32).toString('base64url')

/** What `mintToken` may have made. */
export const isTokenShaped = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashToken = (token: string): Uint8Array => hash('sha256', token, 'buffer')

/**
 * What a page must send along to show that it may read what we tell it. It is made from the cookie, which scripts of no
 * site can read: so it needs no place to be kept, and ends with the session.
 */
export const pageToken = (cookieToken: string): string =>
  createHmac('sha256', cookieToken).update('helix page token').digest('base64url')

export const isPageToken = (sent: string, cookieToken: string): boolean => {
  const [a, b] = [hashToken(sent), hashToken(pageToken(cookieToken))]
  return timingSafeEqual(a, b)
}
