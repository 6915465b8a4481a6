import { isIP } from 'node:net'
import { ApiError } from '../../base/api-error.ts'
import type { RelyingParty } from './webauthn.ts'

/** Browsers create passkeys for host names only, not for IP addresses, and without TLS only for localhost. */
export const canHavePasskeys = (siteUrl: string): boolean => {
  const { hostname, protocol } = new URL(siteUrl)
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return isName && (protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost'))
}

export const createRelyingParty = (siteUrl: string): RelyingParty => {
  if (!canHavePasskeys(siteUrl)) throw ApiError.of('passkeys_unavailable', {})
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, origin }
}
